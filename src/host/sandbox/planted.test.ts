import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { protectionOf } from './command-mounts.ts';
import { watchForPlanted } from './planted.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'wield-planted-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const watch = () => watchForPlanted({ open: [root], protection: protectionOf([root], '/nowhere'), home: '/nowhere' });

function put(name: string, text = ''): void {
  mkdirSync(join(root, name, '..'), { recursive: true });
  writeFileSync(join(root, name), text);
}

test('what is new and runs on its own is told; what was there, and what else is new, is not', () => {
  put('.npmrc');
  const look = watch();
  put('.npmrc', 'more');
  put('src/a.ts');
  expect(look()).toEqual([]);
  put('.EnvRC');
  put('.github/workflows/ci.yml');
  expect(look()).toEqual([
    'It made .EnvRC, .github/workflows, which other programs run later on their own: look at what is in there before you go on.',
  ]);
});

test('what would hand git another configuration is moved aside', () => {
  put('.git/config');
  const look = watch();
  put('.git/commondir', '../evil');
  expect(look()).toEqual([expect.stringContaining(`It made ${root}/.git/commondir`)]);
  expect(existsSync(join(root, '.git/commondir'))).toBe(false);
  expect(readdirSync(join(root, '.git')).filter((name) => name.startsWith('kept-aside-commondir-'))).toHaveLength(1);
});

test('a new repository is told only where it runs something', () => {
  const look = watch();
  put('.git/hooks/pre-commit.sample');
  put('.git/config', '[core]\n\tbare = false\n');
  expect(look()).toEqual([]);
  put('.git/config', '[core]\n\tfsmonitor = evil\n');
  expect(look()).toEqual([expect.stringContaining('It made a git repository')]);
});
