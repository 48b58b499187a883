import { type ChatReply, type ChatServer, type ChatWireRequest, startChatServer } from '../loopback/chat-server.ts';
import { seededRandom } from '../../src/evaluation/random.ts';
import type { EvaluationTask, ExpectedCall } from '../../src/evaluation/task.ts';

/** How skilled a model is, from 0 to 1. */
export interface Skill {
  /** How often it picks the right tool; else it answers in words. */
  readonly rightTool: number;
  /** How often it takes one tool for the other, of the tasks that are for either. */
  readonly confusion?: { readonly tools: readonly [string, string]; readonly rate: number };
  readonly seed: number;
}

/** A server on loopback with this skill. It knows each task by its prompt, and what it does with one is settled by the seed. */
export async function startSkilledServer(
  tasks: readonly EvaluationTask[],
  skillFor: (request: ChatWireRequest) => Skill,
): Promise<ChatServer> {
  const reply = (request: ChatWireRequest): ChatReply => {
    const prompt = textOf(request.body.messages.at(-1)?.content);
    const task = tasks.find((one) => one.prompt === prompt);
    if (task === undefined) return { status: 400, error: { message: 'an unknown task' } };
    return replyTo(task, tasks.indexOf(task), skillFor(request));
  };
  return startChatServer(Array.from({ length: 2000 }, () => reply));
}

/** What a model of this skill chooses: a tool, or null for words. */
export function choiceOf(task: EvaluationTask, place: number, skill: Skill): string | null {
  const random = seededRandom(skill.seed * 1000 + place);
  const [own] = task.expect;
  const [pick, mixUp] = [random(), random()];
  const { confusion } = skill;
  const isMixable = own !== undefined && confusion?.tools.includes(own.tool) === true;
  if (isMixable && mixUp < confusion.rate) return confusion.tools.find((tool) => tool !== own.tool) ?? null;
  if (pick >= skill.rightTool) return own === undefined ? 'Bash' : null;
  return own?.tool ?? null;
}

function replyTo(task: EvaluationTask, place: number, skill: Skill): ChatReply {
  const tool = choiceOf(task, place, skill);
  if (tool === null) return { text: 'I would rather talk about it.' };
  const own = task.expect.find((call) => call.tool === tool);
  return { calls: [{ name: tool, input: own === undefined ? { pattern: 'x', command: 'x' } : inputOf(own) }] };
}

/** Arguments that are as expected, where that is plain to see. */
function inputOf({ arguments: expected }: ExpectedCall): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(expected).map(([key, wanted]) => {
      if (typeof wanted !== 'object' || wanted === null) return [key, wanted];
      if ('contains' in wanted) return [key, wanted.contains];
      return 'oneOf' in wanted && Array.isArray(wanted.oneOf) ? [key, wanted.oneOf[0]] : [key, 'x'];
    }),
  );
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map((part: { text?: string }) => part.text ?? '').join('') : '';
}
