import type { MeasuredDifference } from './compare.ts';
import type { Share } from './report.ts';
import type { Interval } from './statistics.ts';

/** A share in percent. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

export function shareText({ right, count }: Pick<Share, 'right' | 'count'>): string {
  return count === 0 ? 'none' : percent(right / count);
}

export function intervalText({ low, high }: Interval): string {
  return `${(low * 100).toFixed(1)} to ${(high * 100).toFixed(1)}`;
}

/** A difference in percentage points, with its sign. */
export function pointsText(difference: number): string {
  return signed(difference * 100);
}

export function pointsInterval({ low, high }: Interval): string {
  return `${signed(low * 100)} to ${signed(high * 100)}`;
}

function signed(value: number): string {
  const text = value.toFixed(1);
  return value > 0 ? `+${text}` : text.replace(/^-0\.0$/, '0.0');
}

/** A chance, as it is usually written. */
export function chanceText(chance: number): string {
  return chance < 0.001 ? 'p < 0.001' : `p = ${chance.toFixed(3)}`;
}

const USUAL_LEVEL = 0.05;

/** What a difference says, in one sentence. */
export function verdictText({ difference, interval, chance }: MeasuredDifference, first: string, second: string): string {
  const isClear = chance < USUAL_LEVEL && (interval.low > 0 || interval.high < 0);
  if (!isClear)
    return `No difference between ${first} and ${second} is shown; these tasks leave room for ${pointsInterval(interval)} points.`;
  const [better, worse] = difference > 0 ? [second, first] : [first, second];
  return `${better} is better than ${worse}.`;
}
