import { chmodSync, chownSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callAsUser, giveToUser } from '../../test/call-as-user.ts';
import { createToolBench, type ToolBench } from '../../test/tool-bench.ts';

const isRoot = process.getuid?.() === 0;

let bench: ToolBench;
beforeEach(() => {
  bench = createToolBench();
  chmodSync(`${bench.root}/..`, 0o755);
});
afterEach(() => bench.close());

describe('as an ordinary user', () => {
  test('a read-only file is not changed, though its folder would allow it', () => {
    const path = bench.write('ro.txt', 'a\n');
    chmodSync(path, 0o444);
    giveToUser(bench.root);
    const answers = callAsUser(
      bench.root,
      { name: 'EditFile', input: { path, old_string: 'a', new_string: 'b' } },
      { name: 'WriteFile', input: { path, content: 'b' } },
    );
    const refusal = {
      isError: true,
      text: `Permission denied: ${path}. This user may not read or write it as asked; tell the person, or use another file.`,
    };
    expect(answers).toEqual([refusal, refusal]);
    expect(readFileSync(path, 'utf8')).toBe('a\n');
    expect(statSync(path).mode & 0o777).toBe(0o444);
    expect(readdirSync(bench.root)).toEqual(['ro.txt']);
  });

  test('what may not be read is an error for ReadFile, and a note for a search', () => {
    const path = bench.write('secret.txt', 'needle\n');
    bench.write('locked/b.txt', 'needle\n');
    bench.write('ok/a.txt', 'needle\n');
    giveToUser(bench.root);
    chmodSync(path, 0o000);
    chmodSync(bench.path('locked'), 0o000);
    const [read, grep, glob] = callAsUser(
      bench.root,
      { name: 'ReadFile', input: { path } },
      { name: 'Grep', input: { pattern: 'needle' } },
      { name: 'Glob', input: { pattern: '**/*.txt' } },
    );
    chmodSync(bench.path('locked'), 0o755);
    expect(read).toMatchObject({ isError: true, text: expect.stringMatching(/^Permission denied: /) });
    expect(grep?.isError).toBe(false);
    expect(grep?.text).toMatch(/^1 match in 1 file under .*:\nok\/a\.txt:1: needle\n/);
    expect(grep?.text).toMatch(/\nSkipped, not readable: (locked, secret\.txt|secret\.txt, locked)\.$/);
    expect(glob?.text).toMatch(/^2 files under /);
    expect(glob?.text).toMatch(/\nSkipped, not readable: locked\.$/);
  });

  test('a file in a folder that may not be listed is written all the same', () => {
    const path = bench.write('drop/a.txt', 'a\n');
    giveToUser(bench.root);
    chmodSync(bench.path('drop'), 0o333);
    const [edit] = callAsUser(bench.root, { name: 'EditFile', input: { path, old_string: 'a', new_string: 'b' } });
    chmodSync(bench.path('drop'), 0o755);
    expect(edit).toMatchObject({ isError: false });
    expect(readFileSync(path, 'utf8')).toBe('b\n');
    expect(readdirSync(bench.path('drop'))).toEqual(['a.txt']);
  });

  test.skipIf(!isRoot)('a file of another user that may be written keeps its owner (needs root, to make one)', () => {
    const path = bench.write('theirs.txt', 'a\n');
    giveToUser(bench.root);
    chownSync(path, 0, 0);
    chmodSync(path, 0o666);
    const before = statSync(path);
    const [edit] = callAsUser(bench.root, { name: 'EditFile', input: { path, old_string: 'a', new_string: 'b' } });
    expect(edit).toMatchObject({ isError: false });
    expect(readFileSync(path, 'utf8')).toBe('b\n');
    const { uid, gid, mode, ino } = statSync(path);
    expect({ uid, gid, mode, ino }).toEqual({ uid: 0, gid: 0, mode: before.mode, ino: before.ino });
    expect(readdirSync(bench.root)).toEqual(['theirs.txt']);
  });
});
