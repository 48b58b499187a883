import type { AgentEvent } from '../core/agent-event.ts';
import { displayLine } from '../core/display-text.ts';
import { partReason } from '../core/part-reason.ts';
import { type Say, sayInEnglish } from './words/say.ts';
import type { PermissionAnswer, RuleOffer } from '../core/permission.ts';

export type PermissionRequest = Extract<AgentEvent, { type: 'permission_request' }>;

const MAX_REASON_CHARS = 200;
const MAX_RULE_CHARS = 200;
const MAX_PARTS = 12;
const PLACES = [
  { letter: 'a', scope: 'session', where: 'place_session' },
  { letter: 'p', scope: 'project', where: 'place_project' },
  { letter: 'u', scope: 'user', where: 'place_user' },
] as const;

/** What a person sees before they answer: the whole call, what of it asks and why, and the answers there are. */
export function questionLines({ name, details, parts, offers }: PermissionRequest, say: Say = sayInEnglish): readonly string[] {
  const asking = parts.filter((part) => part.decision === 'ask');
  return [
    say('may_run', { name: displayLine(name) }),
    ...details.map((line) => `  ${line}`),
    ...asking
      .slice(0, MAX_PARTS)
      .map(
        (part) =>
          `  ${say('because', { reason: displayLine(partReason(part, { count: parts.length, maxChars: MAX_REASON_CHARS }), 2 * MAX_REASON_CHARS) })}`,
      ),
    ...(asking.length > MAX_PARTS ? [`  ${say('more_parts', { count: asking.length - MAX_PARTS })}`] : []),
    `  ${say('answer_yes')}`,
    ...offers.flatMap((offer, at) => offerLines(offer, at === 0 ? '' : String(at + 1), say)),
  ];
}

/** A rule is told with what it lets pass of this call, so that nobody agrees to more than they read. */
function offerLines(offer: RuleOffer, number: string, say: Say): string[] {
  const rule = displayLine(ruleText(offer, say), 2 * MAX_RULE_CHARS);
  const covered = offer.covers.map((text) => displayLine(text, MAX_RULE_CHARS)).join(' · ');
  return [
    `  ${say(offer.besides === undefined ? 'answer_rule' : 'answer_rules', { keys: PLACES.map(({ letter }) => letter + number).join(', '), rule })}`,
    ...(covered === '' || covered === offer.specifier ? [] : [`      ${say('answer_covers', { what: covered })}`]),
    ...(number === '' ? PLACES.map(({ letter, where }) => `      ${letter} ${say(where)}`) : []),
  ];
}

/** A rule as people write it, with those that are kept along with it. */
export function ruleText({ tool, specifier, besides = [] }: RuleOffer, say: Say): string {
  const own = specifier === null ? say('rule_every', { tool }) : `${tool}(${specifier})`;
  return [own, ...besides.map((rule) => `${rule.tool}(${rule.specifier ?? ''})`)].join(say('rule_and'));
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
