import { expect, test } from 'vitest';
import { configSettings, namesProgram } from './config-keys.ts';

test('settings are read by their whole names, however they are written', () => {
  const text = '[core] bare = false ; so\n\teditor = "vi # x" # c\n[Diff "P\\"N"]\n\ttextConv = a\\\nb\n; x = y\n[alias]\nlog\n';
  expect(configSettings(text)).toEqual([
    { key: 'core.bare', value: 'false' },
    { key: 'core.editor', value: 'vi # x' },
    { key: 'diff.P"N.textconv', value: 'ab' },
    { key: 'alias.log', value: '' },
  ]);
});

test('what names a program is known, and a plain repository names none', () => {
  const running =
    '[gpg]\n program = x\n[include]\n path = x\n[core]\n fsmonitor = x\n[remote "o"]\n url = ext::x\n[trailer "a"]\n cmd = x';
  expect(configSettings(running).map(namesProgram)).toEqual([true, true, true, true, true]);
  const plain =
    '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tfsmonitor = true\n[remote "origin"]\n\turl = https://example.com/x\n';
  expect(configSettings(plain).some(namesProgram)).toBe(false);
});
