import { hasCue } from './cues.ts';
import { contentOf, HELLO_LEAD } from './file-content.ts';
import { folderIn } from './folder-words.ts';
import { PATH, QUOTE, unmark } from './marks.ts';
import programs from './programs.json' with { type: 'json' };
import { looksLikeFolder } from './path-words.ts';
import type { CreateTask, Guess } from './task.ts';
import type { Utterance } from './utterance.ts';

/** Understands "create F with the content X", "write X to F" and "append X to F". */
export function recogniseCreate(utterance: Utterance): Guess | null {
  return appendIn(utterance) ?? createIn(utterance);
}

const F = `(?<path>${PATH}|${QUOTE}|(?<=\\b(?:called|named)\\s|(?:叫做?|名为|名叫|命名为)\\s*)[\\w.-]+)`;
const FILE_LEAD = '(?:(?:a|the|an|my)\\s+)?(?:new\\s+)?(?:text\\s+)?(?:file\\s+)?(?:called\\s+|named\\s+)?';

const APPEND_FORMS = [
  new RegExp(
    `\\b(?:append|add|insert|(?:put|tack|attach|stick)(?=.*\\b(?:end|bottom)\\b))\\s+(?<content>\\S.*?)\\s+(?:to|at|onto|into|in)\\s+(?:the\\s+)?(?:very\\s+)?(?:(?:end|bottom|tail)\\s+of\\s+)?${FILE_LEAD}${F}`,
    'is',
  ),
  new RegExp(
    `(?:在|往|向|给)?\\s*${F}\\s*(?:这个)?(?:文件)?的?(?:里面?|中)?的?(?:末尾|结尾|最后面?|后面|尾部|底部|最后一行)?(?:面|处|后)?(?:再)?(?:追加|添加|加上|加入|加|插入|增加)(?:上|入)?(?:一|1)?(?:行|句话?|段)?(?:文字|内容|文本)?\\s*[:：]?\\s*(?<content>\\S.*)$`,
    's',
  ),
  new RegExp(
    `(?:在|往|向|给)\\s*${F}\\s*(?:这个)?(?:文件)?的?(?:里面?|中)?的?(?:末尾|结尾|最后面?|后面|尾部|底部)(?:面|处)?(?:再)?写(?:上|入)?(?:一|1)?(?:行|句话?)?\\s*[:：]?\\s*(?<content>\\S.*)$`,
    's',
  ),
  new RegExp(`(?:把|将)\\s*(?<content>\\S.*?)\\s*(?:追加|添加|附加|加)(?:到|在|进|至)\\s*${F}`, 's'),
];

const WRITE_FORMS = [
  new RegExp(`^(?:写入|写|保存|存|输出|放)\\s*(?<content>\\S.*?)\\s*(?:到|进|入|至)(?:一个)?(?:新的?)?(?:文件)?\\s*${F}`, 's'),
  new RegExp(
    `\\b(?:write|put|save|echo|store|dump)\\s+(?<content>(?!a (?:new )?file\\b|to\\b)\\S.*?)\\s+(?:to|into|in|inside|as)\\s+${FILE_LEAD}${F}`,
    'is',
  ),
  new RegExp(
    `(?:把|将)\\s*(?<content>\\S.*?)\\s*(?:写|存|保存|放|输出|填|储存)(?:入|到|进|成|为|在)?(?:一个)?(?:新的?)?(?:文件)?\\s*${F}`,
    's',
  ),
  new RegExp(
    `(?:在|往|向)\\s*${F}\\s*(?:这个)?(?:文件)?(?:里面?|中|内)?(?:写入|写上|写下|写|输入|填入|放入|填)(?:一行|一句话?|内容|文字)?\\s*[:：]?\\s*(?<content>\\S.*)$`,
    's',
  ),
];

const OVERWRITE_FORMS = [
  new RegExp(`(?:用|以|拿)\\s*(?<content>\\S.*?)\\s*(?:来|去)?(?:覆盖|覆写|重写)(?:掉)?\\s*(?:文件)?\\s*${F}`, 's'),
  new RegExp(
    `(?:把|将)?\\s*${F}\\s*(?:这个)?(?:文件)?的?(?:全部|所有|整个)?(?:内容)?(?:覆盖|重写|覆写)(?:为|成)\\s*(?<content>\\S.*)$`,
    's',
  ),
];

const NAMED_FORMS = [
  new RegExp(`\\b(?:create|make|write|add|new|generate|touch|start|set up|produce)\\b(?<before>.*?)${F}(?<after>.*)$`, 'is'),
  new RegExp(`(?:新建|创建|建立|新增|生成|添加|建|写|创|加)(?:一个|个|一份|份)?(?<before>.*?)${F}(?<after>.*)$`, 's'),
  new RegExp(`(?:^|\\s)${F}(?<after>.*?(?:文件)?(?:不存在)?.*?(?:新建|创建).*)$`, 's'),
];

function appendIn(utterance: Utterance): Guess | null {
  if (!hasCue(utterance.lower, 'append')) return null;
  for (const form of APPEND_FORMS) {
    const found = form.exec(utterance.text)?.groups;
    const content = found === undefined ? null : contentOf(utterance, found['content'] ?? '');
    const isNewFile = /^(?:一个|个)?(?:新)?文件/.test(found?.['content'] ?? '');
    const guess = content === null || isNewFile ? null : guessOf(utterance, found, { content, mode: 'append' });
    if (guess !== null) return guess;
  }
  return null;
}

function createIn(utterance: Utterance): Guess | null {
  const isCreation = hasCue(utterance.lower, 'create');
  const overwrites = hasCue(utterance.lower, 'overwrite');
  if (!isCreation && !overwrites) return null;
  const mode = overwrites ? 'overwrite' : 'create';
  for (const form of overwrites ? [...OVERWRITE_FORMS, ...WRITE_FORMS] : WRITE_FORMS) {
    const found = form.exec(utterance.text)?.groups;
    const content = found === undefined ? null : contentOf(utterance, found['content'] ?? '');
    const guess = content === null ? null : guessOf(utterance, found, { content, mode });
    if (guess !== null) return guess;
  }
  return namedFileIn(utterance, mode);
}

function namedFileIn(utterance: Utterance, mode: CreateTask['mode']): Guess | null {
  for (const form of [...NAMED_FORMS, OVERWRITE_FORM]) {
    const found = form.exec(utterance.text)?.groups;
    if (found === undefined || !isFilePlace(utterance, found['path'] ?? '')) continue;
    const around = `${found['before'] ?? ''}\n${found['after'] ?? ''}`;
    const content = emptyOrGreeting(utterance, around, found['path'] ?? '') ?? contentAround(utterance, found);
    if (content !== null) return guessOf(utterance, found, { content, mode });
  }
  return null;
}

const OVERWRITE_FORM = new RegExp(`\\b(?:overwrite|replace)\\b(?<before>.*?)${F}(?<after>.*)$`, 'is');

// What introduces the text of a file, before the text itself.
const CONTENT_LEAD =
  /(?:\b(?:with|containing|contains?|that (?:contains|says|reads|has)|which (?:contains|says|reads|has)|saying|says|whose (?:contents?|text) (?:is|are)|having|including|holding|reading|(?:its|the) (?:contents?|text|body)(?: should be| is| are|:)?|contents?(?: is| are|:|=)?|(?:and|then) (?:write|put|add|type)|write|put)\b|[:：]|(?:文件)?(?:里面|里|其中)?的?(?:内容|文本|正文|文字)(?:就|只|要)?(?:是|为|写|填|用|有|设为|如下)?|(?:里面|里|往里面?|并且?|然后|并在其中|在里面)?(?:写入|写上|写着|写下|填入|填上|输入|放入|包含|含有|写))(?:\s*(?:just|only|exactly|simply|这样)\s+)?/i;

function contentAround(utterance: Utterance, found: Readonly<Record<string, string>>): string | null {
  const after = withoutFileWord(found['after'] ?? '');
  if (isBlank(after) && !CONTENT_LEAD.test(found['before'] ?? '')) return isPlainName(found['before'] ?? '') ? '' : null;
  for (const side of [
    after,
    (found['before'] ?? '').replace(
      /[,，]?\s*(?:and\s+)?(?:called|named|name it|call it|save it(?: as)?|into|to|in|as|at|叫做?|名为|保存为|存为|命名为)\s*$/i,
      '',
    ),
  ]) {
    const lead = CONTENT_LEAD.exec(side);
    if (lead === null) continue;
    const content = contentOf(utterance, side.slice(lead.index + lead[0].length));
    if (content !== null) return content;
  }
  return new RegExp(`^[\\s,，]*${QUOTE}[\\s.]*$`).test(after) ? contentOf(utterance, after) : null;
}

function emptyOrGreeting(utterance: Utterance, around: string, path: string): string | null {
  if (/\b(?:empty|blank)\b|空白?的?(?:文件)?/i.test(around) && !/[:：]/.test(around)) return '';
  const lead = HELLO_LEAD.exec(around);
  const extension = unmark(utterance, path).split('.').at(-1)?.toLowerCase() ?? '';
  const template = (programs.greetingPrograms as Readonly<Record<string, string>>)[extension];
  if (lead === null || template === undefined) return null;
  const text = contentOf(utterance, around.slice(lead.index + lead[0].length));
  const name = unmark(utterance, path).split('/').at(-1)?.split('.')[0] ?? 'Main';
  return text === null || /["\\\n]/.test(text)
    ? null
    : `${template.replaceAll('{text}', () => text).replaceAll('{name}', () => name)}\n`;
}

function guessOf(
  utterance: Utterance,
  found: Readonly<Record<string, string>> | undefined,
  rest: { content: string; mode: CreateTask['mode'] },
): Guess | null {
  const path = found?.['path'] ?? '';
  if (!isFilePlace(utterance, path)) return null;
  const name = unmark(utterance, path);
  const folder = name.includes('/') || !/\b(?:in|under|inside)\b|在|下|里/.test(utterance.lower) ? null : folderIn(utterance);
  const place = folder === null ? name : `${folder}/${name}`;
  return { score: rest.mode === 'append' ? 86 : 85, task: { intent: 'create', path: place, ...rest } };
}

function isFilePlace(utterance: Utterance, path: string): boolean {
  const name = unmark(utterance, path);
  return new RegExp(PATH).test(path)
    ? !name.endsWith('/') && (!looksLikeFolder(name) || name.includes('/'))
    : /^[\w.-]+$/.test(name);
}

function withoutFileWord(after: string): string {
  return after.replace(/^\s*(?:file\b|文件)/i, '');
}

function isBlank(text: string): boolean {
  return text.replaceAll(/[\s,，.。;；、]|吧|出来|一下/g, '') === '';
}

// "create a file called", "新建一个文件": nothing that says what the file should do.
function isPlainName(before: string): boolean {
  return /^\s*(?:(?:a|an|the|new|another|text|file|called|named|with|name|script|document|me|markdown|一个|个|新的?|文本|名为|叫做?|名叫|文件|名字是|名字叫|为|一份|份)\s*)*$/i.test(
    before,
  );
}
