/** One thing that a person did at the keyboard. Letters with Ctrl or Alt are lower case. */
export type Key =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'paste'; readonly text: string }
  | {
      readonly type: 'key';
      readonly name: KeyName;
      readonly ctrl: boolean;
      readonly alt: boolean;
      readonly shift: boolean;
    };

export type KeyName = NamedKey | Letter;
type NamedKey =
  | 'enter'
  | 'escape'
  | 'tab'
  | 'backspace'
  | 'delete'
  | 'insert'
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'home'
  | 'end'
  | 'pageup'
  | 'pagedown'
  | 'space';
/** A character pressed with Ctrl or Alt. */
type Letter = string & {};

/** A name for tables of keys: `ctrl+alt+shift+name`, in this order; null for text and pastes. */
export function keyId(key: Key): string | null {
  if (key.type !== 'key') return null;
  return `${key.ctrl ? 'ctrl+' : ''}${key.alt ? 'alt+' : ''}${key.shift ? 'shift+' : ''}${key.name}`;
}

export function namedKey(name: KeyName, modifiers: { ctrl?: boolean; alt?: boolean; shift?: boolean } = {}): Key {
  const { ctrl = false, alt = false, shift = false } = modifiers;
  return { type: 'key', name, ctrl, alt, shift };
}
