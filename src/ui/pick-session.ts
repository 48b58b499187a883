import { displayLine } from '../core/display-text.ts';
import { type Say, sayInEnglish } from './words/say.ts';
import type { LineTerminal } from './line-chat.ts';

/** A session as a person chooses it from a list. */
export interface SessionChoice {
  readonly id: string;
  /** When it was gone on with last. */
  readonly time: string;
  /** Its name, or its first prompt. */
  readonly title: string;
}

const MAX_TITLE_CHARS = 70;

/** The list as lines, numbered from 1. */
export function choiceLines(choices: readonly SessionChoice[]): readonly string[] {
  return choices.map(
    ({ id, time, title }, i) =>
      `${String(i + 1).padStart(4)}  ${time}  ${displayLine(title, MAX_TITLE_CHARS)}  (${displayLine(id)})`,
  );
}

/** Asks which session to go on with. Null where none was chosen. */
export async function pickSession(
  terminal: LineTerminal,
  choices: readonly SessionChoice[],
  say: Say = sayInEnglish,
): Promise<string | null> {
  for (const line of choiceLines(choices)) terminal.write(`${line}\n`);
  for (;;) {
    const typed = (await terminal.readAnswer(say('which_session')))?.trim() ?? '';
    if (typed === '') return null;
    const chosen = /^\d{1,4}$/.test(typed) ? choices[Number(typed) - 1] : undefined;
    if (chosen !== undefined) return chosen.id;
    terminal.write(`${say('session_number', { count: choices.length })}\n`);
  }
}
