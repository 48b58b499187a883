import checks from './checks.json' with { type: 'json' };

export type CheckId = keyof typeof checks;

/** What each check holds a tool to, a sentence each, in the order in which they are made. */
export const CHECKS: Readonly<Record<CheckId, string>> = checks;
export const CHECK_IDS = Object.keys(checks) as readonly CheckId[];

/** Something that is wrong with a tool, and what to do about it. */
export interface Finding {
  readonly what: string;
  readonly remedy: string;
}

/** What a check says of a tool. `skipped` says why it could not be made. */
export interface Verdict {
  readonly findings: readonly Finding[];
  readonly skipped: string | null;
}

export const SOUND: Verdict = { findings: [], skipped: null };

export function skip(because: string): Verdict {
  return { findings: [], skipped: because };
}

export function found(...findings: readonly (Finding | null)[]): Verdict {
  return { findings: findings.filter((finding) => finding !== null), skipped: null };
}
