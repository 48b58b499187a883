import keys from '../../host/git/executable-git-keys.json' with { type: 'json' };
import type { ConfigSetting } from '../../host/git/config-keys.ts';
import type { InnerRepository, RepositoryLook } from './repository-looks.ts';
import { trustRoot } from '../trust/trust.ts';

const EXECUTABLE = new RegExp(`^(?:${keys.always.join('|')})$`, 'is');
const FOR_CHANGES = new RegExp(`^(?:${keys.whenItChanges.join('|')})$`, 'is');

/**
 * Why git must not run unasked in a repository, or null: it is not the workspace's own, or its own configuration names programs.
 * What the person configured for all of their repositories is theirs. `runsNoHooks` where the command runs none, or a person allowed them.
 */
export function gitDanger(
  look: RepositoryLook,
  { roots, runsNoHooks }: { readonly roots: readonly string[]; readonly runsNoHooks: boolean },
): string | null {
  if ('refusal' in look) {
    // Without a repository nothing is configured but by the person.
    return look.refusal === 'no_repository' ? null : `the repository there cannot be looked at (${look.refusal})`;
  }
  if (!roots.map(trustRoot).includes(look.root)) return `it works in ${look.root}, which is not the repository of the workspace`;
  if (look.settings === null) return 'the configuration of the repository cannot be read';
  const dangerous = look.settings.find((setting) => isDangerous(setting, runsNoHooks));
  if (dangerous !== undefined) return `the configuration of the repository can run a program: ${dangerous.key}`;
  return look.inner.map((one) => innerDanger(one, runsNoHooks)).find((danger) => danger !== null) ?? null;
}

/** git asks each repository that stands in this one for its changes, and what that one configures runs. */
function innerDanger({ folder, settings }: InnerRepository, runsNoHooks: boolean): string | null {
  if (settings === null) return `the repository in ${folder}, which git looks into, cannot be looked at`;
  // That of a submodule always has its work tree named; that it is this folder was looked at.
  const dangerous = settings.find((setting) => !/^core\.worktree$/i.test(setting.key) && isDangerous(setting, runsNoHooks));
  return dangerous === undefined
    ? null
    : `the configuration of the repository in ${folder}, which git looks into, can run a program: ${dangerous.key}`;
}

function isDangerous({ key, value }: ConfigSetting, runsNoHooks: boolean): boolean {
  // These two switch git's own watcher on and off.
  if (/^core\.fsmonitor$/i.test(key) && /^(?:true|false)?$/i.test(value)) return false;
  if (/^submodule\..+\.update$/is.test(key)) return value.startsWith('!');
  if (/^remote\..+\.url$/is.test(key)) return value.startsWith('ext::');
  return EXECUTABLE.test(key) || (!runsNoHooks && FOR_CHANGES.test(key));
}
