import { hasCue } from './cues.ts';
import { ANY_MARK, sourceOf, unmark } from './marks.ts';
import programs from './programs.json' with { type: 'json' };
import type { Utterance } from './utterance.ts';

const PROGRAMS = new Set(programs.programs);
const PLAIN_WORDS = new Set(programs.plainWords);

/** Whether a text begins with the name of a program. */
export function startsWithProgram(text: string): boolean {
  return PROGRAMS.has(text.trim().split(/\s/)[0] ?? '') || /^\.{1,2}\/\S+/.test(text.trim());
}

/** The shell command that a request tells to run, or null. It is passed on exactly as written. */
export function commandIn(utterance: Utterance): string | null {
  // Who asks what a command would do does not tell to run it, unless it is its output that is asked for.
  if (hasCue(utterance.lower, 'asking') && !ASKS_OUTPUT.test(utterance.lower)) return null;
  return commandAfterVerb(utterance) ?? quotedCommand(utterance) ?? bareCommand(utterance);
}

const ASKS_OUTPUT =
  /^what (?:does|will|would)\b.*\b(?:print|output|say|show|return|give)s?\b|^what(?:'s| is) the (?:output|result)\b|输出(?:是)?什么|(?:结果|输出)是|会(?:输出|打印|显示)/;

function quotedCommand(utterance: Utterance): string | null {
  const quote = utterance.marks.find((mark) => mark.isQuoted && (mark.kind === 'quote' || startsWithProgram(mark.text)));
  if (quote === undefined) return null;
  const isOrder =
    hasCue(utterance.lower, 'runVerb') ||
    /\bcommand\b|命令/.test(utterance.lower) ||
    unmark(utterance, utterance.text).trim() === quote.text ||
    ASKS_OUTPUT.test(utterance.lower);
  const isProgram = startsWithProgram(quote.text) || (FOLLOWS_VERB.test(utterance.text) && /^[\w./-]+(?:\s|$)/.test(quote.text));
  return isOrder && isProgram && !SEARCHES.test(utterance.lower) ? quote.text : null;
}

// What is quoted right behind "run" is a command, whatever program it names.
const FOLLOWS_VERB = new RegExp(
  `(?:\\b(?:run|execute|exec|launch)|运行|执行|跑|敲)(?:一下|下|一遍)?\\s*(?:(?:the|this|following|shell)\\s+)*(?:commands?|命令|指令)?\\s*[:：]?\\s*${ANY_MARK}`,
  'i',
);
const SEARCHES = /^(?:search|find|look|where|grep)\b|搜索|查找|哪里/;
const VERB =
  /\b(?:run|execute|exec|launch|invoke|try|type)(?:\s+|\s*:\s*)(?:(?:the|this|a|following|shell|bash|terminal)\b\s*)*(?:commands?\s*)?:?\s*(?<command>\S.*)$/is;
const VERB_ZH =
  /(?:运行|执行|跑|敲|输入)(?:一下|下|一遍|一次)?(?:这个|这条|以下|下面的?|如下)?(?:shell|终端|bash)?(?:命令|指令)?\s*[:：]?\s*(?<command>[\w./].*)$/s;
const VERB_FIRST_ZH = /^(?:把|用|将)\s*(?<command>[\w./-][^，。,；]*?)\s*(?:命令)?(?:运行|执行|跑)(?:一下|一遍|下)?$/s;
const AFTER_COMMAND =
  /(?:[\s,，;；]+(?:and|then)\s+(?:then\s+)?(?:show|tell|report|give|let|explain|see|paste|print|say)\b.*|\s+(?:for me|in (?:the |a )?(?:terminal|shell|bash)|command)|[\s,，；。]*(?:并|然后|再)?(?:把)?(?:看看|看一下|告诉我|给我看|结果|输出|这个命令|命令|一下).*)$/is;

function commandAfterVerb(utterance: Utterance): string | null {
  for (const verb of [VERB, VERB_ZH, VERB_FIRST_ZH]) {
    const words = verb.exec(utterance.text)?.groups?.['command'];
    if (words === undefined) continue;
    const command = sourceOf(utterance, words.replace(AFTER_COMMAND, '')).trim();
    if (startsWithProgram(command) && isCommandLine(command)) return command;
  }
  return null;
}

// The whole request is a command line: "npm test", "git status". "make a file" and "find all tests" are not.
function bareCommand(utterance: Utterance): string | null {
  const command = sourceOf(utterance, utterance.text).trim();
  const [program = '', ...rest] = command.split(/\s+/);
  if (!PROGRAMS.has(program) || OWN_INTENTS.has(program) || /\p{Script=Han}/u.test(command)) return null;
  if (PLAIN_WORDS.has(program) && (rest.length === 0 || !rest.some((word) => /^-|[./=|>]/.test(word))))
    return BARE_PAIRS.test(command) ? command : null;
  return isCommandLine(command) ? command : null;
}

// These have an intent of their own that answers better than the raw command.
const OWN_INTENTS = new Set(['cat', 'grep', 'rg', 'find', 'ls', 'head', 'tail', 'wc', 'tree', 'test', 'file', 'which']);
const BARE_PAIRS =
  /^(?:git (?:status|diff|log|branch|show|remote|stash|tag|blame|ls-files|rev-parse|shortlog)(?: \S+){0,2}|make (?!sure|it|this|that|me)[\w-]+|go (?:test|build|run|vet|version|mod)|docker (?:ps|images|version)|bundle (?:install|exec)|composer \w+|poetry \w+|bun \w+)$/;

function isCommandLine(command: string): boolean {
  const [program = '', next = ''] = command.split(/\s+/);
  return !(
    PLAIN_WORDS.has(program) &&
    /^(?:a|an|the|it|this|that|all|some|my|me|to|sure|files?|out|for|with|is|in|on|of|through|over|tests?|again|version)$/i.test(
      next,
    )
  );
}
