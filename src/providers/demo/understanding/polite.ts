import words from './polite-words.json' with { type: 'json' };

const BEFORE = new RegExp(
  `^(?:(?:${words.before.join('|')})(?=[\\s,.!:;]|$)|(?:${words.beforeZh.join('|')}))[\\s,，.。!！:：;；、~]*`,
  'iu',
);
const AFTER = new RegExp(
  `(?<!(?:行|是|写|写入|内容|：|:|say|says|saying|content|with|to|为|成)\\s*)[\\s,，.。!！?？~、]*(?:(?<![\\w-])(?:${words.after.join('|')})|(?:${words.afterZh.join('|')}))[\\s.。!！?？~]*$`,
  'iu',
);

/** A request without the words that only make it polite. A text that has nothing else is left as it is. */
export function withoutPoliteWords(text: string): string {
  let core = text.trim();
  for (;;) {
    const shorter = core.replace(BEFORE, '').replace(AFTER, '').trim();
    if (shorter === core || shorter === '') return core;
    core = shorter;
  }
}
