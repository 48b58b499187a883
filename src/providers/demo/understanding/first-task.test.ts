import { expect, test } from 'vitest';
import { firstTaskOf } from './first-task.ts';
import { NO_BACKGROUND, understand } from './understand.ts';

test.each([
  ['replace foo with bar in a.txt and then run the tests', 'replace foo with bar in a.txt', 'run the tests'],
  ['把 a.txt 里的 foo 换成 bar，然后跑一下测试', '把 a.txt 里的 foo 换成 bar', '跑一下测试'],
  ['把 a.txt 里的 foo 改成 bar 并运行测试', '把 a.txt 里的 foo 改成 bar', '运行测试'],
  ['create a.txt with content "hi" and then run the tests', 'create a.txt with content "hi"', 'run the tests'],
  ['add the line "x" to a.txt and then read it', 'add the line "x" to a.txt', 'read it'],
  ['fix the bug in a.ts and then run the tests', 'fix the bug in a.ts', 'run the tests'],
])('%s is two tasks', (ask, first, rest) => {
  expect(firstTaskOf(ask, NO_BACKGROUND)).toEqual({ task: understand(first), rest });
});

test('where only the second task is understood the first is what is left', () => {
  expect(firstTaskOf('delete lines 2-3 and then run the tests', NO_BACKGROUND)).toEqual({
    task: understand('run the tests'),
    rest: 'delete lines 2-3',
  });
});

test.each([
  'run npm run build and then tell me the result',
  'read a.txt and then b.txt',
  'create a.txt with content "first x, then run the tests"',
  'how many lines in a.txt then?',
  '跑一下测试，然后告诉我结果',
])('%s is one task', (ask) => {
  expect(firstTaskOf(ask, NO_BACKGROUND)).toEqual({ task: understand(ask), rest: null });
});
