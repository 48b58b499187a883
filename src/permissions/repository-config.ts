import keys from './executable-git-keys.json' with { type: 'json' };
import type { RepositoryLook, RepositorySetting } from './repository-looks.ts';
import { trustRoot } from './trust.ts';

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
  return dangerous === undefined ? null : `the configuration of the repository can run a program: ${dangerous.key}`;
}

function isDangerous({ key, value }: RepositorySetting, runsNoHooks: boolean): boolean {
  // These two switch git's own watcher on and off.
  if (/^core\.fsmonitor$/i.test(key) && /^(?:true|false)?$/i.test(value)) return false;
  if (/^submodule\..+\.update$/is.test(key)) return value.startsWith('!');
  if (/^remote\..+\.url$/is.test(key)) return value.startsWith('ext::');
  return EXECUTABLE.test(key) || (!runsNoHooks && FOR_CHANGES.test(key));
}
