import { basename, dirname } from 'node:path';
import { inspectAwk } from './awk.ts';
import { inspectBuiltin } from './builtins.ts';
import { actsBeyondPrefix, actsBeyondRules, type Finding } from './finding.ts';
import { inspectFind } from './find.ts';
import type { Place } from './folders.ts';
import { inspectGit } from './git.ts';
import { inspectInterpreter } from './interpreters.ts';
import { inspectListed } from './listed-program.ts';
import { inspectActing, isVersionQuery } from './project-tools.ts';
import { inspectSed } from './sed.ts';
import type { ShellWord } from './shell-word.ts';
import { inspectWrapper } from './wrappers.ts';

const SYSTEM_FOLDERS = ['/bin', '/usr/bin'];

/** Judges one simple command by its words. */
export function inspectProgram(words: readonly ShellWord[], place: Place): Finding {
  const name = words[0]?.value;
  if (name === undefined || name === null) return actsBeyondRules('which program runs is known only at run time');
  if (!name.includes('/')) return inspectNamed(name, words, place);
  const because = `a program named by its path is not the ${basename(name)} that a rule means`;
  if (!SYSTEM_FOLDERS.includes(dirname(name))) {
    return actsBeyondPrefix(because, { runsProjectCode: true, ...codeOf(name, words, place) });
  }
  const finding = inspectNamed(basename(name), words, place);
  const plainWords = finding.plainWords ?? [basename(name), ...words.slice(1).map(({ value }) => value)];
  return { ...finding, plainWords, beyondPrefix: finding.beyondPrefix ?? because };
}

function inspectNamed(name: string, words: readonly ShellWord[], place: Place): Finding {
  const args = words.slice(1);
  if (isVersionQuery(name, args)) return inspectActing(name, args, place);
  if (name === 'git') return inspectGit(words, place);
  if (name === 'find') return inspectFind(words, place);
  if (name === 'sed') return inspectSed(args, place);
  return (
    inspectWrapper(name, words) ??
    inspectBuiltin(name, args, place) ??
    inspectAwk(name, args, place) ??
    inspectInterpreter(name, args, place) ??
    inspectListed(name, args, place) ??
    inspectActing(name, args, place)
  );
}

/** An interpreter or wrapper named by its path, such as `.venv/bin/python`, is one all the same. */
function codeOf(path: string, words: readonly ShellWord[], place: Place): Partial<Finding> {
  const name = basename(path);
  const finding = inspectWrapper(name, words) ?? inspectInterpreter(name, words.slice(1), place);
  if (finding === null) return {};
  const { beyondRules, inner, scripts, ownWords } = finding;
  return { beyondRules, inner, scripts, ownWords };
}
