import { type EncodingName, encodingNamed, type LegacyName, MULTI_BYTE, SINGLE_BYTE } from './encodings.ts';

/** What the first bytes of a file say of themselves. */
export interface ByteOrderMark {
  readonly encoding: EncodingName;
  readonly length: number;
}

// UTF-32 first: its mark begins like the one of UTF-16.
const MARKS: readonly { readonly encoding: EncodingName; readonly bytes: readonly number[] }[] = [
  { encoding: 'utf-32le', bytes: [0xff, 0xfe, 0, 0] },
  { encoding: 'utf-32be', bytes: [0, 0, 0xfe, 0xff] },
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
];

/** The byte order mark that a file starts with, or null. */
export function byteOrderMark(bytes: Uint8Array): ByteOrderMark | null {
  const mark = MARKS.find((candidate) => candidate.bytes.every((byte, i) => bytes[i] === byte));
  return mark === undefined ? null : { encoding: mark.encoding, length: mark.bytes.length };
}

const SAMPLE_BYTES = 64 * 1024;
const MIN_SHARE = 0.5;
const MIN_KANA = 0.3;
const MAX_FAULTS = 2;
const MIN_COMMON = 0.7;

/** Guesses the legacy encoding of bytes that are no UTF-8, or null where no guess reads them without a fault. */
export async function detectLegacy(bytes: Uint8Array): Promise<LegacyName | null> {
  const sample = wholeCharacters(bytes.subarray(firstTellingLine(bytes)).subarray(0, SAMPLE_BYTES));
  // In the East Asian encodings high bytes come in pairs; an accented letter of a Latin one mostly stands alone.
  const isPaired = shareInRuns(sample, 2) >= MIN_SHARE || shareOfKanaLeads(sample) >= MIN_KANA;
  const multiByte = isPaired ? likeliestMultiByte(sample) : null;
  return multiByte ?? (await likeliestSingleByte(sample));
}

type MultiByteName = (typeof MULTI_BYTE)[number];

/** The lead bytes of the characters that everyday texts are made of: punctuation, kana, hangul, and the first level of hanzi and kanji. */
const COMMON_LEADS: Record<MultiByteName, readonly (readonly [number, number])[]> = {
  'euc-kr': [
    [0xa1, 0xa3],
    [0xb0, 0xc8],
  ],
  'euc-jp': [
    [0xa1, 0xa5],
    [0xb0, 0xcf],
  ],
  gb18030: [
    [0xa1, 0xa3],
    [0xb0, 0xd7],
  ],
  big5: [[0xa1, 0xc6]],
  shift_jis: [
    [0x81, 0x83],
    [0x88, 0x97],
  ],
};

/** Japanese without any kana is rare, and other texts look like it. */
const KANA_LEADS: Partial<Record<MultiByteName, readonly number[]>> = { 'euc-jp': [0xa4, 0xa5], shift_jis: [0x82, 0x83] };
const WITHOUT_KANA = 0.8;

/** Where two read a text equally well, the one with fewer common characters is right: its fit is less likely to be chance. */
const BY_NARROWNESS: readonly MultiByteName[] = ['euc-kr', 'euc-jp', 'gb18030', 'big5', 'shift_jis'];

function likeliestMultiByte(sample: Uint8Array): MultiByteName | null {
  const scored = BY_NARROWNESS.map((name) => ({ name, share: commonShare(name, sample) })).filter(
    ({ share }) => share >= MIN_COMMON,
  );
  const [best] = scored.toSorted((a, b) => b.share - a.share);
  return best?.name ?? null;
}

/** The share of characters beyond ASCII that are common in this encoding; 0 where it cannot read the sample. */
function commonShare(name: MultiByteName, sample: Uint8Array): number {
  const encoding = encodingNamed(name);
  if (faultsIn(encoding.decode(sample)) > MAX_FAULTS) return 0;
  let beyond = 0;
  let common = 0;
  let kana = 0;
  for (let at = 0; at < sample.length; at += encoding.widthAt(sample, at)) {
    const lead = sample[at] ?? 0;
    if (lead < 0x80) continue;
    beyond++;
    if (encoding.widthAt(sample, at) > 1 && COMMON_LEADS[name].some(([low, high]) => lead >= low && lead <= high)) common++;
    if (KANA_LEADS[name]?.includes(lead) === true) kana++;
  }
  if (beyond === 0) return 0;
  const isUnlikely = KANA_LEADS[name] !== undefined && kana === 0;
  return (common / beyond) * (isUnlikely ? WITHOUT_KANA : 1);
}

const LATIN: ReadonlySet<LegacyName> = new Set(['windows-1250', 'windows-1252', 'windows-1254', 'windows-1257', 'windows-1258']);
// Letters and marks of Western texts. Those of its neighbours come out as signs (ł as ³, ą as ¹) or as letters that are rare here (ş as þ).
const WESTERN = /^[\0-\u007f\u00a0«»°§´·¿¡À-ÏÑ-ÖØ-Üßà-ïñ-öø-üÿŒœŸ€‘’“”„–—…]*$/;

/** A stray byte does not make a text of another encoding. */
function faultsIn(text: string): number {
  return text.split('\ufffd').length - 1;
}

async function likeliestSingleByte(sample: Uint8Array): Promise<LegacyName | null> {
  // Loaded only for a file that is no UTF-8.
  // As a default: bundled, a CommonJS package has no other export.
  const { default: chardet } = await import('chardet');
  const ranked = chardet
    .analyse(sample)
    .map(({ name }) => singleByteName(name))
    .filter((name) => name !== null);
  // Whole words of high bytes are in an alphabet of their own, such as Cyrillic or Greek.
  const isOwnAlphabet = shareInRuns(sample, 3) >= MIN_SHARE;
  const isWestern =
    !isOwnAlphabet && LATIN.has(ranked[0] ?? 'windows-1252') && WESTERN.test(encodingNamed('windows-1252').decode(sample));
  if (isWestern) return 'windows-1252';
  const preferred = isOwnAlphabet ? [...ranked.filter((name) => !LATIN.has(name)), 'windows-1251' as const] : [];
  return [...preferred, ...ranked, 'windows-1252' as const].find((name) => readsAsText(name, sample)) ?? null;
}

/** C1 controls are what a wrong guess makes of punctuation. */
function readsAsText(name: LegacyName, sample: Uint8Array): boolean {
  // oxlint-disable-next-line no-control-regex -- these are the bytes to look for
  return !/[\u0080-\u009f\ufffd]/.test(encodingNamed(name).decode(sample));
}

/** The share of bytes beyond ASCII that stand in a run of at least so many. */
function shareInRuns(sample: Uint8Array, minLength: number): number {
  let [high, inRuns, run] = [0, 0, 0];
  for (let i = 0; i <= sample.length; i++) {
    if ((sample[i] ?? 0) >= 0x80) {
      run++;
      continue;
    }
    high += run;
    if (run >= minLength) inRuns += run;
    run = 0;
  }
  return high === 0 ? 0 : inRuns / high;
}

/** Katakana in Shift_JIS is a byte that Latin texts hardly have, each followed by one that is ASCII. */
function shareOfKanaLeads(sample: Uint8Array): number {
  const high = sample.filter((byte) => byte >= 0x80);
  return high.length === 0 ? 0 : high.filter((byte) => byte === 0x82 || byte === 0x83).length / high.length;
}

/** Where the line with the first byte beyond ASCII begins: what comes before tells nothing. */
function firstTellingLine(bytes: Uint8Array): number {
  const first = bytes.findIndex((byte) => byte >= 0x80);
  return first <= 0 ? 0 : bytes.lastIndexOf(0x0a, first) + 1;
}

/** A sample that ends with a whole line, so that its edge cuts no character. */
function wholeCharacters(sample: Uint8Array): Uint8Array {
  if (sample.length < SAMPLE_BYTES) return sample;
  const end = sample.lastIndexOf(0x0a);
  return end === -1 ? sample : sample.subarray(0, end);
}

const ALIASES: Readonly<Record<string, LegacyName>> = {
  'iso-8859-1': 'windows-1252',
  'iso-8859-2': 'windows-1250',
  'iso-8859-5': 'windows-1251',
  'iso-8859-6': 'windows-1256',
  'iso-8859-7': 'windows-1253',
  'iso-8859-8': 'windows-1255',
  'iso-8859-9': 'windows-1254',
};

/** The names that detectors use, as ours; null for what is not single-byte. */
function singleByteName(detected: string): LegacyName | null {
  const name = detected.toLowerCase();
  return SINGLE_BYTE.find((candidate) => candidate === name) ?? ALIASES[name] ?? null;
}
