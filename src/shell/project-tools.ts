import { acts, actsBeyondRules, type Finding, onlyReads } from './finding.ts';
import { type Place, pathsOf, TREE } from './folders.ts';
import programs from './programs.json' with { type: 'json' };
import { optionBeyondRule } from './rule-options.ts';
import type { ShellWord } from './shell-word.ts';
import { inspectRsync } from './rsync.ts';
import { inspectTar } from './tar.ts';
import { inspectUnzip } from './unzip.ts';

const NETWORK = new Set(programs.network);
const NETWORK_VERBS = new Map(Object.entries(programs.networkVerbs as Readonly<Record<string, readonly string[]>>));
const OPTIONAL_NETWORK = new Set(programs.optionalNetwork);
const PROJECT = new Set(programs.project);
const VERSIONS = new Set(programs.versions);
/** What changes the files it is given in other ways than making, copying or moving them. */
const CHANGES_OPERANDS = new Set([
  'rm',
  'unlink',
  'shred',
  'truncate',
  'chmod',
  'chown',
  'chgrp',
  'ln',
  'install',
  'patch',
  'gzip',
  'gunzip',
  'bzip2',
  'xz',
  'zstd',
  'split',
  'csplit',
]);
const RUNNERS = new Set(['npx', 'pnpx', 'bunx', 'uvx', 'pipx']);

const SHORT_VERSIONS = new Map([
  ['node', '-v'],
  ['python', '-V'],
  ['python3', '-V'],
  ['java', '-version'],
]);

/** Asking a known program for its version loads nothing of the project. Not so with those that read its files first, as yarn does. */
export function isVersionQuery(program: string, args: readonly ShellWord[]): boolean {
  const option = args.length === 1 ? args[0]?.value : undefined;
  if (option === null || option === undefined) return false;
  return (option === '--version' && VERSIONS.has(program)) || SHORT_VERSIONS.get(program) === option;
}

/** Judges what is known of programs that always act: whether they connect, run the project, or change the files they are given. */
export function inspectActing(program: string, args: readonly ShellWord[], place: Place): Finding {
  if (isVersionQuery(program, args)) return onlyReads(`${program} tells its version`);
  const verbs = args.filter(({ value }) => value !== null && !value.startsWith('-')).map(({ value }) => value ?? '');
  const needsNetwork = connects(program, verbs[0], args.length);
  const runsProjectCode = PROJECT.has(program) || program.includes('/');
  const details = { needsNetwork, runsProjectCode };
  if (RUNNERS.has(program)) return actsBeyondRules(`${program} fetches and runs any package`, details);
  if (runsPackage(program, verbs[0])) return actsBeyondRules(`${program} ${verbs[0] ?? ''} runs any program`, details);
  if (program === 'tar') return inspectTar(args, place);
  if (program === 'rsync') return inspectRsync(args, place);
  if (program === 'unzip') return inspectUnzip(args, place);
  if (CHANGES_OPERANDS.has(program)) {
    const operands = args.filter(({ value }) => value === null || !value.startsWith('-'));
    return acts(`${program} changes files`, {
      writes: operands.flatMap((word) => pathsOf(word, place, TREE)),
      mayMakeLinks: program === 'ln',
      ...hazardOf(program, args),
    });
  }
  if (needsNetwork) return acts(`${program} uses the network`, { ...details, ...hazardOf(program, args) });
  if (runsProjectCode) return acts(`${program} runs what the project says`, { ...details, ...hazardOf(program, args) });
  return acts(`${program} is not known to only read`, hazardOf(program, args));
}

function runsPackage(program: string, verb: string | undefined): boolean {
  return (
    ['exec', 'x', 'dlx'].includes(verb ?? '') &&
    ['npm', 'pnpm', 'yarn', 'bun', 'bundle', 'mise', 'poetry', 'pipenv'].includes(program)
  );
}

function connects(program: string, verb: string | undefined, count: number): boolean {
  if (NETWORK.has(program)) return true;
  if (program === 'yarn' && count === 0) return true;
  if (verb === undefined) return false;
  return NETWORK_VERBS.get(program)?.includes(verb) === true && !OPTIONAL_NETWORK.has(`${program} ${verb}`);
}

/** For programs whose harmless options are too many to list. */
const HAZARDS: Readonly<Record<string, RegExp>> = {
  ssh: /^-[a-zA-Z]*[oFEISLRDWwJO]/,
  scp: /^-[a-zA-Z]*[oSFDJ]/,
  npm: /^(?:--script-shell|--prefix|-C|-w|--workspace(?:=|$)|-c$)/,
  pnpm: /^(?:--script-shell|--prefix|-C|--dir|--shell-mode|--config|-c$)/,
  yarn: /^(?:--cwd|--use-yarnrc|--modules-folder)/,
  docker:
    /^(?:-[a-zA-Z]*[vHfo]|--(?:volume|mount|privileged|host|config|file|pid|network|cap-add|device|security-opt|env-file|project-directory|context|build-context|output|ssh|secret|ipc|userns))/,
};

function hazardOf(program: string, args: readonly ShellWord[]): { readonly beyondPrefix: string | null } {
  const odd = optionBeyondRule(program, args);
  if (odd !== null) return { beyondPrefix: odd };
  const pattern = HAZARDS[program];
  const hazard = pattern === undefined ? undefined : args.find(({ start }) => pattern.test(start));
  if (hazard !== undefined) return { beyondPrefix: `${program} ${hazard.text} writes, executes or connects elsewhere` };
  const unknown = args.find(
    ({ kind, start }) => kind === 'split' || (kind !== 'known' && kind !== 'pipe' && (start === '' || start.startsWith('-'))),
  );
  return { beyondPrefix: unknown === undefined ? null : `${unknown.text} is known only at run time and may be an option` };
}
