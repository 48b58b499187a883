import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createScreen } from '../../../test/screen.ts';
import { erase, type Frame, nothingPainted, paint, type Painted, type Reflow } from './paint.ts';

/** A screen with the lines of a shell on it, and frames drawn below them. */
async function started(columns: number, rows: number, reflowCursorLine = false) {
  const screen = createScreen({ columns, rows, reflowCursorLine });
  const reflow: Reflow = reflowCursorLine ? 'all' : 'not-cursor-line';
  let size = { columns, rows };
  let painted: Painted = nothingPainted(size);
  let written = '';
  await screen.write('$ ls\r\na.txt  b.txt\r\n$ wield\r\n');
  return {
    screen,
    get written() {
      return written;
    },
    draw: async (frame: Partial<Frame>) => {
      const result = paint(painted, { committed: [], live: [], caret: null, ...frame }, { size, reflow });
      painted = result.painted;
      written += result.bytes;
      await screen.write(result.bytes);
      return result.bytes;
    },
    erase: async () => {
      await screen.write(erase(painted, { size, reflow }));
      painted = nothingPainted(size);
    },
    resize: (nextColumns: number, nextRows = rows) => {
      size = { columns: nextColumns, rows: nextRows };
      screen.terminal.resize(nextColumns, nextRows);
    },
  };
}

const SHELL = ['$ ls', 'a.txt  b.txt', '$ wield'];

function shown(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line !== '');
  return lines.slice(0, last + 1).map((line) => line.trimEnd());
}

describe('the inline screen', () => {
  test('commits lines once and keeps the live rows below them, the cursor at the caret', async () => {
    const { screen, draw } = await started(40, 10);
    await draw({ live: ['working', '> 你好', 'status'], caret: { row: 1, column: 6 } });
    await draw({ committed: ['one', 'two'], live: ['still', '> 你好', 'status'], caret: { row: 1, column: 4 } });
    expect(shown(screen.lines())).toEqual([...SHELL, 'one', 'two', 'still', '> 你好', 'status']);
    expect(screen.cursor()).toEqual({ row: 6, column: 4 });
  });

  test('rewrites only the rows that changed, and nothing where none did', async () => {
    const { screen, draw } = await started(40, 10);
    const frame = { live: ['a'.repeat(30), 'b'.repeat(30), '> x'], caret: { row: 2, column: 3 } };
    await draw(frame);
    expect(await draw(frame)).toBe('');
    const bytes = await draw({ ...frame, live: ['a'.repeat(30), 'b'.repeat(30), '> xy'], caret: { row: 2, column: 4 } });
    expect(bytes).not.toContain('aaa');
    expect(screen.cursor()).toEqual({ row: 5, column: 4 });
  });

  test('grows and shrinks, at the bottom of the screen too', async () => {
    const { screen, draw, erase: eraseLive } = await started(40, 6);
    await draw({ live: ['1', '2', '3', '4'], caret: { row: 3, column: 1 } });
    await draw({ live: ['1'], caret: { row: 0, column: 1 } });
    await draw({ live: ['1', '2', '3'], caret: { row: 0, column: 0 } });
    expect(shown(screen.lines())).toEqual([...SHELL, '1', '2', '3']);
    await eraseLive();
    expect(shown(screen.lines())).toEqual(SHELL);
  });

  test('never erases the scrollback', async () => {
    const session = await started(40, 10);
    for (let i = 0; i < 50; i++)
      await session.draw({ committed: [`line ${i}`], live: ['live', '> '], caret: { row: 1, column: 2 } });
    expect(session.written).not.toContain('\u001b[3J');
    expect(session.written).not.toContain('\u001b[2J');
  });

  test.each([false, true])(
    'neither doubles nor loses a line while the window changes its width (cursor line broken: %s)',
    async (all) => {
      const sizes = fc.constantFrom(20, 41, 60, 80, 100);
      const step = fc.record({
        columns: sizes,
        again: fc.option(sizes),
        commits: fc.integer({ min: 0, max: 3 }),
        rows: fc.integer({ min: 1, max: 6 }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
          const { screen, draw, resize, erase: eraseLive } = await started(80, 30, all);
          const committed: string[] = [];
          for (const [i, { columns, again, commits, rows }] of steps.entries()) {
            const added = Array.from({ length: commits }, (_, n) => `line ${i}.${n} ${'x'.repeat((i * 37 + n * 11) % 19)}`);
            committed.push(...added);
            const width = screen.terminal.cols;
            const live = Array.from({ length: rows }, (_, n) => 'live '.repeat(20).slice(0, n % 2 === 0 ? width : 7));
            await draw({ committed: added, live: [...live, '> typed'], caret: { row: rows, column: 7 } });
            resize(columns);
            if (again !== null) resize(again);
          }
          await draw({ committed: [], live: ['> '], caret: { row: 0, column: 2 } });
          await eraseLive();
          expect(shown(screen.lines())).toEqual([...SHELL, ...committed].map((line) => line.trimEnd()));
        }),
        { numRuns: 25 },
      );
    },
  );
});
