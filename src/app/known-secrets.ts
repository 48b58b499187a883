import { VENDORS } from '../providers/vendors.ts';
import { type OwnProvider, ownProviders } from './own-providers.ts';
import { readSettings } from './settings.ts';
import type { UserFolders } from './user-folders.ts';

const MIN_SECRET_CHARS = 8;
const SECRET_VARIABLE = /(?:_KEY|_TOKEN|_SECRET|PASSWORD|_CREDENTIALS)$/i;

/** What must not stand in anything that is passed on, the person's own providers included. Errors: AgentError `config_unreadable`. */
export async function knownSecrets(
  cwd: string,
  folders: UserFolders,
  environment: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  // Providers stand in the person's own settings alone.
  return secretsIn(environment, ownProviders(await readSettings(cwd, folders, false)));
}

/** The keys of all vendors and of the person's own providers, and whatever else is named like a secret; the longest first. */
export function secretsIn(environment: NodeJS.ProcessEnv, own: ReadonlyMap<string, OwnProvider>): readonly string[] {
  const named = new Set([
    ...VENDORS.flatMap(({ keyVariables }) => keyVariables),
    ...[...own.values()].flatMap(({ apiKeyEnv }) => (apiKeyEnv === null ? [] : [apiKeyEnv])),
    ...Object.keys(environment).filter((name) => SECRET_VARIABLE.test(name)),
  ]);
  // Shorter ones are words.
  const values = [...named].map((name) => environment[name]?.trim() ?? '');
  return [...new Set(values.filter((value) => value.length >= MIN_SECRET_CHARS))].toSorted((a, b) => b.length - a.length);
}
