import { spawn } from 'node:child_process';
import { linkSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject } from '../agent-harness.ts';

const PROCESSES = 6;
const EDITS = 15;

function editLines(path: string, journal: string, first: number): Promise<number[]> {
  const args = [join(import.meta.dirname, '../crash/edit-lines.ts'), path, journal, String(first), String(EDITS)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  return new Promise((resolve) => child.on('close', () => resolve(stdout.split('\n').filter(Boolean).map(Number))));
}

test.each([
  ['a file', 'a.txt'],
  ['a file with two names, by both of them,', 'twin.txt'],
])(
  'edits of %s by several processes at once have arrived where the answer says so',
  { timeout: 120_000 },
  async (_name, second) => {
    const lines = Array.from({ length: PROCESSES * EDITS }, (_, i) => `line ${i} old\n`);
    const project = createProject({ 'tree/a.txt': lines.join('') });
    if (second === 'twin.txt') linkSync(project.path('tree/a.txt'), project.path('tree/twin.txt'));
    const runs = Array.from({ length: PROCESSES }, (_, i) =>
      editLines(project.path(`tree/${i % 2 === 0 ? 'a.txt' : second}`), project.path('journal'), i * EDITS),
    );
    const told = (await Promise.all(runs)).flat().toSorted((a, b) => a - b);
    const text = readFileSync(project.path('tree/a.txt'), 'utf8');
    const arrived = [...text.matchAll(/^line (\d+) new$/gm)].map(([, line]) => Number(line));
    expect(arrived).toEqual(told);
    expect(text.split('\n')).toHaveLength(lines.length + 1);
    // Some may give up among so many, but not most.
    expect(told.length).toBeGreaterThan(lines.length / 2);
    expect(readdirSync(project.path('tree')).toSorted()).toEqual([...new Set(['a.txt', second])].toSorted());
    expect(readdirSync(project.path('journal'))).toEqual([]);
    project.remove();
  },
);
