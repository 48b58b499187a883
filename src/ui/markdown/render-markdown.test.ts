import { expect, test } from 'vitest';
import { createTheme } from '../theme.ts';
import { prepareLanguage } from './code/highlight.ts';
import { renderMarkdown } from './render-markdown.ts';

const plain = createTheme('plain');
const draw = (lines: readonly string[], width = 40): string =>
  renderMarkdown(lines.join('\n'), { width, theme: plain, isFinished: true }).join('\n');

test('headings, paragraphs, rules and breaks stand one below the other', () => {
  expect(
    draw([
      '# One',
      'text goes on',
      'here  ',
      'and here',
      '***',
      'Two',
      '---',
      '<b>html</b> &lt;x&gt; a\\*b',
      '',
      '<div>',
      '  *as it is*',
    ]),
  ).toBe(
    [
      '# One',
      '',
      'text goes on here',
      'and here',
      '',
      '─'.repeat(40),
      '',
      '## Two',
      '',
      '<b>html</b> <x> a*b',
      '',
      '<div>',
      '  *as it is*',
    ].join('\n'),
  );
});

test('lists nest, count, have boxes, and keep the blank lines of their writer', () => {
  expect(
    draw([
      '- one',
      '- two',
      '  more',
      '    1. in',
      '    2. it',
      '',
      '       again',
      '- [x] done',
      '- [ ] not',
      '',
      '9. nine',
      '9. ten',
      '',
      '11) x',
    ]),
  ).toBe(
    [
      '• one',
      '• two more',
      '  1. in',
      '  2. it',
      '',
      '     again',
      '☑ done',
      '☐ not',
      '',
      '9. nine',
      '10. ten',
      '',
      '11) x',
    ].join('\n'),
  );
});

test('a list that is indented by less than the number takes is nested all the same', () => {
  expect(draw(['1. a', '  - b', '2. c'])).toBe('1. a\n   • b\n2. c');
});

test('quotes hold blocks, and go on without their sign', () => {
  expect(draw(['> one', 'two', '> - a', '> > b', '', 'after'])).toBe('│ one two\n│ • a\n│\n│ │ b\n\nafter');
});

test('table columns are as wide as what they show, and cells wrap', () => {
  expect(
    draw([
      '| 名前 | n | Long |',
      '|:--|--:|:-:|',
      '| 東京 | 1 | x |',
      '| b | 22 | a cell that has to be wrapped here |',
      '| c \\| d |',
    ]),
  ).toBe(
    [
      '名前  │  n │            Long',
      `──────┼────┼─${'─'.repeat(27)}`,
      '東京  │  1 │              x',
      'b     │ 22 │    a cell that has to be',
      '      │    │        wrapped here',
      'c | d │    │',
    ].join('\n'),
  );
});

test('a table that is too narrow for its columns is read as records', () => {
  expect(draw(['|first|second|third|', '|-|-|-|', '|one|two|three|', '|four|five|six|'], 14)).toBe(
    ['first: one', 'second: two', 'third: three', '', 'first: four', 'second: five', 'third: six'].join('\n'),
  );
});

test('a table takes a header from the end of a paragraph', () => {
  expect(draw(['so:', 'a | b', '--|--', '1 | 2'])).toBe('so:\n\na │ b\n──┼──\n1 │ 2');
});

test('code keeps its spaces and is cut at the edge', () => {
  expect(draw(['```', 'if (x) {', '\treturn "a long line";', '', '}', '```', '    indented', '', '      more', 'text'], 20)).toBe(
    ['  if (x) {', '      return "a long', '   line";', '', '  }', '', '  indented', '', '    more', '', 'text'].join('\n'),
  );
});

test('emphasis works between CJK characters, and lines join without a space', () => {
  const dark = createTheme('ansi-16');
  const rows = renderMarkdown('**中文**后，这是**「重点」**的话。\n第二行', { width: 60, theme: dark, isFinished: true });
  expect(rows).toEqual(['\u001b[1m中文\u001b[22m后，这是\u001b[1m「重点」\u001b[22m的话。第二行']);
});

test('a link is followed by the terminal where it can, else its address is shown', () => {
  const source = '[docs](https://e.org/a b) [here](https://e.org/x) https://e.org/y [bad](javascript:x)';
  expect(renderMarkdown(source, { width: 99, theme: plain, isFinished: true })).toEqual([
    '[docs](https://e.org/a b) here (https://e.org/x) https://e.org/y bad (javascript:x)',
  ]);
  const [row] = renderMarkdown('[x](https://e.org/é)', {
    width: 99,
    theme: createTheme('ansi-16', { hasLinks: true }),
    isFinished: true,
  });
  expect(row).toBe('\u001b]8;;https://e.org/%C3%A9\u001b\\\u001b[4;36mx\u001b[24;39m\u001b]8;;\u001b\\');
});

test('code is plain until its language is there, then coloured line by line', async () => {
  const theme = createTheme('ansi-16');
  const source = '```lua\nlocal a = 1 --[[ one\ntwo ]] local b\n```';
  const draw = (): readonly string[] => renderMarkdown(source, { width: 60, theme, isFinished: true });
  expect(draw()).toEqual(['  local a = 1 --[[ one', '  two ]] local b']);
  await prepareLanguage('lua');
  while (draw()[0]?.includes('\u001b') === false) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(draw()).toEqual([
    '  \u001b[35mlocal\u001b[39m a = \u001b[33m1\u001b[39m \u001b[2m--[[ one\u001b[22m',
    '  \u001b[2mtwo ]]\u001b[22m \u001b[35mlocal\u001b[39m b',
  ]);
});
