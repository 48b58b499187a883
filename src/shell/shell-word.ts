import type { Word, WordPart } from 'unbash';
import type { Numbers } from './arithmetic.ts';
import type { Variables } from './variables.ts';

/** What the variables of loops over patterns stand for. */
export type LoopVariables = ReadonlyMap<string, readonly ShellWord[]>;

/** What is known where a word is read. */
export interface WordReader {
  readonly variables: Variables;
  readonly loops: LoopVariables;
  /** Names that hold whole numbers. */
  readonly numbers: Numbers;
  readonly home: string;
  /** The folder that the shell stands in, where that is known. */
  readonly folder: string | null;
}

/** One word of a command as far as it is known before the command runs. */
export interface ShellWord {
  /** The word after quoting, or as it was typed where it is known only at run time. */
  readonly text: string;
  /** The exact word; null where it is known only at run time. */
  readonly value: string | null;
  /** What the word surely begins with; all of it where it is known. */
  readonly start: string;
  readonly kind: 'known' | 'quoted' | 'pattern' | 'split' | 'pipe';
  /** Names of folders below which the path lies that the word will be, where that is known. */
  readonly below?: readonly string[];
  /** Words of which it will be one, in the body of a loop over patterns. */
  readonly oneOf?: readonly ShellWord[];
}

/** A word that stands exactly so. */
export function knownWord(value: string): ShellWord {
  return { text: value, value, start: value, kind: 'known' };
}

/** Words known only at run time: any number of them, with any content. */
export function unknownWords(text: string): ShellWord {
  return { text, value: null, start: '', kind: 'split' };
}

/** One argument known only at run time that begins with `start`. */
export function unknownWord(text: string, start: string): ShellWord {
  return { text, value: null, start, kind: 'quoted' };
}

/** One argument known only at run time: a path in or below one of these folders, which all are plain names. */
export function wordBelow(text: string, folders: readonly string[]): ShellWord {
  return { text, value: null, start: folders[0] ?? '', kind: 'quoted', below: folders };
}

/** True where the word can be neither an option nor more than one word. */
export function isSurelyOperand(word: ShellWord): boolean {
  if (word.kind === 'pipe') return true;
  return word.kind !== 'split' && word.start !== '' && !word.start.startsWith('-');
}

/** Reads a word as bash would, with the variables that are known at this place. */
export function readWord(word: Word, reader: WordReader): ShellWord {
  if (word.parts === undefined) return literalWord(word, reader.home);
  const oneOf = reader.loops.get(/^"\$\{?(\w+)\}?"$/.exec(word.text)?.[1] ?? '');
  if (oneOf !== undefined) return { ...unknownWord(word.text, commonStart(oneOf)), oneOf };
  if (word.parts.length === 1 && word.parts[0]?.type === 'ProcessSubstitution') {
    return { text: word.text, value: null, start: '/dev/fd/', kind: 'pipe' };
  }
  const pieces = word.parts.flatMap((part) => piecesOf(part, reader));
  if (word.text.startsWith('~')) pieces.unshift({ text: '', kind: 'split' });
  const firstUnknown = pieces.findIndex(({ kind }) => kind !== 'known');
  const start = pieces
    .slice(0, firstUnknown < 0 ? undefined : firstUnknown)
    .map(({ text }) => text)
    .join('');
  if (firstUnknown < 0) return knownWord(start);
  const kind = pieces.some((piece) => piece.kind === 'split')
    ? 'split'
    : pieces.some((piece) => piece.kind === 'pattern')
      ? 'pattern'
      : 'quoted';
  return { text: word.text, value: null, start, kind };
}

function commonStart(words: readonly ShellWord[]): string {
  const [first = '', ...others] = words.map(({ start }) => start);
  let length = first.length;
  while (!others.every((other) => other.startsWith(first.slice(0, length)))) length -= 1;
  return first.slice(0, length);
}

interface Piece {
  readonly text: string;
  readonly kind: ShellWord['kind'];
}

function literalWord(word: Word, home: string): ShellWord {
  if (!word.text.startsWith('~')) return knownWord(word.value);
  if (word.text === '~' || word.text.startsWith('~/')) return { ...knownWord(home + word.value.slice(1)) };
  return { text: word.text, value: null, start: '', kind: 'quoted' };
}

function piecesOf(part: WordPart, reader: WordReader, isQuoted = false): readonly Piece[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [{ text: part.value, kind: 'known' }];
    case 'DoubleQuoted':
      return part.parts.flatMap((child) => piecesOf(child, reader, true));
    case 'SimpleExpansion':
      return [variablePiece(part.text.slice(1), reader, isQuoted)];
    case 'ParameterExpansion': {
      const isPlain = part.prefix === undefined && part.index === undefined && part.operation === undefined;
      return [isPlain ? variablePiece(part.parameter, reader, isQuoted) : unknownPiece(isQuoted && part.index === undefined)];
    }
    case 'Glob':
    case 'ExtendedGlob':
      return [{ text: part.text, kind: 'pattern' }];
    case 'CommandExpansion':
      return [unknownPiece(isQuoted)];
    case 'ArithmeticExpansion':
      // A number is always one word.
      return [unknownPiece(true)];
    default:
      // A translated string, a brace expansion, a process substitution inside a longer word.
      return [unknownPiece(false)];
  }
}

function unknownPiece(isQuoted: boolean): Piece {
  return { text: '', kind: isQuoted ? 'quoted' : 'split' };
}

/** The value of a loop variable stands in for it. Unquoted it must be one word that means itself. */
function variablePiece(name: string, { variables, numbers, home, folder }: WordReader, isQuoted: boolean): Piece {
  // "$@" makes any number of words even in quotes.
  if (name.startsWith('@') || name.startsWith('*')) return unknownPiece(false);
  if (numbers.has(name) || /^[?#$]$/.test(name))
    return variables.has(name) ? { text: variables.get(name) ?? '', kind: 'known' } : unknownPiece(true);
  const value = variables.get(name) ?? (name === 'HOME' ? home : name === 'PWD' ? (folder ?? undefined) : undefined);
  if (value === undefined || (!isQuoted && !/^[\w./:,@%+=-]+$/.test(value))) return unknownPiece(isQuoted);
  return { text: value, kind: 'known' };
}
