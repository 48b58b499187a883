import { PATH, unmark } from './marks.ts';
import { isFolderName, looksLikeFolder } from './path-words.ts';
import type { Utterance } from './utterance.ts';

const NOT_FOLDERS = new Set(
  'the a an this that these those here there it its project repo repository code codebase folder directory workspace all any my our your which what files file general order english chinese detail full total particular use case short'.split(
    ' ',
  ),
);

/** The folder that a request is limited to ("in src", "under docs/", src 目录下), or null. */
export function folderIn(utterance: Utterance): string | null {
  const path = utterance.paths.find((mark) => looksLikeFolder(mark.text));
  if (path !== undefined) return path.text.replace(/\/+$/, '') || '/';
  return namedFolderIn(utterance) ?? usualFolderIn(utterance.lower);
}

// "the tools folder", "folder tools", "tools 目录"
function namedFolderIn(utterance: Utterance): string | null {
  const { text } = utterance;
  const found =
    new RegExp(`(${PATH}|[\\w@.-]+)\\s+(?:sub)?(?:folder|directory|dir)\\b`, 'i').exec(text) ??
    new RegExp(`\\b(?:folder|directory|dir)\\s+(?:called |named )?(${PATH}|[\\w@.-]+)`, 'i').exec(text) ??
    new RegExp(`(${PATH}|[\\w@.-]+)\\s*(?:这个)?(?:目录|文件夹|文件夾|目錄)`).exec(text) ??
    new RegExp(`(?:目录|文件夹)\\s*(${PATH}|[\\w@.-]+)`).exec(text);
  const name = unmark(utterance, found?.[1] ?? '').toLowerCase();
  if (
    name === '' ||
    NOT_FOLDERS.has(name) ||
    /^(?:is|does|do|current|whole|entire|root|of|structure|sub|and|layout|tree|contains?|main|each|every|top|same|working|sample)$/.test(
      name,
    )
  )
    return null;
  return unmark(utterance, found?.[1] ?? '');
}

// "in src", "under docs", src 里, 在 src 下
function usualFolderIn(lower: string): string | null {
  const found = [
    ...lower.matchAll(/\b(?:in|inside|under|within|below|from|of|at|into|across|does|has)\s+(?:the\s+|my\s+|our\s+)?([\w@.-]+)/g),
    ...lower.matchAll(/(?<![\w.-])([\w@-]+)\s*(?:里面|里边|里|中|下面|下|底下|内)/g),
    ...lower.matchAll(/在\s*([\w@-]+)/g),
    ...lower.matchAll(/\b(?:what(?:'s| is) in|list|ls)\s+(?:the\s+)?([\w@-]+)$/g),
  ];
  return found.map((match) => match[1] ?? '').find((name) => isFolderName(name) && !NOT_FOLDERS.has(name)) ?? null;
}
