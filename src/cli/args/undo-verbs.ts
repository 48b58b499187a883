import { type Command, Option } from 'commander';
import type { RewindFlags } from '../rewind.ts';
import type { DiffFlags, RedoFlags, UndoFlags } from '../undo.ts';
import { positiveInteger, wholeNumber } from './values.ts';
import type { VerbGroup } from './verbs.ts';

const UNDO: VerbGroup = {
  name: 'undo',
  summary: 'take back what the last turn did to files; what changed since stays',
  fill: (undo, verbs, finish) =>
    void withUndoOptions(undo)
      .option('--to <turn>', 'take back all turns after this one', wholeNumber)
      .option('--dry-run', 'show what would be done')
      .option('--json', 'as JSON')
      .action((flags: UndoFlags) => finish(verbs.undo(flags))),
};

const REDO: VerbGroup = {
  name: 'redo',
  summary: 'do again what the last undo took back',
  fill: (redo, verbs, finish) =>
    void redo
      .option('--session <id>', 'a session of this folder (default: the last that changed something)')
      .option('--dry-run', 'show what would be done')
      .option('--json', 'as JSON')
      .action((flags: RedoFlags) => finish(verbs.redo(flags))),
};

const REWIND: VerbGroup = {
  name: 'rewind',
  summary: 'take a session back to where a turn had ended: its conversation, its files, or both',
  fill: (rewind, verbs, finish) =>
    void rewind
      .requiredOption('--to-turn <n>', 'the last turn that stays; 0 is the beginning', wholeNumber)
      .option('--session <id>', 'a session of this folder, by id or name (default: the newest)')
      .addOption(new Option('--files', 'the files alone').conflicts(['conversation', 'both']))
      .addOption(new Option('--conversation', 'the conversation alone').conflicts('both'))
      .option('--both', 'both; so it is unless said otherwise')
      .option('--dry-run', 'show what would be done')
      .option('--json', 'as JSON')
      .action((flags: RewindFlags) => finish(verbs.rewind(flags))),
};

const DIFF: VerbGroup = {
  name: 'diff',
  summary: 'what the last turn changed in files',
  fill: (diff, verbs, finish) => void withUndoOptions(diff).action((flags: DiffFlags) => finish(verbs.diff(flags))),
};

export const UNDO_VERBS: readonly VerbGroup[] = [UNDO, REDO, REWIND, DIFF];

function withUndoOptions(command: Command): Command {
  return command
    .option('--session <id>', 'a session of this folder (default: the last that changed something)')
    .addOption(new Option('--call <id>', 'one call').conflicts(['turn', 'to']))
    .addOption(new Option('--turn <n>', 'one turn: a prompt of the session, from 1').argParser(positiveInteger).conflicts('to'));
}
