import { isAscii } from 'node:buffer';
import { byteOrderMark } from '../text/detect-encoding.ts';
import { encodingNamed } from '../text/encodings.ts';
import { isBinary } from '../text/text-file.ts';
import { searchText, type TextSearch } from './plain-grep.ts';
import type { PlainPattern } from './plain-pattern.ts';
import type { PlainEvent } from './plain-thread.ts';

/** What is searched for, and how much of it is kept. */
export interface FileSearch {
  readonly pattern: PlainPattern;
  readonly search: TextSearch;
}

/** How often a file matches, and what is to be told of it. */
export interface SearchedFile {
  readonly matches: number;
  readonly event: PlainEvent | null;
}

/** Searches the content of one file, whatever its encoding. In a binary one nothing is shown. */
export function searchBytes(path: string, bytes: Buffer, search: FileSearch): SearchedFile {
  try {
    return isBinary(bytes) ? searchBinary(path, bytes, search) : searchWhole(path, bytes, search);
  } catch (thrown) {
    // Where a pattern keeps too many ways to go back to, JavaScript gives up; and it compiles some patterns only when they are used.
    if (!(thrown instanceof RangeError || thrown instanceof SyntaxError)) throw thrown;
    return { matches: 0, event: { type: 'skipped', path, reason: 'too complex' } };
  }
}

function searchWhole(path: string, bytes: Buffer, { pattern, search }: FileSearch): SearchedFile {
  const { matches, lines } = searchText(textOf(bytes), pattern, search);
  return { matches, event: matches === 0 ? null : { type: 'match', file: { path, matches, lines } } };
}

function searchBinary(path: string, bytes: Buffer, { pattern: { regex } }: FileSearch): SearchedFile {
  regex.lastIndex = 0;
  const isMatch = regex.test(bytes.toString('utf8'));
  return { matches: 0, event: isMatch ? { type: 'skipped', path, reason: 'binary' } : null };
}

function textOf(bytes: Buffer): string {
  const mark = byteOrderMark(bytes);
  if (mark !== null && mark.encoding !== 'utf-8') return encodingNamed(mark.encoding).decode(bytes.subarray(mark.length));
  return isAscii(bytes) ? bytes.toString('latin1') : bytes.toString('utf8', mark?.length ?? 0);
}
