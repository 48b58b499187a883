import { describe, expect, test } from 'vitest';
import { inspectCommand } from '../../src/shell/inspect.ts';
import { recordedCases } from '../recorded-cases.ts';
import { drawn, onlyReads, RECORDED_FACTS, recordedCommands } from '../recorded-commands.ts';
import { canWatch, type Watched, watch } from '../watched-command.ts';

const COUNT = 300;
const SEED = 20_261_130;
const isPossible = recordedCases !== null && canWatch();

describe.skipIf(!isPossible)('recorded commands that pass as reads (skipped without ../shared/cases, bwrap or strace)', () => {
  test(`${COUNT} of them, run for real, write nothing, connect to nothing and start only what they name`, () => {
    const commands = drawn(recordedCommands(recordedCases ?? '').filter(onlyReads), COUNT, SEED);
    const watched = commands.map((command) => ({ command, ...watch(command) }));
    expect(watched.filter(hasActed)).toEqual([]);
    // Where nothing worked, nothing was tested.
    expect(watched.filter(({ exitCode }) => exitCode === 0).length).toBeGreaterThan(COUNT / 3);
    expect(new Set(watched.flatMap(({ started }) => started)).size).toBeGreaterThan(10);
  });

  test('what acts is seen to act', () => {
    expect(watch('cd /home/user/project && touch made && rm src/a.ts').written).toEqual(
      expect.arrayContaining(['/home/user/project/made', '/home/user/project/src/a.ts']),
    );
    expect(watch('echo x | xargs -n1 env true').started).toEqual(expect.arrayContaining(['xargs', 'env', 'true']));
    expect(watch('exec 3<>/dev/tcp/127.0.0.1/9').connected).toHaveLength(1);
  });
});

function hasActed({ command, written, started, connected }: Watched & { readonly command: string }): boolean {
  const report = inspectCommand(command, RECORDED_FACTS);
  const named = report.isClear ? report.parts.map(({ words }) => words[0]?.split('/').at(-1)) : [];
  return written.length > 0 || connected.length > 0 || started.some((name) => !named.includes(name));
}
