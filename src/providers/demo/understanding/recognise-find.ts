import { hasCue, withoutCues } from './cues.ts';
import { describedHintIn, namedHintIn } from './file-hint.ts';
import { fileKindIn } from './file-kind.ts';
import { folderIn } from './folder-words.ts';
import { marksIn, unmark } from './marks.ts';
import { lineRangeIn } from './line-range.ts';
import { searchTermIn } from './search-term.ts';
import type { Guess } from './task.ts';
import type { Utterance } from './utterance.ts';

/** Understands requests for files by kind, pattern or name: "find all *.test.ts files", "有哪些 json 文件", "where is loop.ts". */
export function recogniseFind(utterance: Utterance): Guess | null {
  return byWordsOfName(utterance) ?? byKind(utterance) ?? byName(utterance);
}

const NAMED = [
  /\bfiles?\s+(?:that (?:are |is )?)?(?:called|named|with the name)\s+(\S+)/i,
  /\b(?:with|whose names? (?:contains?|includes?|has)|containing|that (?:have|contain|include))\s+(\S+)\s+(?:in|as part of) (?:their|its|the) (?:file ?)?names?/i,
  /\bfile ?names?\s+(?:contain(?:s|ing)?|includ(?:es?|ing)|with|match(?:es|ing)?|have|has)\s+(\S+)/i,
  /\bwhose (?:file ?)?names?\s+(?:contain|include|have|match|start with|begin with)s?\s+(\S+)/i,
  /\bfiles?\s+(?:that )?(?:start(?:s|ing)?|begin(?:s|ning)?) with\s+(\S+)/i,
  /(?:文件名|名字|名称)(?:里|中)?(?:面)?(?:包含|含有|带有?|有|是|叫|为|含)\s*([\w.\uE000-\uE2FF-]+)/,
  /(?:名为|名叫|叫做?|命名为)\s*([\w.\uE000-\uE2FF-]+)\s*的?(?:文件)/,
  /以\s*([\w.\uE000-\uE2FF-]+)\s*(?:开头|打头|开始)/,
];

// "the price file": no name, but a word of one.
const LOOSELY_NAMED = /\b(?:find|locate|where(?:'s| is)|look for|search for)\s+(?:me\s+)?(?:the|my|a|an|our)\s+([\w-]+)\s+file$/i;

function byWordsOfName(utterance: Utterance): Guess | null {
  if (!hasCue(utterance.lower, 'find') && !hasCue(utterance.lower, 'search') && !/(?:文件|files?)$/.test(utterance.lower))
    return null;
  const loose =
    fileKindIn(utterance) === null && describedHintIn(utterance.lower, utterance.language) === null ? [LOOSELY_NAMED] : [];
  const word = [...NAMED, ...loose].map((form) => form.exec(utterance.text)?.[1]).find((found) => found !== undefined);
  if (word === undefined) return null;
  const file = marksIn(utterance, word)[0];
  if (file?.kind === 'path') return guessOf(utterance, 69, { glob: `**/${file.text.split('/').at(-1) ?? ''}`, label: file.text });
  const name = unmark(utterance, word).replaceAll(/[?*"']/g, '');
  const isStart = /(?:start|begin)\w* with|开头|打头/.test(utterance.lower);
  return guessOf(utterance, 69, { glob: isStart ? `**/${name}*` : `**/*${name}*`, label: name });
}

function byKind(utterance: Utterance): Guess | null {
  const kind = fileKindIn(utterance);
  if (
    kind === null ||
    (!hasCue(utterance.lower, 'find') && !hasCue(utterance.lower, 'search') && !isAlone(utterance, kind.label))
  )
    return null;
  const term = searchTermIn(utterance);
  // "the config file" is one file to look into, "config files" are many to find.
  const isOne =
    describedHintIn(utterance.lower, utterance.language) !== null &&
    !/files\b|哪些|所有|全部|有没有|几个|多少/.test(utterance.lower);
  if (isOne && !/\bwhere\b|在哪|哪里|位置/.test(utterance.lower)) return null;
  const asksContents = term !== null && term.isMarked;
  return asksContents ? null : guessOf(utterance, 66, kind);
}

// "loop.ts 在哪", "where is the file loop.ts", "find loop.ts"; with a word besides the name, something in the file is asked.
function byName(utterance: Utterance): Guess | null {
  const file = namedHintIn(utterance);
  const asksPlace = hasCue(utterance.lower, 'fileWhere');
  if (file === null || !asksPlace || lineRangeIn(utterance.text) !== null || utterance.paths.length !== 1) return null;
  const rest = withoutCues(utterance.lower, 'fileWhereFiller').replaceAll(/[\uE100-\uE1FF\s,，?？]/g, '');
  if (rest !== '') return null;
  const glob = file.patterns[0] ?? `**/${file.label.split('/').at(-1) ?? file.label}`;
  return { score: 69, task: { intent: 'find', glob, label: file.label, folder: null } };
}

function isAlone(utterance: Utterance, label: string): boolean {
  return utterance.lower.length < label.length + 12 && searchTermIn(utterance) === null;
}

function guessOf(utterance: Utterance, score: number, kind: { readonly glob: string; readonly label: string }): Guess {
  return { score, task: { intent: 'find', glob: kind.glob, label: kind.label, folder: folderIn(utterance) } };
}
