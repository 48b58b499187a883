import type { Decision, PermissionMode } from '../../core/permission.ts';
import type { PermissionDesk } from './permission-desk.ts';

/** What a person expects the gate to say of a call, as their settings have it. */
export interface PermissionCase {
  readonly tool: string;
  readonly input: unknown;
  readonly mode: PermissionMode;
  readonly expect: Decision;
  readonly origin: string;
}

/** A case and what became of it. A call that no tool takes is decided by nobody. */
export interface CaseResult {
  readonly expectation: PermissionCase;
  readonly decision: Decision | null;
  readonly because: string;
  readonly isMet: boolean;
}

/** The cases of all settings that apply, in their order. */
export function casesOf({ layers, mode }: PermissionDesk): readonly PermissionCase[] {
  return layers.flatMap(({ settings, origin }) =>
    (settings.permissions?.cases ?? []).map((one) => ({
      tool: one.tool ?? 'Bash',
      input: one.input ?? (one.command === undefined ? {} : { command: one.command }),
      mode: one.mode ?? mode,
      expect: one.expect,
      origin,
    })),
  );
}

/** Judges each case; nothing runs. */
export async function runCases(desk: PermissionDesk): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = [];
  for (const expectation of casesOf(desk)) {
    const { tool, input, mode, expect } = expectation;
    try {
      const { decision, because } = await desk.judge(tool, input, mode);
      results.push({ expectation, decision, because, isMet: decision === expect });
    } catch (thrown) {
      const because = thrown instanceof Error ? thrown.message : String(thrown);
      results.push({ expectation, decision: null, because, isMet: false });
    }
  }
  return results;
}
