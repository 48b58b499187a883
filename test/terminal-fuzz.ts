import fc from 'fast-check';
import { describeInput } from '../src/core/describe-input.ts';
import { displayLine, displayText } from '../src/core/display-text.ts';

// Written apart from what is tested: no control but tab and line feed, nothing that takes no room, no half of a character.
const UNSAFE =
  // oxlint-disable-next-line no-control-regex -- these are what must not be there
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}\p{Cs}]/u;
const STEERING = [
  '\u001b',
  '\u009b',
  '\u001b]8;;',
  '\u0007',
  '\r',
  '\u202e',
  '\u{e0041}',
  '\ud83d',
  '\u200d',
  '\u200b',
  '\ufe0f',
  '\n',
];

/** Shows random texts, made of what could steer a terminal, in each way that text is shown, and fails where any of it is left. */
export function expectSafeText(runs: number): void {
  const pieces = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(...STEERING),
    fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('latin1')),
  );
  const text = fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join(''));
  const isSafe = (input: string): boolean => {
    const shown = [displayText(input), displayLine(input), describeInput({ command: input, [input]: 1 }).join('\n')];
    return shown.every((out) => !UNSAFE.test(out)) && !displayLine(input).includes('\n');
  };
  fc.assert(fc.property(text, isSafe), { numRuns: runs });
}
