import { acts, type Finding } from './finding.ts';
import { type Place, pathsAt, pathsOf, TREE } from './folders.ts';
import { readOptions } from './read-options.ts';
import type { ShellWord } from './shell-word.ts';

const OPTIONS = { flags: 'abcfjlnopqtuvzCDKLMVWX:^$', values: 'dx', isTolerant: true };
const LISTING: ReadonlySet<string> = new Set(['l', 't', 'v', 'z', 'p', 'c']);

/** Judges `unzip`: it acts, and what comes out of an archive is written like any other file. */
export function inspectUnzip(args: readonly ShellWord[], place: Place): Finding {
  const { refusal, given } = readOptions('unzip', args, OPTIONS);
  const details = { mayMakeLinks: true };
  if (refusal !== null) return acts('unzip unpacks files', { ...details, writes: [{ path: null, ...TREE }] });
  if (given.some(({ name }) => LISTING.has(name))) return acts('unzip is not known to only read');
  const folder = given.find(({ name }) => name === 'd')?.value ?? null;
  return acts('unzip unpacks files', {
    ...details,
    writes: folder === null ? pathsAt('.', place, TREE) : pathsOf(folder, place, TREE),
  });
}
