import words from './file-words.json' with { type: 'json' };

const EXTENSIONS = new Set(words.extensions);
const BARE_NAMES = new Set(words.bareNames);
const CAPITAL_NAMES = new Set(words.capitalNames);
const DOT_NAMES = new Set(words.dotNames);
const NOT_FILES = new Set(words.notFiles);
const NOT_FOLDERS = new Set(words.notFolders);
const FOLDER_NAMES = new Set(words.folderNames);

/** Whether a word of a sentence names a file or folder, is a glob pattern, or neither. */
export function pathKindOf(word: string): 'path' | 'glob' | null {
  const lower = word.toLowerCase();
  if (NOT_FILES.has(lower) || NOT_FOLDERS.has(lower) || !/[\p{L}\p{N}]/u.test(word))
    return /^\*\*\/\*$/.test(word) ? 'glob' : null;
  if (/[*{]/.test(word)) return isGlob(word) ? 'glob' : null;
  if (word.includes('/')) return isPathWithFolders(word) ? 'path' : null;
  return isFileName(word) ? 'path' : null;
}

/** Whether a word is a file name by itself: it has a known extension, or is a name such as README. */
export function isFileName(word: string): boolean {
  if (BARE_NAMES.has(word.toLowerCase()) || CAPITAL_NAMES.has(word)) return true;
  // ".test.ts" is an ending, not a file.
  if (/^\.(?:test|spec|stories|config|min|d|module|e2e)\.[a-z]+$/i.test(word)) return false;
  if (/^\.[\w-]+(?:\.[\w-]+)*$/.test(word))
    return DOT_NAMES.has(firstDotName(word)) || (word.length > 4 && !EXTENSIONS.has(word.slice(1).toLowerCase()));
  const named = /^[\p{L}\p{N}@_+$[-][\p{L}\p{N}@_+$.[\]-]*\.([A-Za-z][A-Za-z0-9]{0,9})$/u.exec(word);
  return named?.[1] !== undefined && EXTENSIONS.has(named[1].toLowerCase());
}

/** Whether a text is a file name with spaces in it, such as `a b.txt`. */
export function isSpacedFileName(text: string): boolean {
  const words = text.split(' ');
  return (
    words.length > 1 &&
    words.every((word) => /^[\p{L}\p{N}_.,'()&+@/-]+$/u.test(word)) &&
    isFileName(`x${/\.[^.]*$/.exec(text)?.[0] ?? ''}`)
  );
}

/** Whether a path has no extension and is no bare file name, so that it is rather a folder. */
export function looksLikeFolder(path: string): boolean {
  const name = path.replace(/\/+$/, '').split('/').at(-1) ?? '';
  return path.endsWith('/') || name === '.' || name === '..' || !(isFileName(name) || /\.[A-Za-z0-9]+$/.test(name));
}

/** Whether a plain word is a usual name of a folder in projects (`src`, `docs`). */
export function isFolderName(word: string): boolean {
  return FOLDER_NAMES.has(word.toLowerCase());
}

/** Whether a word is a usual extension of files, with or without its dot. */
export function isExtension(word: string): boolean {
  return EXTENSIONS.has(word.replace(/^\./, '').toLowerCase());
}

/** Glob patterns that find a file by its bare name: README finds README.md. */
export function patternsOfBareName(name: string): readonly string[] {
  const lower = name.toLowerCase();
  if (!BARE_NAMES.has(lower) && !CAPITAL_NAMES.has(name)) return [];
  const capital = lower.charAt(0).toUpperCase() + lower.slice(1);
  const spellings = [...new Set([name, lower.toUpperCase(), capital, lower])];
  return [`**/{${spellings.join(',')}}*`];
}

function firstDotName(word: string): string {
  return `.${word.slice(1).split('.')[0]?.toLowerCase() ?? ''}`;
}

function isGlob(word: string): boolean {
  // `a.*b` is a regular expression rather than a glob.
  return !/^\*+[A-Za-z]+\*+$|\.\*\w|\\/.test(word) && /[./]|\*\w|\w\*/.test(word);
}

function isPathWithFolders(word: string): boolean {
  if (/^s\/.*\/.*\/?[a-z]*$/.test(word) || /^\d+\/\d+$/.test(word)) return false;
  return /^(?:~|\.{1,2})?\/?[\p{L}\p{N}@_.+$[\]()-]+(?:\/[\p{L}\p{N}@_.+$[\]()-]*)*\/?$/u.test(word);
}
