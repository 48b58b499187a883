import { basename } from 'node:path';
import { isInterpreter } from './interpreters.ts';
import programs from './programs.json' with { type: 'json' };
import { isWrapper } from './wrappers.ts';

const RUNNERS = new Set(['npx', 'pnpx', 'bunx', 'uvx', 'pipx', 'eval', 'source', '.', 'exec', 'ssh']);
const RUNNING_VERBS: Readonly<Record<string, readonly string[]>> = {
  npm: ['exec', 'x'],
  pnpm: ['exec', 'dlx'],
  yarn: ['exec', 'dlx'],
  bun: ['x', 'exec'],
  bundle: ['exec'],
  uv: ['run', 'tool'],
  poetry: ['run'],
  pipenv: ['run'],
  mise: ['exec', 'x'],
  docker: ['run', 'exec'],
  'docker-compose': ['run', 'exec'],
  podman: ['run', 'exec'],
  kubectl: ['exec'],
  cargo: ['run'],
  go: ['run'],
};
/** Those of which no verb that runs anything asks on its own, so that a rule for all verbs is one for any program. */
const WIDE_ALONE = new Set(['uv', 'poetry', 'pipenv', 'mise', 'docker', 'podman', 'kubectl', 'cargo', 'go', 'docker-compose']);
const CODE_OPTIONS = new Set(Object.values(programs.codeOptions as Readonly<Record<string, readonly string[]>>).flat());

/** Why a rule for all commands that begin with these words would let anything run; null where it would not. */
export function isTooWide(words: readonly string[]): string | null {
  const [first, ...rest] = words;
  if (first === undefined || first === '' || first === '*') return 'it names no program';
  const name = basename(first);
  if (/^\w+\+?=/.test(first)) return 'it begins with a variable, which may change what any program does';
  if (isWrapper(name)) return `${name} runs any program`;
  if (RUNNERS.has(name)) return `${name} runs any program or code`;
  if (isInterpreter(name)) return interpreterWidth(name, rest);
  if (name === 'find' && rest.some((word) => /^-(?:exec|ok)/.test(word))) return 'find -exec runs any program';
  return runnerWidth(name, rest);
}

/** A prefix that names the script is no wider than the script. */
function interpreterWidth(name: string, rest: readonly string[]): string | null {
  const at = rest.findIndex((word) => !word.startsWith('-'));
  if (rest.some((word) => CODE_OPTIONS.has(word) && word !== '-m')) return `${name} runs any code`;
  if (rest.some((word) => word === '--test')) return null;
  return at < 0 || rest[at] === '' ? `${name} runs any code` : null;
}

/** `npm exec` alone is too wide, and names a package where more follows. */
function runnerWidth(name: string, rest: readonly string[]): string | null {
  const [verb, ...more] = rest;
  // An option in front of the verb leaves the verb open.
  if (WIDE_ALONE.has(name) && (verb === undefined || verb.startsWith('-'))) return `${name} runs any program`;
  if (verb === undefined) return null;
  if (verb === 'compose' && (name === 'docker' || name === 'podman')) return runnerWidth('docker-compose', more);
  return more.length === 0 && RUNNING_VERBS[name]?.includes(verb) === true ? `${name} ${verb} runs any program` : null;
}
