import { commandIn } from './command-words.ts';
import { hasCue } from './cues.ts';
import { namedHintIn } from './file-hint.ts';
import { searchTermIn } from './search-term.ts';
import type { Guess, GitTask } from './task.ts';
import type { Utterance } from './utterance.ts';

/** Understands questions about a name in code: "how does createAgent work", "explain the function priceAfter". */
export function recogniseDefinition(utterance: Utterance): Guess | null {
  const { lower } = utterance;
  if (namedHintIn(utterance) !== null) return null;
  const term = searchTermIn(utterance);
  const name =
    term !== null && term.isMarked
      ? term.label
      : (/\b(?:the )?(?:function|class|method|type|interface)\s+(?:called |named )?([A-Za-z_]\w*)|(?:函数|类|方法|接口)\s*([A-Za-z_]\w*)|([A-Za-z_]\w*)\s*(?:这个)?(?:函数|类|方法|接口)/
          .exec(utterance.text)
          ?.slice(1)
          .find((found) => found !== undefined) ?? null);
  if (name === null || !/^[A-Za-z_$][\w$]*$/.test(name) || /^[A-Z]{3,}$/.test(name)) return null;
  const explains =
    hasCue(lower, 'describe') ||
    /\b(?:show|read|see|open|display|go to|jump to|view|print)\b|看看|看一下|展示|显示|给我看|打开/.test(lower);
  const asksPlace = hasCue(lower, 'where') || hasCue(lower, 'search') || (hasCue(lower, 'used') && !hasCue(lower, 'describe'));
  return explains && !asksPlace ? { score: 70, task: { intent: 'definition', name } } : null;
}

/** Understands questions about the state and history of the git repository. */
export function recogniseGit(utterance: Utterance): Guess | null {
  const { lower } = utterance;
  const command = commandIn(utterance);
  const isOtherCommand = command !== null && (hasCue(lower, 'runVerb') || !/^git (?:status|diff|log)$/.test(command));
  if (utterance.quotes.length > 0 || isOtherCommand) return null;
  const since = sinceIn(lower);
  if (since !== null) return { score: 83, task: { intent: 'git', of: 'log', since } };
  const of: GitTask['of'] | null = /\bwhat.*chang(?:ed|es)\b.*\bsince\b/.test(lower)
    ? 'diff'
    : hasCue(lower, 'gitLog')
      ? 'log'
      : hasCue(lower, 'gitStatus')
        ? 'status'
        : hasCue(lower, 'gitDiff') && utterance.paths.length === 0
          ? 'diff'
          : null;
  return of === null ? null : { score: 83, task: { intent: 'git', of, since: null } };
}

// "what changed since yesterday?" asks for history, unlike "since the last commit". Git takes "today" for this very moment.
function sinceIn(lower: string): string | null {
  if (!hasCue(lower, 'changed')) return null;
  const time = SINCE.exec(lower)?.groups?.['time'] ?? SINCE_ZH.find(([form]) => form.test(lower))?.[1];
  const days =
    /([\d一二两三四五六七八九十]+) ?(天|周|个?星期|个月|小时)(?:以来|之?内|以内|里|前)|(?:最近|过去|近)([\d一二两三四五六七八九十]+) ?(天|周|个?星期|个月|小时)/.exec(
      lower,
    );
  if (time === undefined)
    return days === null
      ? null
      : `${numberOf(days[1] ?? days[3] ?? '')} ${UNITS[(days[2] ?? days[4])?.replace('个', '') ?? ''] ?? 'days'} ago`;
  return /^(?:today|this morning)$/.test(time) ? 'midnight' : time;
}

const SINCE =
  /\bsince (?:the )?(?<time>yesterday|today|this morning|last (?:week|month|year|night|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d+ (?:minute|hour|day|week|month|year)s? ago|\d{4}-\d{2}-\d{2})\b/;
const SINCE_ZH: readonly (readonly [RegExp, string])[] = [
  [/昨天/, 'yesterday'],
  [/今天/, 'today'],
  [/上(?:个)?(?:周|星期)/, 'last week'],
  [/上个?月/, 'last month'],
];
const UNITS: Readonly<Record<string, string>> = { 天: 'days', 周: 'weeks', 星期: 'weeks', 月: 'months', 小时: 'hours' };

function numberOf(digits: string): number {
  const han = '一二三四五六七八九十'.indexOf(digits.replace('两', '二'));
  return han === -1 ? Number(digits) : han + 1;
}
