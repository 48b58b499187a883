import { type CommandContext, showLines } from './command.ts';

/** Terminals take about so much; more is dropped without a word. */
const MAX_CHARS = 74_000;

/** `/copy` and `/copy code N`: text as it was written, not as it was broken into rows. */
export async function copyAnswer(context: CommandContext): Promise<void> {
  const { argument, state, write } = context;
  const { say } = state;
  const number = /^code(?:\s+(\d+))?$/.exec(argument)?.[1];
  const text = argument.startsWith('code') ? codeBlock(state.answer, Number(number ?? 1)) : state.answer;
  if (text === null || text === '')
    return showLines(context, [say(argument.startsWith('code') ? 'copy_no_code' : 'copy_no_answer')]);
  if (text.length > MAX_CHARS) return showLines(context, [say('copy_too_long', { count: text.length })]);
  // OSC 52 reaches the person's own clipboard over SSH too. Source: xterm control sequences, Operating System Commands
  write(`\u001b]52;c;${base64Of(text)}\u0007`);
  showLines(context, [say('copied', { count: text.length })]);
}

function codeBlock(answer: string, number: number): string | null {
  const blocks = [...answer.matchAll(/^(`{3,}|~{3,})[^\n]*\n([\s\S]*?)^\1/gm)];
  return blocks[number - 1]?.[2]?.replace(/\n$/, '') ?? null;
}

function base64Of(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
}
