import { expect, test } from 'vitest';
import { describeInput, describeWhole } from './describe-input.ts';

test('every key is shown with all of its text', () => {
  expect(describeInput({ command: 'npm test', run_in_background: true })).toEqual([
    'command: npm test',
    'run_in_background: true',
  ]);
  expect(describeInput({ path: '/a', content: 'one\ntwo' })).toEqual(['path: /a', 'content:', '  | one', '  | two']);
});

test('nothing hides behind blanks, in the middle of a long line, or behind control characters', () => {
  expect(describeInput({ command: `echo ok${' '.repeat(2100)}; touch evil` })).toEqual([
    'command: echo ok[2100 blanks]; touch evil',
    'warning: long runs of blanks, shown as [… blanks]',
    'warning: a line of 2119 characters',
  ]);
  const [line] = describeInput({ command: `${'a'.repeat(5000)}; touch evil` });
  expect(line).toContain('[… 3012 characters …]');
  expect(line).toContain('; touch evil');
  expect(describeInput({ command: 'a\u001b[2K\u202eb' })).toEqual([
    'command: a\\x1b[2K<U+202E>b',
    'warning: 2 hidden characters, shown as <U+…> or \\x…',
  ]);
});

test('a long text is cut in the middle and says by how much', () => {
  const lines = describeInput({ content: Array.from({ length: 100 }, (_, i) => `line ${i}`).join('\n') });
  expect(lines).toHaveLength(62);
  expect(lines[31]).toBe('  | [… 40 more lines …]');
  expect(lines.at(-1)).toBe('  | line 99');
});

test('a description of the whole shows all of it or is none', () => {
  const command = `${'echo ok\n'.repeat(100)}touch evil\n${'#'.repeat(3000)}touch evil;${'#'.repeat(3000)}`;
  const lines = describeWhole({ command }, 10_000) ?? [];
  expect(lines.slice(1, -1).map((line) => line.slice('  | '.length))).toEqual(command.split('\n'));
  expect(describeWhole({ command }, 7000)).toBeNull();
  expect(describeWhole({ command: ' '.repeat(50_000) }, 10_000)).toBeNull();
});
