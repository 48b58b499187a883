import { contentWords } from './content-words.ts';
import { hasCue } from './cues.ts';
import { type FileHint, fileHintIn, hintOfName } from './file-hint.ts';
import { marksIn, PATH } from './marks.ts';
import { type Operand, operandOf, quotedAfterWords } from './operands.ts';
import { placeIn } from './place.ts';
import { type ReplaceForm, replaceFormIn } from './replace-forms.ts';
import type { Background, Guess, ReplaceTask } from './task.ts';
import type { Utterance } from './utterance.ts';

/** Understands "replace A with B in F" in its many forms, changes of a value ("set the port to 5433") and deletions of text. */
export function recogniseReplace(utterance: Utterance, background: Background): Guess | null {
  const place = placeIn(utterance);
  const form = replaceFormIn(place.rest);
  if (form === null || (place.files.length === 0 && isWholeFile(form.subject))) return null;
  const [first, ...others] = place.files.map(hintOfName);
  const task = taskOf(utterance, form, first ?? fileHintIn(utterance, background.lastFile));
  if (!isPlausible(task, form, utterance)) return null;
  return { score: 90, task: { ...task, alsoIn: others, line: place.line } };
}

// "delete a.txt", "rename a.txt to b.txt": the file itself is meant.
function isWholeFile(subject: string): boolean {
  return new RegExp(`^(?:(?:the\\s+)?file\\s+|文件\\s*)?${PATH}(?:\\s*(?:file|文件))?$`, 'i').test(subject.trim());
}

function taskOf(utterance: Utterance, form: ReplaceForm, file: FileHint | null): ReplaceTask {
  const subject = operandOf(utterance, form.subject);
  const split = form.from === null && form.verb !== 'delete' ? quotedAfterWords(utterance, form.subject) : null;
  const isValueSplit = split !== null && contentWords(split.words).some((word) => word.concept !== null);
  const named = isValueSplit ? { text: split.words, isLiteral: false, isDescribed: true } : subject;
  const from = isValueSplit ? split.quoted : form.from === null ? null : operandOf(utterance, form.from).text;
  return {
    intent: 'replace',
    file,
    subject: named.text,
    reading: readingOf(named, form),
    from,
    to: form.verb === 'delete' ? '' : operandOf(utterance, form.to).text,
    reach: reachOf(utterance, form),
    line: null,
    alsoIn: [],
    isProjectWide: file === null && hasCue(utterance.lower, 'projectWide'),
  };
}

// "change the port to 1" means a value, "replace port with 1" the text.
function readingOf(subject: Operand, form: ReplaceForm): ReplaceTask['reading'] {
  if (form.verb === 'delete') return /\bthe line\b|这一?行|那一?行|整行/i.test(form.subject) ? 'line_out' : 'text';
  if (form.verb === 'set' || form.verb === 'make' || subject.isDescribed) return 'value';
  if (form.verb === 'replace' || form.verb === 'turn') return 'text';
  const isHanConcept =
    !subject.isLiteral &&
    /\p{Script=Han}/u.test(subject.text) &&
    contentWords(subject.text).some((word) => word.concept !== null);
  return isHanConcept ? 'value' : 'either';
}

function reachOf(utterance: Utterance, form: ReplaceForm): ReplaceTask['reach'] {
  if (hasCue(form.subject, 'first') || hasCue(utterance.lower, 'first')) return 'first';
  // A name that is part of a longer one is another name, however far a renaming goes.
  if (/\brename\b|重命名|改名|更名/i.test(utterance.text)) return 'unsaid';
  // "in all files" says where, not that parts of longer words are meant.
  return form.isGlobal || hasCue(utterance.lower.replaceAll(ALL_FILES, ' '), 'all') ? 'all' : 'unsaid';
}

const ALL_FILES = /\b(?:all|every|each)(?: of)?(?: the)?(?: \w+)? files?\b|(?:所有|全部|每个)的?文件/g;

// The verbs of change are common words; without a place or a literal they mean something else ("turn this into a class").
function isPlausible(task: ReplaceTask, form: ReplaceForm, utterance: Utterance): boolean {
  if (
    task.subject === '' ||
    /^(?:it|this|that|them|these|those|它|这个|那个)$/i.test(task.subject) ||
    (task.to === '' && form.verb !== 'delete' && marksIn(utterance, form.to).length === 0)
  )
    return false;
  if (/^了?(?:多少|什么|啥|哪|几|谁|吗|怎么)/.test(task.to)) return false;
  const hasPlace = task.file !== null || task.isProjectWide;
  if (form.verb === 'delete') return hasPlace && isDeletable(utterance, form.subject);
  if (form.verb === 'make') return hasPlace && contentWords(form.subject).length > 0 && !new RegExp(PATH).test(form.subject);
  if (form.verb === 'turn') return hasPlace && operandOf(utterance, form.subject).isLiteral;
  const { isLiteral } = operandOf(utterance, form.subject);
  if (/\b(?:bug|error|issue|problem|tests?)\b/i.test(task.subject) && !isLiteral) return false;
  return hasPlace || isLiteral || contentWords(task.subject).length > 0;
}

// "remove foo from a.txt" means the text; "remove comments from a.ts" would take judgement.
function isDeletable(utterance: Utterance, subject: string): boolean {
  if (marksIn(utterance, subject).length > 0 || /\b(?:word|text|string|phrase|line)\b|单词|文字|字样|这行|字符串/.test(subject))
    return true;
  const { text, isLiteral } = operandOf(utterance, subject);
  const isKind =
    /^(?:comments?|tests?|code|functions?|imports?|dependencies|whitespace|spaces|lines?|logs?|logging|types?|everything|it|that|this|all|duplicates?|unused.*|dead.*|blank.*|empty.*)$|注释|代码|函数|空行|日志|依赖|测试|文件|内容/i.test(
      text,
    );
  return isLiteral || (!isKind && /^\S+$/.test(text));
}
