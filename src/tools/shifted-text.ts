import { type Placement, type Span, withLineEndsAt } from './placement.ts';

/** One indentation, of tabs or of spaces, that every line lacks or has too much of. */
interface Shift {
  readonly add: string;
  readonly remove: string;
}

/**
 * Finds old_string as whole lines that stand in the file with one constant shift of their indentation. The new text is shifted alike.
 * Blank lines do not count; tabs never stand for spaces.
 */
export function placeShifted(text: string, oldText: string, newText: string): Placement {
  const wanted = oldText.replaceAll('\r\n', '\n').split('\n');
  const endsWithLine = wanted.at(-1) === '';
  if (endsWithLine) wanted.pop();
  const lines = linesOf(text);
  const found: { readonly span: Span; readonly shift: Shift }[] = [];
  for (let at = 0; at + wanted.length <= lines.length; at++) {
    const shift = shiftAt(lines, wanted, at);
    const last = lines[at + wanted.length - 1];
    if (shift === null || last === undefined) continue;
    found.push({ shift, span: { start: lines[at]?.start ?? 0, end: endsWithLine ? last.next : last.end } });
  }
  const shifts = found.map(({ shift }) => shifted(newText, shift));
  // A new text that cannot be shifted alike is not what was meant.
  const usable = found.filter((_place, i) => shifts[i] !== null);
  return {
    how: 'indentation',
    spans: usable.map(({ span }) => span),
    replacement: (span) => {
      const place = found.find((candidate) => candidate.span.start === span.start);
      return withLineEndsAt(text, span, (place === undefined ? null : shifted(newText, place.shift)) ?? newText);
    },
  };
}

interface LinePlace {
  readonly text: string;
  readonly start: number;
  /** Without and with its line end. */
  readonly end: number;
  readonly next: number;
}

function linesOf(text: string): LinePlace[] {
  const lines: LinePlace[] = [];
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const next = newline === -1 ? text.length : newline + 1;
    const end = newline === -1 ? text.length : text[newline - 1] === '\r' && newline > start ? newline - 1 : newline;
    lines.push({ text: text.slice(start, end), start, end, next });
    start = next;
  }
  return lines;
}

function shiftAt(lines: readonly LinePlace[], wanted: readonly string[], at: number): Shift | null {
  let shift: Shift | null = null;
  for (const [i, line] of wanted.entries()) {
    const found = lines[at + i]?.text ?? '';
    if (line.trim() === '' && found.trim() === '') continue;
    const next = shiftBetween(line, found);
    if (next === null || (shift !== null && (shift.add !== next.add || shift.remove !== next.remove))) return null;
    shift = next;
  }
  return shift;
}

/** What makes one line of the other, if it is an indentation and nothing else. */
function shiftBetween(wanted: string, found: string): Shift | null {
  const [add, remove] = [
    found.slice(0, Math.max(0, found.length - wanted.length)),
    wanted.slice(0, Math.max(0, wanted.length - found.length)),
  ];
  const isSame = add + wanted.slice(remove.length) === found;
  return isSame && /^(?:\t+| +)$/.test(add + remove) ? { add, remove } : null;
}

/** The new text, each line that is not blank shifted; null where a line has nothing to remove. */
function shifted(newText: string, { add, remove }: Shift): string | null {
  const lines = newText.split('\n');
  const canShift = lines.every((line) => line.trim() === '' || line.startsWith(remove));
  return canShift ? lines.map((line) => (line.trim() === '' ? line : add + line.slice(remove.length))).join('\n') : null;
}
