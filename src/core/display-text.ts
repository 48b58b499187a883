// Control bytes other than tab and line feed, and their C1 forms.
// oxlint-disable-next-line no-control-regex -- these are the bytes that must not reach a terminal
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
// Directional marks, overrides and isolates, and tag characters: they make text look like other text.
const INVISIBLE = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;

/** Text of any origin as a terminal may show it: control characters as `\xNN`, invisible ones by name. */
export function displayText(text: string): string {
  return text
    .replaceAll(CONTROLS, (control) => `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`)
    .replaceAll(INVISIBLE, (character) => `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`);
}

/** The same on one line of at most so many characters. */
export function displayLine(text: string, maxChars = 100): string {
  const line = [...displayText(text.replaceAll(/\s*\n\s*/g, ' ⏎ ').trim())];
  return line.length > maxChars ? `${line.slice(0, maxChars - 1).join('')}…` : line.join('');
}
