/** Lines that a person asked for, 1-based and inclusive. `to` null: to the end. A negative `from` counts from the end: -10 is the last ten lines. */
export interface LineRange {
  readonly from: number;
  readonly to: number | null;
}

/** The lines a request names, or null. Marks in the text do no harm. */
export function lineRangeIn(text: string): LineRange | null {
  const lower = text.toLowerCase();
  for (const [pattern, rangeOf] of FORMS) {
    const found = pattern.exec(lower);
    if (found !== null) return rangeOf(numberOf(found[1]), numberOf(found[2]));
  }
  return null;
}

const N = '(\\d+|[零一二两三四五六七八九十百]+|a|one|two|three|four|five|six|seven|eight|nine|ten|twenty|fifty|dozen)';
const between = (from: number, to: number): LineRange => ({ from: Math.min(from, to), to: Math.max(from, to) });

const FORMS: readonly (readonly [RegExp, (first: number, second: number) => LineRange])[] = [
  [
    new RegExp(
      `\\blines?\\s*(?:from\\s+|between\\s+|number(?:s)?\\s+)?${N}\\s*(?:-|–|—|~|\\.\\.\\.?|to|through|thru|until|till|and|,)\\s*(?:line\\s*)?${N}\\b`,
    ),
    between,
  ],
  [new RegExp(`\\b(?:from|between) line ${N} (?:to|through|until|till|and)(?: line)? ${N}\\b`), between],
  [/[\uE100-\uE1FF]:(\d+)\s*[-–~]\s*(\d+)/, between],
  [new RegExp(`(?:第\\s*)?${N}\\s*(?:行)?\\s*(?:-|–|—|~|～|到|至|、|和)\\s*(?:第\\s*)?${N}\\s*行`), between],
  [
    new RegExp(`\\b(?:first|top|initial|opening|head)\\s+${N}\\s+(?:or so\\s+)?lines?\\b|\\bhead -n? ?(\\d+)`),
    (n, other) => ({ from: 1, to: n || other }),
  ],
  [
    new RegExp(`\\b(?:last|final|bottom|ending|tail)\\s+${N}\\s+(?:or so\\s+)?lines?\\b|\\btail -n? ?(\\d+)`),
    (n, other) => ({ from: -(n || other), to: null }),
  ],
  [new RegExp(`(?:前面?|头|开头|最前面?)的?\\s*${N}\\s*行`), (n) => ({ from: 1, to: n })],
  [new RegExp(`(?:最后|后|末尾|结尾|倒数|最末)的?\\s*${N}\\s*行`), (n) => ({ from: -n, to: null })],
  [/\b(?:from|after|starting (?:at|from)|beginning (?:at|from)) line (\d+)/, (n) => ({ from: n, to: null })],
  [/从第?\s*(\d+)\s*行(?:开始|起|往后|以后|之后)/, (n) => ({ from: n, to: null })],
  [/第\s*(\d+)\s*行(?:以后|之后|往后|开始|起)/, (n) => ({ from: n, to: null })],
  [/\blines?\s*(?:number\s*|no\.?\s*|#\s*)?(\d+)\b/, (n) => ({ from: n, to: n })],
  [/\b(\d+)(?:st|nd|rd|th) line\b/, (n) => ({ from: n, to: n })],
  [/[\uE100-\uE1FF]:(\d+)\b/, (n) => ({ from: n, to: n })],
  [new RegExp(`第\\s*${N}\\s*行`), (n) => ({ from: n, to: n })],
  [/\bfirst line\b|\bline one\b|首行/, () => ({ from: 1, to: 1 })],
  [/\blast line\b|最后一行|末行/, () => ({ from: -1, to: null })],
  [
    /\b(?:first few|top few) lines\b|\b(?:the )?(?:start|beginning|top|head) of\b|前几行|开头部分|开头几行/,
    () => ({ from: 1, to: 10 }),
  ],
  [/\blast few lines\b|\b(?:the )?(?:end|bottom|tail) of\b|后几行|最后几行|末尾几行|结尾部分/, () => ({ from: -10, to: null })],
];

const NUMBER_WORDS = new Map(
  Object.entries({
    a: 1,
    one: 1,
    two: 2,
    three: 3,
    four: 4,
    five: 5,
    six: 6,
    seven: 7,
    eight: 8,
    nine: 9,
    ten: 10,
    dozen: 12,
    twenty: 20,
    fifty: 50,
  }),
);
const HAN_DIGITS = '零一二三四五六七八九';

function numberOf(word: string | undefined): number {
  if (word === undefined) return 0;
  if (/^\d+$/.test(word)) return Number(word);
  return NUMBER_WORDS.get(word) ?? hanNumber(word.replaceAll('两', '二').replaceAll('零', ''));
}

// Up to 百: what people write out in words for lines of a file.
function hanNumber(word: string): number {
  const [hundreds, rest] = word.includes('百') ? splitAt(word, '百') : ['', word];
  const [tens, ones] = rest.includes('十') ? splitAt(rest, '十') : ['', rest];
  const hundred = word.includes('百') ? Math.max(1, HAN_DIGITS.indexOf(hundreds)) * 100 : 0;
  const ten = rest.includes('十') ? (tens === '' ? 1 : HAN_DIGITS.indexOf(tens)) * 10 : 0;
  return hundred + ten + (ones === '' ? 0 : Math.max(0, HAN_DIGITS.indexOf(ones)));
}

function splitAt(word: string, unit: string): readonly [string, string] {
  const at = word.indexOf(unit);
  return [word.slice(0, at), word.slice(at + 1)];
}
