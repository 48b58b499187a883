import { type Key, keyId } from '../keys/key.ts';
import {
  cutToLineEdge,
  cutWord,
  type CutText,
  deleteBy,
  insert,
  moveBy,
  moveByWord,
  moveToEdge,
  moveToLineEdge,
  type TextBuffer,
} from './text-buffer.ts';

/** A buffer, and the last text that was cut from one. */
export interface EditedText {
  readonly buffer: TextBuffer;
  readonly cut: string;
}

type Edit = (edited: EditedText) => EditedText;

function moving(move: (buffer: TextBuffer) => TextBuffer): Edit {
  return ({ buffer, cut }) => ({ buffer: move(buffer), cut });
}

function cutting(take: (buffer: TextBuffer) => CutText): Edit {
  return ({ buffer, cut }) => {
    const { buffer: left, taken } = take(buffer);
    return { buffer: left, cut: taken === '' ? cut : taken };
  };
}

const back = moving((buffer) => moveBy(buffer, -1));
const forward = moving((buffer) => moveBy(buffer, 1));
const start = moving((buffer) => moveToLineEdge(buffer, 'start'));
const end = moving((buffer) => moveToLineEdge(buffer, 'end'));
const wordBack = moving((buffer) => moveByWord(buffer, -1));
const wordForward = moving((buffer) => moveByWord(buffer, 1));
const erase = moving((buffer) => deleteBy(buffer, -1));
const eraseNext = moving((buffer) => deleteBy(buffer, 1));
const cutWordBack = cutting((buffer) => cutWord(buffer, -1));
const cutWordForward = cutting((buffer) => cutWord(buffer, 1));

/** The keys of readline, which shells have taught everyone. */
const EDITS: Readonly<Record<string, Edit>> = {
  left: back,
  'ctrl+b': back,
  right: forward,
  'ctrl+f': forward,
  home: start,
  'ctrl+a': start,
  end,
  'ctrl+e': end,
  'ctrl+home': moving((buffer) => moveToEdge(buffer, 'start')),
  'ctrl+end': moving((buffer) => moveToEdge(buffer, 'end')),
  'alt+b': wordBack,
  'ctrl+left': wordBack,
  'alt+left': wordBack,
  'alt+f': wordForward,
  'ctrl+right': wordForward,
  'alt+right': wordForward,
  backspace: erase,
  'shift+backspace': erase,
  'ctrl+h': erase,
  delete: eraseNext,
  'ctrl+w': cutWordBack,
  'alt+backspace': cutWordBack,
  'ctrl+backspace': cutWordBack,
  'alt+d': cutWordForward,
  'ctrl+delete': cutWordForward,
  'ctrl+u': cutting((buffer) => cutToLineEdge(buffer, 'start')),
  'ctrl+k': cutting((buffer) => cutToLineEdge(buffer, 'end')),
  'ctrl+y': ({ buffer, cut }) => ({ buffer: insert(buffer, cut), cut }),
};

/** The text after a key that moves or deletes; null for other keys. */
export function editByKey(edited: EditedText, key: Key): EditedText | null {
  return EDITS[keyId(key) ?? '']?.(edited) ?? null;
}
