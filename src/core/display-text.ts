// Control characters other than tab and line feed, and their C1 forms: each can steer a terminal. A return could hide what stands before it.
// oxlint-disable-next-line no-control-regex -- these are the bytes that must not reach a terminal
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
// What takes no room or turns the direction, so that a text reads otherwise than it is, or holds another that nobody sees. The one sign
// that chooses between the text and the picture of a character may stand behind it; more of them could hide something.
const INVISIBLE =
  /(?![\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}|[\u2028\u2029\u2800\ufff9-\ufffb]|(?<=[\ufe00-\ufe0f])[\ufe0e\ufe0f]/gu;
// Joiners have a meaning in some places: inside an emoji, and in the scripts that join their letters.
const JOINER_IN_PLACE =
  /(?<=\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})\u200d(?=\p{Extended_Pictographic})|(?<=[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}])[\u200c\u200d](?=\p{L})/gu;

/** Text of any origin as a terminal may show it: control characters as `\xNN`, invisible ones by name, so that nothing of it is lost or acts. */
export function displayText(text: string): string {
  return text.toWellFormed().replaceAll(CONTROLS, controlName).replaceAll(INVISIBLE, nameUnlessInPlace);
}

/** The same on one line of at most so many characters. */
export function displayLine(text: string, maxChars = 100): string {
  const line = [...displayText(text.replaceAll(/\s*\n\s*/g, ' ⏎ ').trim())];
  return line.length > maxChars ? `${line.slice(0, maxChars - 1).join('')}…` : line.join('');
}

/** A value as JSON that a terminal may show: the same value, with escapes in place of what steers or hides. */
export function displayJson(value: object, indent = 0): string {
  return JSON.stringify(value, null, indent).replaceAll(CONTROLS, unicodeEscape).replaceAll(INVISIBLE, unicodeEscape);
}

/** How many characters of a text a reader would not see as they are. A return that ends a line is none of them. */
export function countHidden(text: string): number {
  const joiners = joinersInPlace(text);
  const invisible = [...text.matchAll(INVISIBLE)].filter(({ index }) => !joiners.has(index)).length;
  return invisible + (text.replaceAll('\r\n', '\n').match(CONTROLS)?.length ?? 0);
}

function controlName(control: string): string {
  return `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

function unicodeEscape(character: string): string {
  return character.replaceAll(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function nameUnlessInPlace(character: string, index: number, text: string): string {
  const isJoiner = character === '\u200c' || character === '\u200d';
  if (isJoiner && joinersInPlace(text.slice(Math.max(0, index - 4), index + 3)).has(Math.min(4, index))) return character;
  return `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;
}

/** Where joiners stand that belong there. */
function joinersInPlace(text: string): ReadonlySet<number> {
  return new Set([...text.matchAll(JOINER_IN_PLACE)].map(({ index }) => index));
}
