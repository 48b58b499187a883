import { stripVTControlCharacters } from 'node:util';

/** Bytes of a program as text: bytes that are no UTF-8 become U+FFFD, or `\xNN` where they are control bytes. */
export function decodeOutput(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

// Strings for the terminal (DCS, SOS, PM, APC, OSC) up to their terminator; an unfinished one goes up to the end of its line.
// oxlint-disable-next-line no-control-regex -- these are the bytes that must go
const STRINGS = /\u001b[PX^_\]][^\u0007\u001b\n]*(?:\u0007|\u001b\\)?/g;
// oxlint-disable-next-line no-control-regex -- control bytes other than tab and line feed
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Program output as a model should read it: no escape sequences, redrawn progress lines folded to their last state, control bytes shown as `\xNN`. */
export function cleanOutput(text: string): string {
  return stripVTControlCharacters(text.replaceAll(STRINGS, ''))
    .split('\n')
    .map(foldRedraws)
    .join('\n')
    .replaceAll(CONTROLS, (control) => `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** What a line shows after its carriage returns: each redraw writes over the start of the one before. */
function foldRedraws(line: string): string {
  if (!line.includes('\r')) return line;
  let shown = '';
  for (const redraw of line.split('\r')) if (redraw !== '') shown = redraw + shown.slice(redraw.length);
  return shown;
}
