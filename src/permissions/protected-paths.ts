import { basename, sep } from 'node:path';
import { isWithin } from '../core/footprint.ts';

// What governs tools, editors, shells and agents: a write here can run code later. Any depth, whatever the letter case, also what does not exist yet.
const PROTECTED_FOLDERS = new Set([
  '.git',
  '.wield',
  '.vscode',
  '.idea',
  '.devcontainer',
  '.cursor',
  '.claude',
  '.codex',
  '.gemini',
  '.husky',
  '.agents',
]);
const PROTECTED_FILES = new Set([
  'agents.md',
  'claude.md',
  '.gitmodules',
  '.gitconfig',
  '.mcp.json',
  '.pre-commit-config.yaml',
  'lefthook.yml',
  '.envrc',
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pnpmfile.cjs',
  'bunfig.toml',
  '.gitlab-ci.yml',
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.inputrc',
]);
const SECRET_FILES =
  /^(?:\.env(?:\..+)?|\.netrc|\.npmrc|\.pgpass|.+\.(?:pem|key|p12|pfx)|id_(?:rsa|dsa|ecdsa|ed25519)(?:\..*)?)$/i;
const HARMLESS_ENV = /^\.env\.(?:example|sample|template|dist)$/i;
const SECRET_HOME_FOLDERS = ['.ssh', '.aws', '.gnupg', '.config/gh', '.config/gcloud', '.docker', '.kube'];

/** Why a write to this real path always asks, or null. */
export function protection(path: string): string | null {
  const segments = path.toLowerCase().split(sep);
  const folder =
    segments.slice(0, -1).find((segment) => PROTECTED_FOLDERS.has(segment)) ??
    (PROTECTED_FOLDERS.has(segments.at(-1) ?? '') ? segments.at(-1) : undefined);
  if (folder !== undefined) return `${folder} governs tools that run later`;
  if (PROTECTED_FILES.has(segments.at(-1) ?? '')) return `${basename(path)} governs tools that run later`;
  return path.toLowerCase().includes(`${sep}.github${sep}workflows${sep}`) ? '.github/workflows runs on its own' : null;
}

/** Why a read of this real path always asks, or null. */
export function secrecy(path: string, home: string): string | null {
  const name = basename(path);
  if (SECRET_FILES.test(name) && !HARMLESS_ENV.test(name)) return `${name} may hold secrets`;
  if (/^\/proc\/[^/]+\/(?:environ|mem)$/.test(path)) return 'it shows the secrets of a process';
  const folder = SECRET_HOME_FOLDERS.find((candidate) => isWithin(path, `${home}/${candidate}`));
  return folder === undefined ? null : `~/${folder} holds credentials`;
}
