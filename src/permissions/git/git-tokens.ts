import { readFile, stat } from 'node:fs/promises';
import { type ConfigSetting, configSettings } from '../../host/git/config-keys.ts';

const MAX_BYTES = 1024 * 1024;
const USER_IN_URL = /\b[a-z][a-z0-9+.-]*:\/\/([^/@\s]+)@/i;
// A name alone is no secret, but some servers take a token in its place, and no name is so long.
const MIN_TOKEN_CHARS = 20;
const CONFIG_FILE = /\/\.git\/(?:(?:modules|worktrees)\/.+\/)?config(?:\.worktree)?$/;

/** True where settings of git hold what logs in to a server: a password in an address, or a header that is sent along. */
export function holdToken(settings: readonly ConfigSetting[]): boolean {
  return settings.some(({ key, value }) => {
    if (/^http\..*extraheader$/is.test(key) || key.toLowerCase() === 'http.extraheader') return value.trim() !== '';
    // `url.<base>.insteadOf` has an address in its name.
    return hasPassword(value) || hasPassword(key);
  });
}

/** Why the content of a configuration of git is secret, or null; it is for what it holds, and not for its name, unless it is not of this machine. */
export async function configSecret(path: string, isHere = true): Promise<string | null> {
  if (!CONFIG_FILE.test(path)) return null;
  if (!isHere) return `${path} may hold a token`;
  try {
    const stats = await stat(path);
    if (!stats.isFile()) return null;
    if (stats.size > MAX_BYTES) return `${path} is too large to be looked through for tokens`;
    return holdToken(configSettings(await readFile(path, 'utf8'))) ? `${path} holds a token` : null;
  } catch {
    return null;
  }
}

function hasPassword(text: string): boolean {
  const user = USER_IN_URL.exec(text)?.[1] ?? '';
  return user.includes(':') || user.length >= MIN_TOKEN_CHARS;
}
