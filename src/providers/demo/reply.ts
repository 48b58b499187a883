import type { ModelRequest } from '../../core/model.ts';
import { backgroundOf } from './background.ts';
import type { Reply } from './emit.ts';
import { choosePlan } from './plans/choose-plan.ts';
import { replayPlan } from './replay.ts';
import { paragraphs, type Scene, say } from './scene.ts';
import { openToolbox, presentCall } from './toolbox.ts';
import { type Turn, turnsOf } from './transcript.ts';
import { firstTaskOf } from './understanding/first-task.ts';
import { readUtterance } from './understanding/utterance.ts';

const MOST_ROUNDS = 8;
// What "it" and "again" mean lies not further back.
const MOST_TURNS_BACK = 6;

/** What the demo model says next, by nothing but the request: the last question, and the answers that its calls got so far. */
export function replyTo(request: ModelRequest): Reply {
  const toolbox = openToolbox(request);
  const turns = turnsOf(request.messages);
  const turn = turns.at(-1) ?? NO_TURN;
  const scene: Scene = { language: readUtterance(turn.ask).language, toolbox };
  const { task, rest } = firstTaskOf(turn.ask, backgroundOf(turns.slice(-1 - MOST_TURNS_BACK, -1), toolbox));
  const standing = replayPlan(choosePlan(scene, task), turn.calls);
  if ('final' in standing)
    return final(scene, paragraphs(standing.final, rest === null ? null : say(scene, 'onlyOne', { rest })));
  if (turn.roundCount >= MOST_ROUNDS) return final(scene, say(scene, 'tooManyRounds', { n: MOST_ROUNDS }));
  return { text: standing.next.say, calls: standing.next.calls.map((call) => presentCall(toolbox, call)) };
}

const NO_TURN: Turn = { ask: '', calls: [], roundCount: 0 };

function final(scene: Scene, text: string): Reply {
  return { text: `${text}\n\n${say(scene, 'label')}`, calls: [] };
}
