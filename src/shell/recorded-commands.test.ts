import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { recordedCases } from '../../test/recorded-cases.ts';
import { inspectCommand } from './inspect.ts';

describe.skipIf(recordedCases === null)('commands of real sessions (skipped where ../shared/cases is absent)', () => {
  test('of 9,030, 45 in 100 are known to only read, and fewer than 1 in 100 is not clear', () => {
    const reports = recordedCommands(recordedCases ?? '').map((command) =>
      inspectCommand(command, { cwd: '/home/user/project', home: '/home/user' }),
    );
    const readers = reports.filter((report) => report.isClear && report.parts.every(({ effect }) => effect === 'reads'));
    expect(reports).toHaveLength(9030);
    expect(readers.length / reports.length).toBeGreaterThan(0.45);
    expect(reports.filter(({ isClear }) => !isClear).length / reports.length).toBeLessThan(0.01);
  });
});

function recordedCommands(folder: string): readonly string[] {
  return gunzipSync(readFileSync(join(folder, 'calls.jsonl.gz')))
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { readonly tool: string; readonly input: { readonly command: string } })
    .filter(({ tool }) => tool === 'Bash')
    .map(({ input }) => input.command);
}
