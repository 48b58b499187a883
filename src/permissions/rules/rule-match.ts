import { basename } from 'node:path';
import type { Resource } from '../../core/footprint.ts';
import type { PermissionRule } from '../../core/permission.ts';
import type { Tool } from '../../core/tool.ts';
import type { ShellPart } from '../../shell/report.ts';
import { mayRun } from './hidden-commands.ts';
import { type CommandPattern, type ReadyRule, speaksOfTool } from './rule-pattern.ts';

/** A part of a command, and the whole that it stands in. */
export interface CommandPart {
  readonly part: ShellPart;
  readonly command: string;
}

/**
 * The rules about commands that speak of a part. To refuse or to ask, a rule needs no more than the same words, wherever they stand;
 * where a word is known only at run time and may be the one that is meant, a rule that refuses asks.
 */
export function rulesOnPart(rules: readonly ReadyRule[], toolName: string, at: CommandPart): PermissionRule[] {
  return rules.flatMap(({ rule, command }) => {
    if (rule.tool !== toolName) return [];
    if (rule.behavior === 'allow') return command !== null && covers(command, at) ? [rule] : [];
    if (rule.specifier === null) return [rule];
    if (command === null) return [];
    const likeness = likenessTo(command, at);
    if (likeness === 'none') return [];
    return likeness === 'maybe' ? [{ ...rule, behavior: 'ask' as const }] : [rule];
  });
}

/** True where an allow rule lets all of a part pass. */
export function covers(pattern: CommandPattern, { part, command }: CommandPart): boolean {
  if (part.beyondRules !== null) return false;
  if (isWhole(pattern, command)) return true;
  if (part.words.length === 0) return false;
  if (pattern.isPrefix) return part.beyondPrefix === null && beginsWith(part.words, pattern.words);
  if (part.beyondPrefix === null) return part.words.length === pattern.words.length && beginsWith(part.words, pattern.words);
  return isWrittenAs(part, pattern);
}

/** A person who wrote a whole command line as a rule saw all of it. */
function isWhole({ text, isPrefix }: CommandPattern, command: string): boolean {
  return !isPrefix && text === command.trim();
}

/** With what a prefix must not cover, such as a variable before it or a word of run time, only the very same text is the same command. */
function isWrittenAs({ text, words }: ShellPart, pattern: CommandPattern): boolean {
  if (pattern.words.join(' ') !== text) return false;
  const last = pattern.words.slice(-words.length);
  return last.length === words.length && words.every((word, i) => word === null || word === last[i]);
}

function beginsWith(words: ShellPart['words'], beginning: readonly string[]): boolean {
  return beginning.every((word, i) => words[i] === word);
}

type Likeness = 'same' | 'maybe' | 'none';

function likenessTo(pattern: CommandPattern, { part, command }: CommandPart): Likeness {
  if (!pattern.isPrefix && (isWhole(pattern, command) || pattern.words.join(' ') === part.text)) return 'same';
  const likenesses = [part.words, part.plainWords ?? part.words].map((words) => likenessOfWords(pattern, words));
  if (likenesses.includes('same')) return 'same';
  return likenesses.includes('maybe') || mayRun(part, command, pattern.words) ? 'maybe' : 'none';
}

function likenessOfWords(pattern: CommandPattern, words: ShellPart['words']): Likeness {
  if (words.length < pattern.words.length) return 'none';
  if (!pattern.isPrefix && words.length > pattern.words.length) return 'none';
  const pairs = pattern.words.map((wanted, i) => ({ wanted, word: words[i] }));
  if (!pairs.every(({ wanted, word }, i) => word === null || word === wanted || (i === 0 && isProgram(word, wanted))))
    return 'none';
  return pairs.some(({ word }) => word === null) ? 'maybe' : 'same';
}

/** `/usr/bin/rm` and `./rm` are meant by a rule that refuses `rm`. */
function isProgram(word: string | undefined, name: string): boolean {
  return word !== undefined && word.includes('/') && basename(word) === name;
}

/** What a tool, or a command that stands in for it, does to a place. */
export interface PlaceUse {
  readonly resource: Resource;
  /** Null for a command: of the rules about files, those for `Read` and `Edit` hold for it too. */
  readonly tool: Tool | null;
  readonly access: 'read' | 'write';
  readonly isInside: boolean;
}

/** The rules that speak of a place. An allow rule reaches outside the workspace only where it says so from the root. */
export function rulesOnPlace(rules: readonly ReadyRule[], use: PlaceUse): PermissionRule[] {
  const { resource, tool, isInside } = use;
  return rules.flatMap((ready) => {
    const { rule, path, host } = ready;
    if (!speaksOfUse(rule, tool, use.access)) return [];
    if (rule.specifier === null) return rule.behavior === 'allow' && !isInside ? [] : [rule];
    if (resource.kind === 'net') return host !== null && isOfDomain(resource.host, host) ? [rule] : [];
    if (resource.kind !== 'file' || path === null || !path.matches(resource.path)) return [];
    return rule.behavior === 'allow' && !isInside && !path.isAbsolute ? [] : [rule];
  });
}

/** True where a rule is about such a use of a place, wherever that is. */
export function speaksOfUse(rule: PermissionRule, tool: Tool | null, access: PlaceUse['access']): boolean {
  if (tool !== null) return speaksOfTool(rule, tool);
  return access === 'read' ? rule.tool === 'Read' : rule.tool === 'Edit' || rule.tool === 'Write';
}

function isOfDomain(host: string, domain: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return name === domain || name.endsWith(`.${domain}`);
}
