import type { ShellFacts, ShellReport } from './report.ts';

/** Tells what a command line does without running it. Pure, and fails closed: whatever is not understood is not clear. */
export function inspectCommand(_command: string, _facts: ShellFacts): ShellReport {
  return { isClear: false, because: 'commands are not read yet' };
}
