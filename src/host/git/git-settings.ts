import { commandEnvironment } from '../process/command-environment.ts';

// What a repository can configure to run a program or to lead git elsewhere is switched off here, and by the environment below.
const SAFE = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.pager=cat',
  // A copied index that is written would write its shared part beside the real one.
  'core.splitIndex=false',
  'safe.bareRepository=explicit',
  'protocol.allow=never',
  'submodule.recurse=false',
  'status.submoduleSummary=false',
];

// What a person can configure for their own eyes would change what a model has learned to read.
const PLAIN = [
  'color.ui=false',
  'core.quotePath=false',
  'diff.autoRefreshIndex=true',
  'diff.relative=false',
  'diff.renameLimit=1000',
  'status.renameLimit=1000',
  'diff.suppressBlankEmpty=false',
];

const GLOBAL_ARGUMENTS = [...SAFE, ...PLAIN]
  .flatMap((setting) => ['-c', setting])
  .concat('--no-optional-locks', '--no-pager', '--literal-pathspecs');

// Where the person keeps their own configuration; every other GIT_* variable of the parent stays out.
const KEPT = ['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM'];

/** The environment of git: that of commands, with no way to a network or a prompt, and messages in English. */
export function gitEnvironment(parent: NodeJS.ProcessEnv): Record<string, string> {
  const kept = KEPT.flatMap((name) => (parent[name] === undefined ? [] : [[name, parent[name]] as const]));
  return {
    ...commandEnvironment(parent),
    ...Object.fromEntries(kept),
    // A partial clone fetches what it lacks, through programs that its configuration names: remote.*.uploadpack, ext:: addresses.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    LC_ALL: 'C',
  };
}

/** The arguments before git's command. The filters named are switched off: status and diff would run them on files whose times changed. */
export function globalArguments(filters: readonly string[] = []): string[] {
  const off = filters.flatMap((name) =>
    ['clean=', 'smudge=', 'process=', 'required=false'].flatMap((setting) => ['-c', `filter.${name}.${setting}`]),
  );
  return [...GLOBAL_ARGUMENTS, ...off];
}

/** The names of all filters in `git config --list -z`. */
export function configuredFilters(listing: string): string[] {
  const names = listing.split('\0').flatMap((entry) => {
    const key = entry.split('\n', 1)[0] ?? '';
    return /^filter\..+\.[^.]+$/s.test(key) ? [key.slice('filter.'.length, key.lastIndexOf('.'))] : [];
  });
  return [...new Set(names)];
}

/** True where `-c` can address a filter: it ends a key at the first "=", and takes no bytes that are not UTF-8. */
export function canSwitchOff(filter: string): boolean {
  return !/[=\ufffd]/.test(filter);
}
