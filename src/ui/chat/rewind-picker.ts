import type { Say } from '../words/say.ts';
import { createPicker, type Picker, type PickerItem } from './picker.ts';

/** A prompt that a session holds. */
export interface PastPrompt {
  readonly number: number;
  readonly prompt: string;
}

const PARTS = [
  ['both', 'rewind_both', 'rewind_both_more'],
  ['conversation', 'rewind_conversation', 'rewind_conversation_more'],
  ['files', 'rewind_files', 'rewind_files_more'],
] as const;

/** The prompts of a session, the newest chosen first; behind each what is to go back. Null where there are none. */
export function rewindPicker(prompts: readonly PastPrompt[], say: Say): Picker | null {
  if (prompts.length === 0) return null;
  const items = prompts.map(({ number, prompt }, i): PickerItem => {
    const toTurn = prompts[i - 1]?.number ?? 0;
    return { label: `${number}  ${prompt}`, summary: '', leads: { type: 'pick', picker: partPicker(prompt, toTurn, say) } };
  });
  return createPicker(say('rewind_title'), items, items.length - 1);
}

function partPicker(prompt: string, toTurn: number, say: Say): Picker {
  const items = PARTS.map(
    ([part, label, summary]): PickerItem => ({
      label: say(label),
      summary: say(summary),
      leads: { type: 'wish', wish: { type: 'rewind', toTurn, part, prompt } },
    }),
  );
  return createPicker(say('rewind_part_title', { prompt }), items);
}
