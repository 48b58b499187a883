import type { AgentEvent } from '../core/agent-event.ts';
import { displayLine } from '../core/display-text.ts';
import { partReason } from '../core/part-reason.ts';
import type { PermissionAnswer, RuleOffer } from '../core/permission.ts';

export type PermissionRequest = Extract<AgentEvent, { type: 'permission_request' }>;

const MAX_REASON_CHARS = 200;
const MAX_RULE_CHARS = 200;
const MAX_PARTS = 12;
const PLACES = [
  { letter: 'a', scope: 'session', where: 'for this session' },
  { letter: 'p', scope: 'project', where: 'for this project, kept in .wield/settings.local.json' },
  { letter: 'u', scope: 'user', where: 'everywhere, kept in your own settings' },
] as const;

export const QUESTION_PROMPT = '  y, n, or why not (your words go to the model): ';

/** What a person sees before they answer: the whole call, what of it asks and why, and the answers there are. */
export function questionLines({ name, details, parts, offers }: PermissionRequest): readonly string[] {
  const asking = parts.filter((part) => part.decision === 'ask');
  return [
    `May ${displayLine(name)} run?`,
    ...details.map((line) => `  ${line}`),
    ...asking
      .slice(0, MAX_PARTS)
      .map(
        (part) =>
          `  because ${displayLine(partReason(part, { count: parts.length, maxChars: MAX_REASON_CHARS }), 2 * MAX_REASON_CHARS)}`,
      ),
    ...(asking.length > MAX_PARTS ? [`  and ${asking.length - MAX_PARTS} more parts that ask`] : []),
    '  y = yes, this once; Enter = no',
    ...offers.flatMap((offer, at) => offerLines(offer, at === 0 ? '' : String(at + 1))),
  ];
}

/** A rule is told with what it lets pass of this call, so that nobody agrees to more than they read. */
function offerLines(offer: RuleOffer, number: string): string[] {
  const covered = offer.covers.map((text) => displayLine(text, MAX_RULE_CHARS)).join(' · ');
  return [
    `  ${PLACES.map(({ letter }) => letter + number).join(', ')} = yes, and the ${offer.besides === undefined ? 'rule' : 'rules'} ${displayLine(ruleText(offer), 2 * MAX_RULE_CHARS)}`,
    ...(covered === '' || covered === offer.specifier ? [] : [`      which covers here: ${covered}`]),
    ...(number === '' ? PLACES.map(({ letter, where }) => `      ${letter} ${where}`) : []),
  ];
}

/** A rule as people write it, with those that are kept along with it. */
export function ruleText({ tool, specifier, besides = [] }: RuleOffer): string {
  const own = specifier === null ? `for every ${tool}` : `${tool}(${specifier})`;
  return [own, ...besides.map((rule) => `${rule.tool}(${rule.specifier ?? ''})`)].join(' and ');
}

/** An untouched Enter denies, and so does whatever is no answer: it is the reason then. */
export function answerOf(typed: string | null, { offers }: Pick<PermissionRequest, 'offers'>): PermissionAnswer {
  const words = typed?.trim() ?? '';
  if (/^(?:y|yes|是|好|可以)$/i.test(words)) return { type: 'allow', scope: 'once' };
  const kept = keptAnswer(words.toLowerCase(), offers);
  if (kept !== null) return kept;
  return words === '' || /^(?:n|no|不|否)$/i.test(words) ? { type: 'deny' } : { type: 'deny', reason: words };
}

function keptAnswer(words: string, offers: readonly RuleOffer[]): PermissionAnswer | null {
  const [, letter, number = '1'] = /^([apu])([2-9])?$/.exec(words === 'always' ? 'a' : words) ?? [];
  const place = PLACES.find((candidate) => candidate.letter === letter);
  const offer = offers[Number(number) - 1];
  if (place === undefined || offer === undefined) return null;
  return keepRule(offer, place.scope);
}

/** Allows the call, and what the rule covers from now on. */
export function keepRule(offer: RuleOffer, scope: 'session' | 'project' | 'user'): PermissionAnswer {
  const { covers: _, besides, ...rule } = offer;
  const along = besides === undefined ? {} : { besides: besides.map((one) => ({ ...one, scope })) };
  return { type: 'allow', scope, rule: { ...rule, scope }, ...along };
}
