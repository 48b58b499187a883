import { fileHintIn, hintOfName } from './file-hint.ts';
import { contentOf } from './file-content.ts';
import { lineRangeIn } from './line-range.ts';
import { placeIn } from './place.ts';
import type { Background, Guess } from './task.ts';
import type { Utterance } from './utterance.ts';

const DELETE = /^(?:delete|remove|drop|erase|cut)\s+(?:the\s+)?(?<line>line\s+(?:number\s+)?#?\d+|(?:first|last) line)$/i;
const REPLACE =
  /^(?:replace|change|set|overwrite|rewrite|edit)\s+(?:the\s+)?(?<line>line\s+(?:number\s+)?#?\d+|(?:first|last) line)\s+(?:with|to|by|into|as|to read|to say)\s+(?<to>.+)$/is;
const DELETE_ZH = /^(?:把|将)?\s*(?:删除|删掉|去掉|移除|删了|删)(?:掉|了)?$/;
const REPLACE_ZH = /^(?:把|将)?\s*(?:整行)?\s*(?:替换成|替换为|换成|换为|改成|改为|变成|修改为|修改成|写成)\s*(?<to>.+)$/s;

/** Understands changes of whole lines: "delete line 2 of F", "replace the last line of F with X", 把 F 第 3 行改成 X. */
export function recogniseLineChange(utterance: Utterance, background: Background): Guess | null {
  const { files, line: namedLine, rest } = placeIn(utterance);
  const found = DELETE.exec(rest) ?? REPLACE.exec(rest);
  const inChinese = namedLine === null ? null : (DELETE_ZH.exec(rest) ?? REPLACE_ZH.exec(rest));
  const line = found === null ? namedLine : (lineRangeIn(found.groups?.['line'] ?? '')?.from ?? null);
  const match = found ?? inChinese;
  const file = files[0] === undefined ? fileHintIn(utterance, background.lastFile) : hintOfName(files[0]);
  if (match === null || line === null || file === null) return null;
  const words = match.groups?.['to'];
  const to = words === undefined ? '' : contentOf(utterance, words);
  if (to === null) return null;
  const task = {
    intent: 'replace',
    file,
    subject: '',
    reading: words === undefined ? 'line_out' : 'line',
    from: null,
    to,
    reach: 'unsaid',
    line,
    alsoIn: [],
    isProjectWide: false,
  } as const;
  return { score: 91, task };
}
