import { isJsonObject, type JsonObject } from '../../core/json-value.ts';
import {
  type Message,
  type ToolResultBlock,
  type ToolUseBlock,
  textOf,
  toolUsesOf,
  type UserMessage,
} from '../../core/message.ts';
import { canonicalKeys, type ToolName, toolNameOf } from './toolbox.ts';

/** A call that was answered. `input` has the keys of the PascalCase presentation. */
export interface AnsweredCall {
  readonly tool: ToolName;
  readonly input: JsonObject;
  readonly text: string;
  readonly isError: boolean;
}

/** What a user asked, and the calls made for it so far, in call order. */
export interface Turn {
  readonly ask: string;
  readonly calls: readonly AnsweredCall[];
  readonly roundCount: number;
}

/** Cuts a transcript into turns, oldest first. A message of tool results alone opens no turn. */
export function turnsOf(messages: readonly Message[]): readonly Turn[] {
  const turns: Turn[] = [];
  let open: readonly ToolUseBlock[] = [];
  for (const message of messages) {
    if (message.role === 'assistant') {
      open = toolUsesOf(message);
      continue;
    }
    addAnswers(turns, answersOf(message, open));
    const ask = askOf(message);
    if (ask !== '') turns.push({ ask, calls: [], roundCount: 0 });
  }
  return turns;
}

function addAnswers(turns: Turn[], answers: readonly AnsweredCall[]): void {
  const last = turns.at(-1);
  if (last === undefined || answers.length === 0) return;
  turns[turns.length - 1] = { ...last, calls: [...last.calls, ...answers], roundCount: last.roundCount + 1 };
}

function answersOf(message: UserMessage, open: readonly ToolUseBlock[]): readonly AnsweredCall[] {
  return message.content.filter((block) => block.type === 'tool_result').flatMap((result) => answerOf(result, open));
}

function answerOf(result: ToolResultBlock, open: readonly ToolUseBlock[]): readonly AnsweredCall[] {
  const call = open.find((use) => use.id === result.toolUseId);
  const tool = call === undefined ? null : toolNameOf(call.name);
  if (call === undefined || tool === null) return [];
  const input = isJsonObject(call.input) ? canonicalKeys(call.input) : {};
  return [{ tool, input, text: textOf(result.content), isError: result.isError }];
}

// A front end may add notes in tags (reminders, piped input) to what the person wrote; they are not the question.
const TAGGED =
  /^<(stdin|piped|input|context|attachment|file|system-reminder|reminder|notes?|instructions|environment)(?:\s[^>\n]*)?>[\s\S]*?<\/\1>/gm;

function askOf(message: UserMessage): string {
  return textOf(message.content).replaceAll(TAGGED, ' ').trim();
}
