import { describe, expect, test } from 'vitest';
import { recordedCases } from '../../test/recorded-cases.ts';
import { onlyReads, RECORDED_FACTS, recordedCommands } from '../../test/recorded-commands.ts';
import { inspectCommand } from './inspect.ts';

describe.skipIf(recordedCases === null)('commands of real sessions (skipped where ../shared/cases is absent)', () => {
  test('of 9,030, 45 in 100 are known to only read, and fewer than 1 in 100 is not clear', () => {
    const commands = recordedCommands(recordedCases ?? '');
    expect(commands).toHaveLength(9030);
    expect(commands.filter(onlyReads).length / commands.length).toBeGreaterThan(0.45);
    const unclear = commands.filter((command) => !inspectCommand(command, RECORDED_FACTS).isClear);
    expect(unclear.length / commands.length).toBeLessThan(0.01);
  });
});
