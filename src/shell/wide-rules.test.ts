import { expect, test } from 'vitest';
import { isTooWide } from './wide-rules.ts';

const wide = (rule: string): boolean => isTooWide(rule.split(' ')) !== null;

test('a rule that would let anything run is too wide', () => {
  const rules = [
    'node',
    'python3.12',
    'bash',
    'bash -c',
    'node -e',
    'python -m',
    'awk',
    'sudo',
    'sudo rm',
    'env',
    'xargs',
    'sh',
    'npx',
    'npm exec',
  ];
  expect(rules.filter((rule) => !wide(rule))).toEqual([]);
  expect(['timeout 5', '/usr/bin/env', 'A=1 npm', '*', '', 'eval', 'find . -exec'].filter((rule) => !wide(rule))).toEqual([]);
});

test('a rule that names what runs is not', () => {
  const rules = [
    'npm test',
    'npm run',
    'git',
    'git log',
    'node --test',
    'node build.js',
    'python -m pytest',
    'make',
    'npm exec tsc',
    'ls',
    'find',
  ];
  expect(rules.filter(wide)).toEqual([]);
});
