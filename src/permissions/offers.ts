import { dirname, relative } from 'node:path';
import type { PermissionRule } from '../core/permission.ts';
import type { ResolvedFootprint } from '../core/footprint.ts';
import type { Tool } from '../core/tool.ts';
import type { ShellPart, ShellReport } from '../shell/report.ts';
import { isTooWide } from '../shell/wide-rules.ts';
import { quoteWords } from './rules/command-words.ts';
import { hasSubcommands, isReading } from './part-facts.ts';

// Beyond this nobody reads a rule before they say yes to it.
const MAX_RULE_CHARS = 200;
// Each candidate is judged.
const MAX_PARTS = 4;

/** Rules that might let a command pass, the narrowest first; whether they do is for the gate to say. */
export function commandCandidates(toolName: string, command: string, report: ShellReport): PermissionRule[] {
  if (!report.isClear) return [];
  // Git may show a past that is too long to be looked through.
  const asking = report.parts.filter((part) => (!isReading(part) || part.gitFolder !== null) && part.beyondRules === null);
  const named = asking.filter(({ words }) => words.length > 0).slice(0, MAX_PARTS);
  const needsWhole = asking.length > 1 || named.length === 0;
  const specifiers = [...named.flatMap(specifiersFor), ...(needsWhole ? [command.trim()] : [])];
  const readable = [...new Set(specifiers)].filter((text) => text.length <= MAX_RULE_CHARS && !text.includes('\n'));
  return readable.map((specifier) => offer(toolName, specifier));
}

/** Rules that might give a command the network, which the sandbox kept it from. */
export function networkCandidates(report: ShellReport): PermissionRule[] {
  const words = report.isClear ? report.parts.map((part) => part.words).filter(isLiteral) : [];
  return words.filter(({ length }) => length > 0).map((known) => offer('Network', quoteWords(known)));
}

/** Pairs of both: a command that needs a rule and was kept from the network passes by neither alone. The same words first, so that both speak of one thing. */
export function pairedCandidates(
  commands: readonly PermissionRule[],
  networks: readonly PermissionRule[],
): readonly (readonly [PermissionRule, PermissionRule])[] {
  return commands.flatMap((command) => {
    const own = { ...command, tool: 'Network' };
    const same = networks.find(({ specifier }) => specifier === command.specifier);
    const isPrefix = command.specifier?.endsWith(':*') === true;
    const beside = same ?? (isPrefix ? own : networks.at(-1));
    return beside === undefined ? [] : [[command, beside] as const];
  });
}

/** The same for a tool that lists what it touches. */
export function placeCandidates(tool: Tool, footprint: ResolvedFootprint, root: string): PermissionRule[] {
  const [source] = footprint.extent === 'listed' ? footprint.reads : [];
  if (source?.kind === 'net') return [offer(tool.name, `domain:${source.host}`), offer(tool.name, null)];
  const whole = tool.isDestructive && tool.category !== 'mcp' ? [] : [offer(tool.name, null)];
  const [place] = footprint.extent === 'listed' ? footprint.writes : [];
  if (place?.kind !== 'file' || tool.category !== 'file') return whole;
  const folder = relative(root, dirname(place.path));
  return [...whole, ...(folder === '' || folder.startsWith('..') ? [] : [offer('Edit', `${folder}/**`)])];
}

function specifiersFor({ words, text, beyondPrefix }: ShellPart): string[] {
  if (beyondPrefix !== null || !isLiteral(words)) return [text];
  const length = words[1] === 'run' ? 3 : 2;
  const beginning = words.slice(0, length);
  const isSensible =
    hasSubcommands(words[0] ?? '') &&
    words.length > length &&
    beginning.every((word) => /^[\w:.-]+$/.test(word) && !word.startsWith('-'));
  return [quoteWords(words), ...(isSensible && isTooWide(beginning) === null ? [`${quoteWords(beginning)}:*`] : [])];
}

function isLiteral(words: ShellPart['words']): words is readonly string[] {
  return words.every((word) => word !== null);
}

function offer(tool: string, specifier: string | null): PermissionRule {
  return { behavior: 'allow', tool, specifier, scope: 'session', origin: 'this session' };
}
