import { commandIn } from './command-words.ts';
import { hasCue } from './cues.ts';
import { fileCommandIn, testFileIn } from './file-commands.ts';
import programs from './programs.json' with { type: 'json' };
import type { Guess } from './task.ts';
import type { Utterance } from './utterance.ts';

/** Understands "run the tests", "do the tests pass?" and their like. */
export function recogniseTest(utterance: Utterance): Guess | null {
  const { lower } = utterance;
  if (hasCue(lower, 'howTo') || hasCue(lower, 'count') || hasCue(lower, 'notRunning')) return null;
  const names = hasCue(lower, 'test') || testFileIn(utterance) !== null;
  const isOrder = hasCue(lower, 'testOrder') || (names && hasCue(lower, 'runVerb'));
  const asksOutcome = hasCue(lower, 'test') && hasCue(lower, 'testOutcome') && hasCue(lower, 'checks');
  return isOrder || asksOutcome ? { score: 80, task: { intent: 'test', path: testFileIn(utterance) } } : null;
}

/** Understands commands: quoted or plain ("run `npm run lint`", "执行 ls -la"), files to run, and work on files that only a command can do. */
export function recogniseRun(utterance: Utterance): Guess | null {
  const command = commandIn(utterance) ?? fileCommandIn(utterance);
  return command === null ? null : { score: 82, task: { intent: 'run', command } };
}

/** Understands the names of package scripts: "build the project", "run lint", 跑一下类型检查. */
export function recogniseScript(utterance: Utterance): Guess | null {
  const { lower } = utterance;
  const isQuestion = /\b(?:what|which|where|find|show|list|search)\b|什么|哪/.test(lower);
  if (utterance.paths.length > 0 || isQuestion) return null;
  const named = NAMED.map((form) => form.exec(lower)?.[1]).find((name) => name !== undefined);
  if (named !== undefined) return { score: 83, task: { intent: 'script', names: [named] } };
  const isOrder = hasCue(lower, 'runVerb') || hasCue(lower, 'scriptOrder');
  const known = programs.scripts.find((script) => new RegExp(script.cue, 'i').test(lower));
  if (known === undefined || !isOrder || hasCue(lower, 'howTo')) return null;
  return { score: 76, task: { intent: 'script', names: known.names } };
}

const NAMED = [
  /^(?:run|execute)\s+(?:the\s+)?(?:npm\s+)?["'`]?([\w:-]+)["'`]?\s+(?:script|task)\b/,
  /^(?:运行|执行|跑)(?:一下|下)?\s*([\w:-]+)\s*(?:脚本|任务)/,
];
