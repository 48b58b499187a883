import { type Difference, firstDifference } from '../core/first-difference.ts';
import type { ToolResultBlock } from '../core/message.ts';
import { type Place, steadyText, withoutPlaces } from '../core/steady-text.ts';

/** How two texts of two runs stand to each other. `rules` made them equal, or are none. */
export type Comparison =
  | { readonly type: 'equal'; readonly rules: readonly string[] }
  | { readonly type: 'different'; readonly difference: Difference };

/** Where each run stood. */
export interface BothPlaces {
  readonly before: readonly Place[];
  readonly now: readonly Place[];
}

/** Byte for byte, but for the names of places; what differs then is compared once more without what differs by nature. */
export function compareTexts(then: string, now: string, places: BothPlaces): Comparison {
  const [a, b] = [withoutPlaces(then, places.before), withoutPlaces(now, places.now)];
  if (a === b) return { type: 'equal', rules: [] };
  const [left, right] = [steadyText(a), steadyText(b)];
  if (left.text === right.text) return { type: 'equal', rules: [...new Set([...left.rules, ...right.rules])] };
  return { type: 'different', difference: firstDifference(left.text, right.text) };
}

/** Two results of one call: whether it failed, and every block. */
export function compareResults(then: ToolResultBlock, now: ToolResultBlock, places: BothPlaces): Comparison {
  return compareTexts(textOfResult(then), textOfResult(now), places);
}

function textOfResult({ content, isError }: ToolResultBlock): string {
  const blocks = content.map((block) => (block.type === 'text' ? block.text : `[image ${block.mediaType} ${block.data}]`));
  return `${isError ? '(error) ' : ''}${blocks.join('\n')}`;
}
