import { hasCue } from './cues.ts';
import { isTourRequest } from './tour-request.ts';
import type { Guess, TalkTask } from './task.ts';
import type { Utterance } from './utterance.ts';

/** Understands what is about the demo model itself: greetings, "help", "who are you", the tour. */
export function recogniseTalk(utterance: Utterance): Guess | null {
  if (isTourRequest(utterance.raw)) return { score: 100, task: { intent: 'tour' } };
  if (utterance.marks.length > 0) return null;
  // Polite words may be all there is ("你能做什么", "thanks"), so the whole request is looked at too.
  const whole = utterance.raw.toLowerCase().replace(/[\s.。!！?？~…]+$/u, '');
  const texts = [utterance.lower, whole, whole.replaceAll(/\s*(\p{Script=Han})\s*/gu, '$1')];
  const has = (name: 'greet' | 'identity' | 'help' | 'thanks'): boolean => texts.some((text) => hasCue(text, name));
  if (has('greet')) return talk('greet', 95);
  if (has('identity')) return talk('identity', 94);
  if (has('help')) return talk('help', 93);
  return has('thanks') ? talk('thanks', 92) : null;
}

/** Understands wishes that need judgement, which rules do not have: mend, design, review, write code, say why. */
export function recogniseCreative(utterance: Utterance): Guess | null {
  if (hasCue(utterance.lower, 'noName')) return talk('which_file', 78);
  return hasCue(utterance.lower, 'creative') ? talk('cannot', 77) : null;
}

function talk(about: TalkTask['about'], score: number): Guess {
  return { score, task: { intent: 'talk', about } };
}
