import fc from 'fast-check';
import { expect, test } from 'vitest';
import { displayWidth, withoutEscapes } from '../text/display-width.ts';
import { createTheme } from '../theme.ts';
import { createMarkdownStream } from './markdown-stream.ts';
import { renderMarkdown } from './render-markdown.ts';

const plain = createTheme('plain');
const dark = createTheme('dark', { hasLinks: true });

/** Pieces of Markdown that meet in every way. */
const fragment = fc.constantFrom(
  '# ',
  '- ',
  '1. ',
  '> ',
  '| a | b |\n',
  '|---|:-:|\n',
  '```ts\n',
  '```\n',
  '~~~',
  '    ',
  '\n',
  '\n\n',
  '**',
  '*',
  '_',
  '`',
  '[x](',
  ')',
  'http://a.b',
  '<br>',
  '<div>',
  '&#27;',
  '\u001b[2J',
  '\u0007',
  '\r\n',
  '\t',
  '日本語。',
  '（',
  '👩‍👩‍👧',
  'é',
  '\ud83d',
  '\udc69',
  '\u200d',
  '\u202e',
  'word ',
  'a long line of words that goes on and on ',
  '===\n',
  '---\n',
  '- [x] ',
  '\\',
  '~',
  'x'.repeat(300),
  '| '.repeat(40),
  '中文'.repeat(90),
);
const markdown = fc.array(fragment, { maxLength: 40 }).map((parts) => parts.join(''));

function inPieces(text: string, cuts: readonly number[], width: number): readonly string[] {
  const stream = createMarkdownStream({ width, theme: dark });
  const places = [...new Set([0, ...cuts.map((cut) => cut % (text.length + 1)), text.length])].toSorted((a, b) => a - b);
  const rows = places.slice(1).flatMap((end, index) => {
    const { finished, open } = stream.push(text.slice(places[index], end));
    expect(open.filter((row) => displayWidth(row) > width)).toEqual([]);
    return finished;
  });
  return [...rows, ...stream.end()];
}

test('however the text is cut, the rows are those of the whole', () => {
  fc.assert(
    fc.property(markdown, fc.array(fc.nat(2000), { maxLength: 12 }), fc.integer({ min: 2, max: 90 }), (text, cuts, width) => {
      expect(inPieces(text, cuts, width)).toEqual(renderMarkdown(text, { width, theme: dark, isFinished: true }));
    }),
    { numRuns: 300 },
  );
});

test('no row is wider than asked, and nothing of the text acts on the terminal', () => {
  fc.assert(
    fc.property(markdown, fc.integer({ min: 2, max: 90 }), (text, width) => {
      for (const row of renderMarkdown(text, { width, theme: dark, isFinished: true })) {
        expect(displayWidth(row)).toBeLessThanOrEqual(width);
        expect(withoutEscapes(row)).not.toMatch(/[\p{Cc}\u202e]/u);
      }
      for (const row of renderMarkdown(text, { width, theme: plain, isFinished: false }))
        expect(row).not.toMatch(/[\p{Cc}\u202e]/u);
    }),
    { numRuns: 300 },
  );
});

test('only what may still change stays open', () => {
  const stream = createMarkdownStream({ width: 40, theme: plain });
  expect(stream.push('# A title\n\nSome **bo')).toEqual({ finished: ['# A title'], open: ['', 'Some **bo'] });
  expect(stream.push('ld** words\n\n```ts\nconst a = 1;\ncon')).toEqual({
    finished: ['', 'Some bold words', '', '  const a = 1;'],
    open: ['  con'],
  });
  expect(stream.push('st b = 2;\n```\n- one\n- two').finished).toEqual(['  const b = 2;', '']);
  expect(stream.push('\n').finished).toEqual(['• one']);
  expect(stream.end()).toEqual(['• two']);
});

test('a line that only has signs yet is not shown', () => {
  const stream = createMarkdownStream({ width: 40, theme: plain });
  expect(stream.push('text\n-').open).toEqual(['text']);
  expect(stream.push(' item').open).toEqual(['text', '', '• item']);
});

test('a block that grows stays small: what is done leaves it', () => {
  const blocks = {
    code: ['```\n', 'a line of code\n'],
    table: ['| a | b |\n|---|---|\n', '| 1 | a longer cell |\n'],
    list: ['', '- an item of a list\n'],
    paragraph: ['', 'words of a paragraph that goes on '],
    quote: ['', '> words of a quote that goes on\n'],
    cjk: ['', '很长的一段文字没有空格也没有换行。'],
  };
  for (const [begin = '', piece = ''] of Object.values(blocks)) {
    const stream = createMarkdownStream({ width: 80, theme: plain });
    stream.push(begin);
    let finished = 0;
    for (let index = 0; index < 500; index++) {
      const rows = stream.push(piece);
      finished += rows.finished.length;
      expect(rows.open.length).toBeLessThanOrEqual(14);
    }
    expect(finished).toBeGreaterThan(80);
  }
});

test('after a resize what is open has the new width', () => {
  const stream = createMarkdownStream({ width: 40, theme: plain });
  expect(stream.push('one two three four').open).toEqual(['one two three four']);
  expect(stream.resize(10).open).toEqual(['one two', 'three four']);
});

test('hostile text is read in bounded time', () => {
  const hostile = [
    '['.repeat(10_000),
    '*'.repeat(10_000),
    '*a_'.repeat(10_000),
    '`a'.repeat(10_000),
    '![](<'.repeat(5000),
    `${'>'.repeat(1000)} deep`,
    `${'- '.repeat(1000)}deep`,
    `${'|a'.repeat(10_000)}|\n${'|-'.repeat(10_000)}|\n${'|b'.repeat(10_000)}|\n`,
    `${'|a'.repeat(1500)}|\n${'|-'.repeat(1500)}|\n${'|b'.repeat(1500)}|\n`,
    `${' '.repeat(20_000)}x`,
    `# ${'# '.repeat(5000)}`,
    `\`\`\`ts\n${'/* '.repeat(5000)}\n`.repeat(3),
    'a\u0301'.repeat(5) + '\u0301'.repeat(20_000),
  ];
  for (const text of hostile) {
    const rows = renderMarkdown(text, { width: 80, theme: dark, isFinished: true });
    expect(rows.filter((row) => displayWidth(row) > 80)).toEqual([]);
  }
}, 10_000);
