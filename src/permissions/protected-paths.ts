import { basename, sep } from 'node:path';
import { isWithin } from '../core/footprint.ts';
import names from '../host/files/protected-names.json' with { type: 'json' };

// What governs tools, editors, shells and agents: a write here can run code later. Any depth, whatever the letter case, also what does not exist yet.
const PROTECTED_FOLDERS: ReadonlySet<string> = new Set(names.folders);
const PROTECTED_FILES: ReadonlySet<string> = new Set(names.files);
const SECRET_FILES =
  /^(?:\.env(?:\..+)?|\.netrc|\.npmrc|\.pypirc|\.pgpass|\.git-credentials|.+\.(?:pem|key|p12|pfx|keystore|jks)|credentials\.json|service[-_]?account.*\.json|id_(?:rsa|dsa|ecdsa|ed25519)(?:_\w+)?(?:\..*)?)$/i;
const HARMLESS_ENV = /^\.env\.(?:example|sample|template|dist)$/i;
const PUBLIC_KEY = /^id_\w+\.pub$/i;

/** Why a write to this real path always asks, or null. `own` are our folders for settings and state. */
export function protection(path: string, own: readonly string[] = []): string | null {
  const segments = path.toLowerCase().split(sep);
  const folder = segments.find((segment) => PROTECTED_FOLDERS.has(segment));
  if (folder !== undefined) return `${folder} governs tools that run later`;
  if (PROTECTED_FILES.has(segments.at(-1) ?? '')) return `${basename(path)} governs tools that run later`;
  const nested = names.nested.find((name) => `${path.toLowerCase()}/`.includes(`/${name}/`));
  if (nested !== undefined) return `${nested} governs tools that run later`;
  return own.some((place) => isWithin(path, place)) ? 'these are settings and sessions of this program' : null;
}

/** What a whole tree that comes to stand at this path may bring of the names that are protected only below a certain folder; or null. */
export function mayBring(path: string): string | null {
  const place = path.toLowerCase();
  return names.nested.find((name) => foldersOf(name).some((folder) => place.endsWith(`/${folder}`))) ?? null;
}

function foldersOf(name: string): readonly string[] {
  return name.split('/').flatMap((_part, i, parts) => (i === 0 ? [] : [parts.slice(0, i).join('/')]));
}

/** Why a read of this real path always asks, or null. */
export function secrecy(path: string, home: string): string | null {
  const name = basename(path);
  if (SECRET_FILES.test(name) && !HARMLESS_ENV.test(name) && !PUBLIC_KEY.test(name)) return `${name} may hold secrets`;
  if (/^\/proc\/(?:[^/]+\/)+(?:environ|mem|maps|fd|root|cwd)(?:\/|$)/.test(path)) return 'it shows the secrets of a process';
  if (names.systemSecrets.some((place) => isWithin(path, place))) return 'the system keeps secrets there';
  const folder = names.secretsOfHome.find((candidate) => isWithin(path, `${home}/${candidate}`));
  return folder === undefined ? null : `~/${folder} holds credentials`;
}
