import { createMarkdownStream } from '../src/ui/markdown/markdown-stream.ts';
import { prepareLanguage } from '../src/ui/markdown/code/highlight.ts';
import { createTheme } from '../src/ui/theme.ts';

// Does the processor's time grow with the text alone? Each kind of text comes in pieces of 20 characters, and what is open is drawn after each piece.
const PIECE = 20;
const SIZES = [200_000, 400_000] as const;
const KINDS: Readonly<Record<string, { readonly begin: string; readonly repeated: string }>> = {
  answer: {
    begin: '',
    repeated:
      '## A heading\n\nSome **bold** words, `code` and a [link](https://example.org) in a paragraph of usual length that goes on.\n\n- one\n- two\n\n```ts\nconst answer: number = 42; // yes\n```\n\n',
  },
  code: { begin: '```ts\n', repeated: 'export const value: string = compute(1, "two"); // three\n' },
  table: { begin: '| a | b | c |\n|---|---|---|\n', repeated: '| one | `two` and more | **three** |\n' },
  list: { begin: '', repeated: '- an item with **bold** words and `code`\n' },
  'long line': { begin: '', repeated: 'words of a line that goes on and **on** ' },
  CJK: { begin: '', repeated: '很长的一段文字，没有空格，也没有**换行**。' },
};

await prepareLanguage('ts');
const theme = createTheme('dark');
console.log('text        200 KB    400 KB   ratio');
run('answer', 50_000);
for (const kind of Object.keys(KINDS)) {
  const [small, large] = SIZES.map((size) => run(kind, size)) as [number, number];
  console.log(
    `${kind.padEnd(10)} ${small.toFixed(0).padStart(5)} ms  ${large.toFixed(0).padStart(5)} ms   ${(large / small).toFixed(2)}`,
  );
}

function run(kind: string, size: number): number {
  const { begin = '', repeated = '' } = KINDS[kind] ?? {};
  const text = begin + repeated.repeat(Math.ceil(size / repeated.length)).slice(0, size);
  const stream = createMarkdownStream({ width: 80, theme });
  const start = process.cpuUsage();
  let rows = 0;
  for (let at = 0; at < text.length; at += PIECE) {
    const { finished, open } = stream.push(text.slice(at, at + PIECE));
    rows += finished.length + open.length;
  }
  if (rows + stream.end().length === 0) throw new Error('nothing was drawn');
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
