import { parseFileView } from './reading/file-view.ts';
import { LINES_SHOWN } from './plans/read.ts';
import { shortPath, type Toolbox } from './toolbox.ts';
import type { AnsweredCall, Turn } from './transcript.ts';
import { looksLikeFolder } from './understanding/path-words.ts';
import type { Background } from './understanding/task.ts';
import { firstTaskOf } from './understanding/first-task.ts';
import { NO_BACKGROUND } from './understanding/understand.ts';

/** What the turns before a request tell about what "it", "again" and "and in b.ts?" mean. */
export function backgroundOf(turns: readonly Turn[], toolbox: Toolbox): Background {
  return turns.reduce<Background>((before, turn) => afterTurn(before, turn, toolbox), NO_BACKGROUND);
}

function afterTurn(before: Background, turn: Turn, toolbox: Toolbox): Background {
  const { task } = firstTaskOf(turn.ask, before);
  const file = turn.calls.findLast(isAboutFile);
  const command = turn.calls.findLast((call) => call.tool === 'Bash')?.input['command'];
  return {
    lastFile: file === undefined ? before.lastFile : shortPath(toolbox, String(file.input['path'])),
    nextLine: file === undefined ? before.nextLine : nextLineOf(file),
    lastCommand: typeof command === 'string' ? command : before.lastCommand,
    lastTask: task.intent === 'talk' ? before.lastTask : task,
  };
}

function isAboutFile(call: AnsweredCall): boolean {
  const path = call.input['path'];
  const isFileTool = call.tool === 'ReadFile' || call.tool === 'WriteFile' || call.tool === 'EditFile';
  return typeof path === 'string' && !call.isError && (isFileTool || (call.tool === 'Grep' && !looksLikeFolder(path)));
}

// An answer shows at most this many lines of what was read; "continue" goes on behind them.
function nextLineOf(call: AnsweredCall): number | null {
  if (call.tool !== 'ReadFile') return null;
  const view = parseFileView(call.text);
  const next = view.firstLine + Math.min(view.lines.length, LINES_SHOWN);
  return next > view.total ? null : next;
}
