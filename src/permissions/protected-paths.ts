import { basename, sep } from 'node:path';
import { isWithin } from '../core/footprint.ts';
import names from '../host/files/protected-names.json' with { type: 'json' };

// What governs tools, editors, shells and agents: a write here can run code later. Any depth, whatever the letter case, also what does not exist yet.
const PROTECTED_FOLDERS: ReadonlySet<string> = new Set(names.folders);
const PROTECTED_FILES: ReadonlySet<string> = new Set(names.files);
const SECRET_FILES: ReadonlySet<string> = new Set(names.secretFiles);
const SECRET_ENDINGS: ReadonlySet<string> = new Set(names.secretEndings);
const SECRETS_LIKE =
  /^(?:\.env(?:\..+)?|service[-_]?account.*\.json|client_secret.*\.json|.*-firebase-adminsdk-.*\.json|id_(?:rsa|dsa|ecdsa|ed25519)(?:_\w+)?(?:\..*)?)$/i;
// Beside those by name: each kind has many.
const SYSTEM_SECRETS_LIKE = /^\/etc\/(?:ppp\/[^/]*-secrets|postfix\/sasl_passwd[^/]*|ssh\/ssh_host_[^/]*_key)$/;
const SECRETS_OF_HOME = names.secretsOfHome.map((name) => name.toLowerCase());
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
  if (isSecretName(name)) return `${name} may hold secrets`;
  if (/^\/proc\/(?:[^/]+\/)+(?:environ|mem|maps|fd|root|cwd)(?:\/|$)/.test(path)) return 'it shows the secrets of a process';
  if (isSystemSecret(path)) return 'the system keeps secrets there';
  const folder = secretOfHome(path.toLowerCase(), home.toLowerCase());
  return folder === undefined ? null : `~/${folder} holds credentials`;
}

function isSystemSecret(path: string): boolean {
  if (!/^\/(?:etc|var)\//.test(path)) return false;
  return names.systemSecrets.some((place) => isWithin(path, place)) || SYSTEM_SECRETS_LIKE.test(path);
}

function secretOfHome(path: string, home: string): string | undefined {
  if (!isWithin(path, home)) return undefined;
  return SECRETS_OF_HOME.find((candidate) => isWithin(path, `${home}/${candidate}`));
}

/** By the whole of a name, by what it ends with, or by what it is like. */
function isSecretName(name: string): boolean {
  const [ending = '', before = ''] = name.toLowerCase().split('.').toReversed();
  const isEnding = name.includes('.') && (SECRET_ENDINGS.has(ending) || SECRET_ENDINGS.has(`${before}.${ending}`));
  const isSecret = isEnding || SECRET_FILES.has(name.toLowerCase()) || SECRETS_LIKE.test(name);
  return isSecret && !HARMLESS_ENV.test(name) && !PUBLIC_KEY.test(name);
}
