import type { ShellPart } from '../shell/report.ts';

// Where bytes go nowhere, come from nowhere, or are the command's own.
const DEVICES = /^\/dev\/(?:null|zero|full|random|urandom|stdin|stdout|stderr|fd\/[0-2])$/;

/** True for a path that is no file of anybody. */
export function isDevice(path: string | null): boolean {
  return path !== null && DEVICES.test(path);
}

/** True where a part does no more than read; what goes to /dev/null is not written. */
export function isReading({ effect, beyondRules, writes }: ShellPart): boolean {
  if (beyondRules !== null || !writes.every(({ path }) => isDevice(path))) return false;
  return effect === 'reads' || (effect === 'files' && writes.length > 0);
}

/** True for nothing but known files that are written: these decide then, as those of a tool that edits do. */
export function isRedirection({ words, effect, writes, beyondRules }: ShellPart): boolean {
  const isKnown = writes.length > 0 && writes.every(({ path }) => path !== null);
  return words.length === 0 && effect === 'files' && beyondRules === null && isKnown;
}

const SEARCHES: ReadonlySet<string> = new Set(['grep', 'egrep', 'fgrep', 'rg', 'ag', 'ack', 'rgrep']);

/** True for a search through files, for which there is a tool of ours. */
export function isSearch({ words, plainWords = words }: ShellPart): boolean {
  const [name, verb] = plainWords;
  return SEARCHES.has(name ?? '') || (name === 'git' && verb === 'grep');
}

const FOLLOWING: Readonly<Record<string, RegExp>> = {
  grep: /^-[A-Za-z]*R|^--deref/,
  egrep: /^-[A-Za-z]*R|^--deref/,
  fgrep: /^-[A-Za-z]*R|^--deref/,
  rg: /^-[A-Za-z]*L|^--fol/,
  find: /^-L$|^-follow$/,
  fd: /^-[A-Za-z]*L|^--fol/,
  tree: /^-[A-Za-z]*l/,
  ls: /^-[A-Za-z]*L|^--deref/,
  du: /^-[A-Za-z]*L|^--deref/,
};

/** True where a program goes through folders by the links in them too. `diff -r` always does. */
export function followsLinks({ words: [name, ...rest] }: ShellPart): boolean {
  const option = name === undefined || name === null ? undefined : FOLLOWING[name];
  return name === 'diff' || (option !== undefined && rest.some((word) => word === null || option.test(word)));
}

// Their second word says what they do.
const HAVE_SUBCOMMANDS: ReadonlySet<string> = new Set(
  'apt brew bun bundle cargo composer deno docker dotnet gh git go gradle kubectl make mvn npm pip pnpm podman poetry systemctl terraform uv yarn'.split(
    ' ',
  ),
);

/** True for the name of a program whose second word is what it does, and no program or file. */
export function hasSubcommands(name: string): boolean {
  return HAVE_SUBCOMMANDS.has(name);
}
