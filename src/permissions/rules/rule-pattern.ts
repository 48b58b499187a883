import { isAbsolute, relative } from 'node:path';
import { isWithin } from '../../core/footprint.ts';
import { globMatcher } from '../../core/glob-matcher.ts';
import type { Decision, PermissionRule } from '../../core/permission.ts';
import type { Tool } from '../../core/tool.ts';
import { commandWords } from './command-words.ts';

/** The words of a rule about commands. `text` is the command as the rule writes it. */
export interface CommandPattern {
  readonly words: readonly string[];
  readonly isPrefix: boolean;
  readonly text: string;
}

/** A rule whose pattern was read once, in each way in which it can be meant. Without a pattern it speaks of all that its tool does. */
export interface ReadyRule {
  readonly rule: PermissionRule;
  readonly command: CommandPattern | null;
  readonly path: PathPattern | null;
  readonly host: string | null;
}

export interface PathPattern {
  /** An absolute pattern can speak of what is outside the workspace. */
  readonly isAbsolute: boolean;
  /** Takes a real path. */
  matches(path: string): boolean;
}

/** Names that stand for several tools. */
const TOOLS_OF_NAME: Readonly<Record<string, readonly string[]>> = {
  Edit: ['WriteFile', 'EditFile', 'ApplyPatch'],
  Write: ['WriteFile', 'EditFile', 'ApplyPatch'],
  Read: ['ReadFile', 'Grep', 'Glob', 'GitDiff', 'GitStatus'],
};

/** What the pattern of a rule by this name is about, or null where there is no such name. `none`: it can have no pattern. */
export type RuleSubject = 'command' | 'path' | 'host' | 'none';

/** A rule's name without regard to which tools there are just now. */
export function isServerRule(name: string): boolean {
  return name.startsWith('mcp__');
}

/** What the pattern of a rule by this name speaks of, or null where nothing has that name. */
export function subjectOfRule(name: string, tools: readonly Pick<Tool, 'name' | 'category'>[]): RuleSubject | null {
  if (isServerRule(name)) return 'none';
  if (name === 'Network') return 'command';
  if (name === 'WebFetch') return 'host';
  if (Object.hasOwn(TOOLS_OF_NAME, name)) return 'path';
  switch (tools.find((tool) => tool.name === name)?.category) {
    case undefined:
      return null;
    case 'shell':
      return 'command';
    case 'file':
    case 'search':
    case 'git':
      return 'path';
    case 'web':
      return 'host';
    default:
      return 'none';
  }
}

/** Reads the pattern of a rule. One that cannot be read matches nothing. */
export function readyRule(rule: PermissionRule, place: { readonly root: string; readonly home: string }): ReadyRule {
  const { specifier } = rule;
  if (specifier === null) return { rule, command: null, path: null, host: null };
  const host = specifier.startsWith('domain:') ? specifier.slice('domain:'.length).toLowerCase() : null;
  return { rule, command: commandPattern(specifier), path: pathPattern(placed(rule.behavior, specifier), place), host };
}

/** `npm test` is that command and no other; `git diff:*` and `git diff *` are all that begin with these words. */
export function commandPattern(specifier: string): CommandPattern | null {
  const text = specifier.trim();
  const beginning = /^(.*?)(?::\*|\s+\*)$/s.exec(text)?.[1];
  const words = commandWords(beginning ?? text);
  return words === null || words.length === 0 ? null : { words, isPrefix: beginning !== undefined, text };
}

/** A rule that refuses a bare name means it wherever it stands; one that allows means it in the workspace's own folder. */
function placed(behavior: Decision, specifier: string): string {
  return behavior === 'allow' || specifier.includes('/') ? specifier : `**/${specifier.trim()}`;
}

function pathPattern(specifier: string, { root, home }: { readonly root: string; readonly home: string }): PathPattern {
  const text = specifier.trim().replace(/^\.\//, '');
  const absolute = text.startsWith('~/') ? home + text.slice(1) : text.replace(/^\/+/, '/');
  const matches = globMatcher(isAbsolute(absolute) ? absolute.slice(1) : text);
  if (isAbsolute(absolute)) return { isAbsolute: true, matches: (path) => matches(path.slice(1)) };
  return { isAbsolute: false, matches: (path) => isWithin(path, root) && matches(relative(root, path)) };
}

/** True where a rule is about this tool, whatever its pattern. A rule for a built-in tool never speaks of a server's, however that one is named. */
export function speaksOfTool({ tool: name }: PermissionRule, tool: Pick<Tool, 'name' | 'category'>): boolean {
  const isServerTool = tool.category === 'mcp' || isServerRule(tool.name);
  if (isServerTool !== isServerRule(name)) return false;
  if (!isServerTool)
    return name === tool.name || (Object.hasOwn(TOOLS_OF_NAME, name) && TOOLS_OF_NAME[name]?.includes(tool.name) === true);
  const server = name.replace(/__\*$/, '');
  return name === tool.name || (server.split('__').length === 2 && tool.name.startsWith(`${server}__`));
}
