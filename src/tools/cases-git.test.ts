import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createToolBench, type ToolBench } from '../../test/tool-bench.ts';

let bench: ToolBench;
beforeEach(() => {
  bench = createToolBench();
  git('init', '-q', '-b', 'main');
});
afterEach(() => bench.close());

function git(...args: readonly string[]): void {
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], { cwd: bench.root, stdio: 'ignore' });
}

const NAMES = [
  '設計/概要.md',
  'caf\u00e9.txt',
  'cafe\u0301.txt',
  'with "quote".txt',
  'tab\there.txt',
  'a b/c b/d.txt',
  'a -> b',
  'back\\slash',
  ' lead',
  'trail ',
  '-n',
  '"',
  '$(x)',
  '*',
];

/** The names in a section of an answer. */
function namesAfter(text: string, label: string): string[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith(label))
    .map((line) => line.slice(label.length));
}

test('every name that GitStatus and GitDiff give can be read by ReadFile as it stands', async () => {
  for (const name of NAMES) bench.write(name, 'one\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  for (const name of NAMES) bench.write(name, `two ${name}\n`);
  const status = namesAfter((await bench.call('GitStatus', {})).text, '  modified: ');
  const diff = namesAfter((await bench.call('GitDiff', {})).text, '  +1 -1 modified: ');
  expect(status.toSorted()).toEqual(NAMES.toSorted());
  expect(diff.toSorted()).toEqual(NAMES.toSorted());
  for (const name of status)
    expect(await bench.call('ReadFile', { path: bench.path(name) })).toMatchObject({ isError: false, text: `1\ttwo ${name}` });
});

test('untracked files are listed by the same names, and each can be compared alone once it is staged', async () => {
  for (const name of NAMES) bench.write(name, 'one\n');
  const { text } = await bench.call('GitStatus', {});
  const listed = text.split('\n');
  expect(
    listed
      .slice(listed.indexOf(`Untracked (${NAMES.length}):`) + 1)
      .map((line) => line.slice(2))
      .toSorted(),
  ).toEqual(NAMES.toSorted());
  git('add', '-A');
  for (const name of NAMES)
    expect((await bench.call('GitDiff', { path: bench.path(name) })).text).toContain(`  +1 -0 added: ${name}\n`);
});

test('a name that is no UTF-8 does no harm', async () => {
  writeFileSync(Buffer.concat([Buffer.from(`${bench.root}/bad`), Buffer.of(0xff)]), 'x\n');
  bench.write('good', 'x\n');
  for (const name of ['GitStatus', 'GitDiff'])
    expect(await bench.call(name, {})).toMatchObject({ isError: false, text: expect.stringContaining('\n  good') });
});
