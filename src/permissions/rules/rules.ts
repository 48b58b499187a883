import type { Decision, PermissionRule, RuleOffer, RuleScope } from '../../core/permission.ts';
import type { Tool } from '../../core/tool.ts';
import { isTooWide } from '../../shell/wide-rules.ts';
import { commandPattern, isServerRule, subjectOfRule } from './rule-pattern.ts';

const RULE = /^([A-Za-z][\w-]*|mcp__[\w-]+__\*)(?:\((.*)\))?$/s;

interface RuleHead {
  readonly behavior: Decision;
  readonly scope: RuleScope;
  readonly origin: string;
}

/** Rule text as it is written and shown: `Bash(npm test)`, `ReadFile`. */
export function renderRule({ tool, specifier }: Pick<PermissionRule, 'tool' | 'specifier'>): string {
  return specifier === null ? tool : `${tool}(${specifier})`;
}

/** An offer as one line: the rule, and what is kept along with it. */
export function renderOffer({ besides = [], ...rule }: RuleOffer): string {
  return [rule, ...besides].map(renderRule).join(' and ');
}

/** Reads a rule. Returns why it is none; such a rule matches nothing. */
export function parseRule(text: string, head: RuleHead, tools: readonly Tool[]): PermissionRule | { readonly fault: string } {
  const [, written = '', pattern] = RULE.exec(text.trim()) ?? [];
  const tool = tools.find(({ name, aliases }) => name === written || aliases?.snakeCase === written);
  const name = tool?.name ?? written;
  const specifier = pattern === undefined || isEverything(pattern) ? null : pattern.trim();
  const fault =
    parenthesisFault(text.trim()) ?? faultOf({ name, specifier, tool: tool ?? null }, head.behavior, subjectOfRule(name, tools));
  if (fault !== null) return { fault: `The rule "${text}" (${head.origin}) ${fault}. It matches nothing.` };
  return { behavior: head.behavior, tool: name, specifier, scope: head.scope, origin: head.origin };
}

/** Splits a list of rules at commas and spaces outside parentheses. What does not close is one rule with all that follows, to be told as such. */
export function splitRules(text: string): string[] {
  const rules: string[] = [];
  let rule = '';
  let depth = 0;
  for (const character of text) {
    if (depth <= 0 && /[\s,]/.test(character)) {
      rules.push(rule);
      rule = '';
      depth = 0;
      continue;
    }
    rule += character;
    if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
  }
  return [...rules, rule].filter((one) => one !== '');
}

/** What is wrong with the parentheses of a rule, or null. Those that a command quotes are its own. */
function parenthesisFault(text: string): string | null {
  const plain = text.replace(/\\.|'[^']*'|"[^"]*"/gs, '');
  const balance = plain.split('(').length - plain.split(')').length;
  if (balance > 0 && !RULE.test(text)) return 'has a parenthesis that does not close';
  return balance < 0 && plain.endsWith('))') ? 'closes more parentheses than it opens' : null;
}

function isEverything(pattern: string): boolean {
  return ['*', ':*'].includes(pattern.trim());
}

interface WrittenRule {
  readonly name: string;
  readonly specifier: string | null;
  readonly tool: Tool | null;
}

function faultOf(
  { name, specifier, tool }: WrittenRule,
  behavior: Decision,
  subject: ReturnType<typeof subjectOfRule>,
): string | null {
  if (subject === null) return 'names no tool';
  if (specifier === '') return 'has an empty pattern';
  if (specifier === null) {
    const allowsAnything = behavior === 'allow' && (subject === 'command' || tool?.isDestructive === true);
    return allowsAnything && !isServerRule(name)
      ? `would allow everything that ${name} can do; name what, as in ${name}(npm test)`
      : null;
  }
  switch (subject) {
    case 'command':
      return commandFault(specifier, behavior);
    case 'path':
      return specifier.split('/').includes('..')
        ? 'leads out of the workspace; write that place from the root, as in /srv/data/**'
        : null;
    case 'host':
      return /^domain:[^\s/*]+$/.test(specifier) ? null : 'has a pattern that is not like domain:example.org';
    case 'none':
      return `has a pattern, and rules for ${name} can have none`;
  }
}

function commandFault(specifier: string, behavior: Decision): string | null {
  const pattern = commandPattern(specifier);
  if (pattern === null) return 'has a quote that does not close';
  const star = /(?:^|\s)([\w-]+)\*$/.exec(specifier)?.[1];
  if (star !== undefined) return `ends with a star that stands for itself; all that begins with ${star} is ${star}:*`;
  if (/:\*./s.test(specifier)) return 'has :* before its end, where it stands for itself';
  const mixed = pattern.words.find(isOfMixedScript);
  if (mixed !== undefined) return `has a word of letters that only look alike: ${mixed}`;
  const breadth = behavior === 'allow' && pattern.isPrefix ? isTooWide(pattern.words) : null;
  return breadth === null ? null : `is too wide: ${breadth}`;
}

/** A word of Latin letters with others among them, which look the same, is no name of a program. */
function isOfMixedScript(word: string): boolean {
  return /\p{Script=Latin}/u.test(word) && /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u.test(word);
}
