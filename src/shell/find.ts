import { actsBeyondPrefix, type Finding, onlyReads } from './finding.ts';
import { NAMES_BELOW, type Place, pathsAt, pathsOf } from './folders.ts';
import { isSurelyOperand, type ShellWord, unknownWord, unknownWords, wordBelow } from './shell-word.ts';

const LONE = new Set(
  '! ( ) , -a -and -o -or -not -daystart -depth -d -follow -mount -xdev -x -noleaf -ignore_readdir_race -warn -nowarn -empty -executable -readable -writable -false -true -nouser -nogroup -print -print0 -prune -quit -ls -H -L -P -E -X'.split(
    ' ',
  ),
);
const WITH_VALUE = new Set(
  '-maxdepth -mindepth -regextype -amin -anewer -atime -cmin -cnewer -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename -links -lname -mmin -mtime -name -newer -path -perm -regex -samefile -size -type -uid -used -user -wholename -xtype -printf -newermt -newerat -newerct -mnewer'.split(
    ' ',
  ),
);
const RUNS = new Set(['-exec', '-execdir', '-ok', '-okdir']);

/** Judges `find`: what its tests look at is names, what `-exec` runs is a command of its own. */
export function inspectFind(words: readonly ShellWord[], place: Place): Finding {
  const args = words.slice(1);
  const firstTest = args.findIndex((word) => word.value === null || /^[-(!,]/.test(word.value));
  const starts = args.slice(0, firstTest < 0 ? undefined : firstTest);
  let at = starts.length;
  // -H, -L and -P stand before the folders.
  while (/^-[HLPEX]$/.test(args[at]?.value ?? '')) {
    at += 1;
    while (at < args.length && isSurelyOperand(args[at] as ShellWord) && !/^[(!,]/.test(args[at]?.value ?? ''))
      starts.push(args[at++] as ShellWord);
  }
  while (at < args.length && isSurelyOperand(args[at] as ShellWord) && args[at]?.value === null)
    starts.push(args[at++] as ShellWord);
  const reads =
    starts.length === 0 ? pathsAt('.', place, NAMES_BELOW) : starts.flatMap((start) => pathsOf(start, place, NAMES_BELOW));
  const inner: ShellWord[][] = [];
  const refusal = readTests(args, at, starts, inner);
  // These run in the folder of what was found.
  const isInnerElsewhere = args.some(({ value }) => value === '-execdir' || value === '-okdir');
  if (refusal !== null) return actsBeyondPrefix(refusal, { reads, inner, isInnerElsewhere });
  return onlyReads('find lists names', reads, {
    inner,
    isInnerElsewhere,
    beyondPrefix: inner.length > 0 ? 'find -exec runs a program' : null,
  });
}

function readTests(args: readonly ShellWord[], from: number, starts: readonly ShellWord[], inner: ShellWord[][]): string | null {
  for (let at = from; at < args.length; at += 1) {
    const test = args[at]?.value;
    if (test === null || test === undefined) return 'an argument of find is known only at run time';
    if (LONE.has(test)) continue;
    if (WITH_VALUE.has(test)) {
      at += 1;
      if (args[at] === undefined || args[at]?.kind === 'split') return `the value of find ${test} is known only at run time`;
      if (args[at]?.kind === 'pattern') return `the value of find ${test} is a pattern that the shell expands`;
    } else if (RUNS.has(test)) {
      const end = endOfCommand(args, at + 1);
      if (end < 0) return `find ${test} has no end`;
      inner.push(innerCommand(args.slice(at + 1, end), starts));
      at = end;
    } else return `find ${test} is not known to only read`;
  }
  return null;
}

function endOfCommand(args: readonly ShellWord[], from: number): number {
  return args.findIndex(({ value }, at) => at >= from && (value === ';' || (value === '+' && args[at - 1]?.value === '{}')));
}

/** `{}` is a path below a folder where the search starts. */
function innerCommand(words: readonly ShellWord[], starts: readonly ShellWord[]): ShellWord[] {
  const folders = starts.length === 0 ? ['.'] : starts.map(({ value }) => value ?? '');
  const areKnown = folders.every((folder) => folder !== '' && !folder.startsWith('-'));
  return words.map((word) => {
    if (word.value === null) return unknownWords(word.text);
    if (word.value === '{}') return areKnown ? wordBelow('{}', folders) : unknownWord('{}', '');
    return word.value.includes('{}') ? unknownWord(word.text, word.value.split('{}', 1)[0] ?? '') : word;
  });
}
