/** What a Bash answer says. `exitCode` is null where the command gave none. */
export interface CommandResult {
  readonly output: readonly string[];
  readonly exitCode: number | null;
}

/** Reads `<output>…</output><exit_code>…</exit_code>`; an answer in another shape is all output. */
export function parseCommandResult(text: string): CommandResult {
  const code = /<exit_code>\s*(-?\d+)/.exec(text)?.[1];
  const start = text.indexOf('<output>');
  const end = text.lastIndexOf('</output>');
  const isBare = start === -1 || end <= start;
  const inner = isBare ? text.replace(/<exit_code>.*$/s, '') : text.slice(start + '<output>'.length, end);
  const output = inner.replace(/^\n/, '').trimEnd();
  return { output: output === '' ? [] : output.split('\n'), exitCode: code === undefined ? null : Number(code) };
}

/** How many tests passed and failed, as the runner's own summary says. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
}

/** Reads the summary of the usual test runners, or null. */
export function parseTestCounts(output: readonly string[]): TestCounts | null {
  const text = output.join('\n');
  const tap = /^(?:#|ℹ)\s*pass\s+(\d+)[\s\S]*?^(?:#|ℹ)\s*fail\s+(\d+)/m.exec(text);
  if (tap !== null) return { passed: Number(tap[1]), failed: Number(tap[2]) };
  const summary = output.findLast((row) => SUMMARY.test(row));
  if (summary === undefined) return null;
  return { passed: countBefore(summary, 'passed'), failed: countBefore(summary, 'failed') };
}

/** The lines in which a runner names what failed. */
export function failureLines(output: readonly string[]): readonly string[] {
  return output.filter((row) => /^\s*(?:not ok\b|✖|✗|×|FAIL(?:ED)?\b|--- FAIL|E {2,})/.test(row)).map((row) => row.trim());
}

const SUMMARY = /^(?!.*test files).*?\b\d+ (?:passed|failed)\b/i;

function countBefore(row: string, word: string): number {
  return Number(new RegExp(`(\\d+) ${word}`, 'i').exec(row)?.[1] ?? 0);
}
