/**
 * A request to change text, cut into its operands, still with marks.
 * `verb`: replace means text, set and make a value, change either, turn only text that is clearly marked, delete has no `to`.
 */
export interface ReplaceForm {
  readonly verb: 'replace' | 'set' | 'make' | 'change' | 'turn' | 'delete';
  readonly subject: string;
  readonly from: string | null;
  readonly to: string;
  readonly isGlobal: boolean;
}

/** The first form that a request without its place has, or null. */
export function replaceFormIn(text: string): ReplaceForm | null {
  const core = text.replace(AFTERTHOUGHT, '');
  const switched = switchFormIn(core);
  if (switched !== null) return switched;
  for (const [verb, pattern] of FORMS) {
    const found = pattern.exec(core)?.groups;
    if (found?.['subject'] === undefined) continue;
    return {
      verb,
      subject: found['subject'],
      from: found['from'] ?? null,
      to: found['to'] ?? '',
      isGlobal: (found['flags'] ?? '').includes('g'),
    };
  }
  return null;
}

const ON =
  /\b(?:turn|switch)\s+on\s+(?<subject>.+)$|\b(?:turn|switch)\s+(?<before>\S.*?)\s+on$|\b(?:enable|activate)\s+(?<plain>.+)$|^(?:把|将)\s*(?<zh>\S.*?)\s*(?:打开|开启|启用)$|^(?:开启|启用)(?:一下)?\s*(?<zhAfter>\S.*)$/is;
const OFF =
  /\b(?:turn|switch)\s+off\s+(?<subject>.+)$|\b(?:turn|switch)\s+(?<before>\S.*?)\s+off$|\b(?:disable|deactivate)\s+(?<plain>.+)$|^(?:把|将)?\s*(?<zh>\S.*?)\s*(?:关掉|关闭|关了|禁用|停用)$|^(?:关掉|关闭|禁用|停用)(?:一下)?\s*(?<zhAfter>\S.*)$/is;

// "turn debug off" sets a value to false.
function switchFormIn(core: string): ReplaceForm | null {
  for (const [pattern, to] of [
    [ON, 'true'],
    [OFF, 'false'],
  ] as const) {
    const subject = Object.values(pattern.exec(core)?.groups ?? {}).find((found) => found !== undefined);
    if (subject !== undefined) return { verb: 'make', subject, from: null, to, isGlobal: false };
  }
  return null;
}

// "… and run the tests": the second wish is for a turn of its own.
const AFTERTHOUGHT =
  /(?:[,;，；]?\s*(?:and|then)\s+(?:then\s+)?(?:run|show|tell|test|save|check|report|let me|give)\b.*|[，,；;]?\s*(?:然后|并且?|接着|再|之后)(?:帮我|把)?(?:运行|跑|显示|告诉|测试|保存|检查|给我).*)$/is;

const SET =
  '(?:set(?:ting)?|updat(?:e|ing)|bump(?:ing)?|adjust(?:ing)?|increas(?:e|ing)|decreas(?:e|ing)|rais(?:e|ing)|lower(?:ing)?|reduc(?:e|ing)|upgrad(?:e|ing)|downgrad(?:e|ing)|configure|assign)';
const CHANGE =
  '(?:chang(?:e|ing)|modify(?:ing)?|edit(?:ing)?|alter|switch(?:ing)?|correct(?:ing)?|fix(?:ing)?|mak(?:e|ing)|renam(?:e|ing))';
const BECOME =
  '替换成|替换为|替换到|替换掉?换成|换成|换为|换做|换到|改成|改为|改到|改作|改做|变成|变为|变作|修改为|修改成|修改到|更改为|更改成|改写成|改写为';
const BECOME_VALUE =
  '设置为|设置成|设为|设成|设定为|调成|调为|调到|调整为|调整成|调整到|更新为|更新成|更新到|升级到|升级为|升到|提高到|降低到|降到|增加到|减少到|赋值为';
const RENAME = '重命名为|重命名成|改名为|改名成|改名叫|改名|改叫|更名为|更名成';
const ADVERBS = '(?:都|全部|全|全都|统一|统统|一律|通通|直接|给)?\\s*';

const FORMS: readonly (readonly [ReplaceForm['verb'], RegExp])[] = [
  [
    'replace',
    /\bfind\s+(?<subject>\S.*?)\s+and\s+(?:replace|change|swap)\s+(?:it|them|that|all of (?:it|them))\s+(?:with|by|to|for|into)\s+(?<to>.+)$/is,
  ],
  [
    'set',
    /^(?<subject>\S.*?)\s+(?:should|must|needs to|has to)\s+be\s+(?<to>\S.*?),?\s+(?:instead of|rather than|and not|not)\s+(?<from>.+)$/is,
  ],
  ['replace', /\b(?:typo|misspell(?:ed|ing)|mistake)\s*[:,]?\s*(?<subject>\S+)\s+should (?:be|read|say)\s+(?<to>.+)$/is],
  ['replace', /(?:^|\s)s\/(?<subject>(?:[^/\\]|\\.)+)\/(?<to>(?:[^/\\]|\\.)*)\/(?<flags>[a-z]*)/],
  ['replace', /\bsubstitute\s+(?<to>.+?)\s+for\s+(?<subject>.+)$/is],
  ['replace', /\b(?:use|put|have|write)\s+(?<to>.+?)\s+(?:instead of|in place of|rather than)\s+(?<subject>.+)$/is],
  [
    'replace',
    /\b(?:replac(?:e|ing)|substitut(?:e|ing)|swap(?:ping)?(?: out)?|exchang(?:e|ing)|switch out)\s+(?<subject>.+?)\s+(?:with|by|for|to|into|->|→|=>)\s+(?<to>.+)$/is,
  ],
  [
    'change',
    new RegExp(`\\b(?:${SET}|${CHANGE})\\s+(?<subject>\\S.*?)\\s+from\\s+(?<from>.+?)\\s+(?:to|into)\\s+(?<to>.+)$`, 'is'),
  ],
  ['set', new RegExp(`\\b${SET}\\s+(?<subject>\\S.*?)\\s+(?:to be|to|as|at|=|->|→|=>)\\s+(?<to>.+)$`, 'is')],
  ['replace', /\brenam(?:e|ing)\s+(?<subject>\S.*?)\s+(?:to|into|as|->|→|=>)\s+(?<to>.+)$/is],
  ['change', new RegExp(`\\b${CHANGE}\\s+(?<subject>\\S.*?)\\s+(?:to be|to read|to say|to|into|=|->|→|=>)\\s+(?<to>.+)$`, 'is')],
  ['turn', /\b(?:turn|convert|transform)\s+(?<subject>\S.*?)\s+(?:into|to)\s+(?<to>.+)$/is],
  [
    'set',
    /\bmake\s+(?<subject>(?:the|its)\s+\S.*?)\s+(?:be\s+|equal\s+(?:to\s+)?)?(?<to>[\uE000-\uE2FF]|\S*\d\S*|true|false|null)$/is,
  ],
  ['set', /^(?<subject>the\s+.+?)\s+(?:should|must|needs to|has to|ought to)\s+(?:be|become|read|say|equal)\s+(?<to>.+)$/is],
  ['replace', /\bso (?:that )?(?<subject>\S.*?)\s+(?:becomes|turns into)\s+(?<to>.+)$/is],
  ['set', /\bso (?:that )?(?<subject>(?:the|its)\s+\S.*?)\s+(?:is|becomes|equals|reads|says)\s+(?<to>.+)$/is],
  ['make', /\bmake\s+(?<subject>(?:the|its)\s+\S.*?)\s+(?:be\s+)?(?<to>\S+)$/is],
  [
    'change',
    /^(?:i|we)(?:'d| would)? (?:want|like|need)\s+(?<subject>(?!to\b)\S.*?)\s+to\s+(?:be|become|read|say|be replaced (?:with|by)|be changed (?:in)?to)\s+(?<to>.+)$/is,
  ],
  ['replace', /^(?<subject>\S+)\s*(?:->|→|=>)\s*(?<to>\S+)$/],
  ['delete', /^(?:remove|delete|drop|strip|erase|get rid of|take out|cut out)\s+(?<subject>.+)$/is],
  ['replace', /(?:用|拿|以)\s*(?<to>.+?)\s*(?:来|去)?(?:替换掉?|代替|取代|替代|换掉|替掉)\s*(?<subject>.+)$/s],
  [
    'change',
    new RegExp(
      `^(?:.*(?:把|将))?\\s*(?<subject>[^由从]+?)\\s*(?:由|从)\\s*(?<from>.+?)\\s*${ADVERBS}(?:${BECOME}|${BECOME_VALUE}|到)\\s*(?<to>.+)$`,
      's',
    ),
  ],
  ['set', new RegExp(`(?:把|将)?\\s*(?<subject>\\S.*?)\\s*${ADVERBS}(?:${BECOME_VALUE})\\s*(?<to>.+)$`, 's')],
  ['replace', new RegExp(`^(?:.*(?:把|将))?\\s*(?<subject>\\S.*?)\\s*${ADVERBS}(?:${RENAME})\\s*(?<to>.+)$`, 's')],
  ['set', /^(?<subject>\S.*?)\s*(?:应该|应当|必须|需要|得)(?:是|为|改成|改为|设为|变成)\s*(?<to>\S+)$/s],
  ['replace', /(?:用|拿)\s*(?<to>\S.*?)\s*(?:把|将)\s*(?<subject>\S.*?)\s*(?:都|全部)?(?:换掉|替换掉?|替掉|取代|代替)$/s],
  ['change', new RegExp(`^(?:.*(?:把|将))?\\s*(?<subject>\\S.*?)\\s*${ADVERBS}(?:${BECOME}|->|→|=>)\\s*(?<to>.+)$`, 's')],
  ['change', /(?:替换|修改|更改|更换|重命名|改)(?:一下)?\s*(?<subject>\S.*?)\s*(?:为|成|到|->|→)\s*(?<to>.+)$/s],
  ['set', /(?:设置|设定|调整|更新)(?:一下)?\s*(?<subject>\S.*?)\s*(?:为|成|到)\s*(?<to>.+)$/s],
  ['delete', /(?:把|将)?\s*(?<subject>\S.*?)\s*(?:都|全部|全)?(?:删除|删掉|去掉|移除|去除|删了|拿掉|清除|删)(?:掉|了)?$/s],
  ['delete', /^(?:删除|删掉|去掉|移除|去除|清除)(?:掉|了)?\s*(?<subject>\S.*)$/s],
];
