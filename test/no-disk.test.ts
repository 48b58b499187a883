import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

// Node's own permission model: a look at any file but those of the program, a write, a process or a thread would throw.
test('an agent on memory needs no right to a disk, a process or a thread', () => {
  const program = join(import.meta.dirname, 'no-disk-program.ts');
  const args = ['--permission', `--allow-fs-read=${root}`, program];
  const output = execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  expect(JSON.parse(output)).toEqual({
    text: 'done',
    errors: [],
    results: ['Glob', 'Grep', 'EditFile', 'WriteFile', 'ApplyPatch', 'Bash', 'ReadFile'].map((name) => ({
      name,
      isError: false,
    })),
    files: ['/project/.gitignore', '/project/b.txt', '/project/c.txt', '/project/src/a.ts'],
  });
});
