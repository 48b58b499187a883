import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findProgram, wayTo } from './find-program.ts';

let base: string;
let root: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'wield-find-')));
  root = join(base, 'root');
  for (const folder of ['root/bin', 'outside']) mkdirSync(join(base, folder), { recursive: true });
  for (const path of ['root/bin/tool', 'outside/tool']) {
    writeFileSync(join(base, path), '#!/bin/sh\n');
    chmodSync(join(base, path), 0o755);
  }
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const find = (...folders: readonly string[]) => findProgram('tool', { environment: { PATH: folders.join(':') }, roots: [root] });

test('a program is never one that a model could have put there, by whatever link', () => {
  symlinkSync(join(root, 'bin'), join(base, 'to-root'));
  symlinkSync(join(base, 'outside'), join(root, 'to-outside'));
  mkdirSync(join(base, 'linked'));
  symlinkSync(join(root, 'to-outside/tool'), join(base, 'linked/tool'));
  const outside = join(base, 'outside');
  for (const folder of ['root/bin', 'to-root', 'root/to-outside', 'linked'].map((name) => join(base, name))) {
    expect(find(folder)).toBe(null);
    expect(find(folder, outside)).toBe(join(outside, 'tool'));
  }
  expect(find('outside', '.')).toBe(null);
});

test('a way ends also where nothing is, and a circle of links ends', () => {
  symlinkSync('nowhere/x', join(base, 'dangling'));
  expect(wayTo(join(base, 'dangling/y'))).toEqual({ links: [join(base, 'dangling')], end: join(base, 'nowhere/x/y') });
  symlinkSync('b', join(base, 'a'));
  symlinkSync('a', join(base, 'b'));
  expect(wayTo(join(base, 'a')).links).toHaveLength(40);
});
