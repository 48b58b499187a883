import { acts, actsBeyondPrefix, type Finding } from './finding.ts';
import { FILE, type Place, pathsAt, pathsOf, TREE } from './folders.ts';
import { optionBeyondRule, readRuleOptions } from './rule-options.ts';
import { knownWord, type ShellWord } from './shell-word.ts';

/** Judges `tar`: it acts, but what goes into an archive and what comes out of it are files like others. */
export function inspectTar(words: readonly ShellWord[], place: Place): Finding {
  const args = withDash(words);
  const { refusal, operands, given } = readRuleOptions('tar', args);
  if (refusal !== null) {
    const anywhere = [{ path: null, ...TREE }];
    return actsBeyondPrefix(refusal, { reads: anywhere, writes: anywhere, mayMakeLinks: true });
  }
  const isGiven = (...names: readonly string[]): boolean => given.some(({ name }) => names.includes(name));
  const named = (...names: readonly string[]): readonly ShellWord[] =>
    given.flatMap(({ name, value }) => (value !== null && names.includes(name) ? [value] : []));
  const archives = named('f', 'file')
    .filter(({ value }) => value !== '-')
    .flatMap((word) => pathsOf(word, place, FILE));
  const folders = named('C', 'directory').flatMap((word) => pathsOf(word, place, TREE));
  const beyondPrefix = optionBeyondRule('tar', args);
  if (isGiven('t', 'list')) return acts('tar lists an archive', { reads: archives, beyondPrefix });
  if (isGiven('x', 'extract')) {
    const writes = [...pathsAt('.', place, TREE), ...folders];
    return acts('tar unpacks files', { reads: archives, writes, mayMakeLinks: true, beyondPrefix });
  }
  const packed = [...folders, ...operands.flatMap((word) => pathsOf(word, place, TREE))];
  return acts('tar packs files', { reads: packed, writes: archives, beyondPrefix });
}

/** `tar czf x` is `tar -czf x` where the one letter with a value is the last. Other first words are letters too, some of which execute. */
function withDash([first, ...rest]: readonly ShellWord[]): readonly ShellWord[] {
  if (first === undefined) return [];
  if (first.start.startsWith('-')) return [first, ...rest];
  const letters = /^[cxtzjJvpkahru]+f?$/.exec(first.value ?? '')?.[0];
  return [knownWord(`-${letters ?? '?'}`), ...rest];
}
