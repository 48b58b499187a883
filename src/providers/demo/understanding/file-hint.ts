import type { Language } from '../speech.ts';
import { hasCue } from './cues.ts';
import describedFiles from './described-files.json' with { type: 'json' };
import { PATH } from './marks.ts';
import { looksLikeFolder, patternsOfBareName } from './path-words.ts';
import type { Utterance } from './utterance.ts';

/** A file as a person named it: by a path, or by glob patterns to look for it, in order of preference. */
export interface FileHint {
  readonly label: string;
  readonly path: string | null;
  readonly patterns: readonly string[];
  /** The same name with the words before it, to be tried where there is no such file: `read a b.txt` may mean `a b.txt`. */
  readonly longerPath?: string;
}

/** The hint for a name: a bare one such as README is looked for, any other is taken as a path. */
export function hintOfName(name: string): FileHint {
  const patterns = patternsOfBareName(name);
  return { label: name, path: patterns.length > 0 ? null : name.replace(/^\.\//, ''), patterns };
}

/** The file that a request is about, or null: a path in it, a described file ("the config file"), or what a pronoun stands for. */
export function fileHintIn(utterance: Utterance, lastFile: string | null): FileHint | null {
  return namedHintIn(utterance) ?? describedHintIn(utterance.lower, utterance.language) ?? pronounHintIn(utterance, lastFile);
}

/** The file that a request names by its path, or null. */
export function namedHintIn(utterance: Utterance): FileHint | null {
  const named = utterance.paths.find((mark) => !looksLikeFolder(mark.text));
  if (named === undefined) return null;
  const hint = hintOfName(named.text);
  const before = named.isQuoted || hint.path === null ? null : wordsBefore(utterance.text);
  return before === null ? hint : { ...hint, longerPath: `${before} ${named.text}` };
}

/** A text without the words that describe a file, so that they are not taken for what is asked of it. */
export function withoutDescribedFiles(text: string): string {
  return describedFiles.reduce((rest, file) => rest.replace(new RegExp(file.cue, 'i'), ' '), text);
}

/** The file that a request describes without its name ("the config file"), or null. */
export function describedHintIn(lower: string, language: Language): FileHint | null {
  const described = describedFiles.find((file) => new RegExp(file.cue, 'i').test(lower));
  return described === undefined ? null : { label: described.label[language], path: null, patterns: described.patterns };
}

function pronounHintIn(utterance: Utterance, lastFile: string | null): FileHint | null {
  return lastFile !== null && hasCue(utterance.text, 'pronoun') ? hintOfName(lastFile) : null;
}

// The plain words between a verb of showing and the path, where the request is no more than that.
function wordsBefore(text: string): string | null {
  return SHOWN_NAME.exec(text)?.groups?.['words'] ?? null;
}

const SHOWN_NAME = new RegExp(
  `^(?:(?:read|open|show|cat|display|print|view|see|look at)(?: me)?(?: the)?(?: file)? +|(?:读|读一下|读取|看|看看|看一下|打开|显示|查看)(?:文件)?\\s*)(?<words>(?!(?:me|the|file|lines?|from)\\b)[\\w()-]+(?: +(?!(?:of|in|from)\\b)[\\w()-]+){0,4}) +${PATH}$`,
  'i',
);
