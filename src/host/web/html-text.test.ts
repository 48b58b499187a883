import { expect, test } from 'vitest';
import { htmlToText } from './html-text.ts';

const textOf = (html: string): Promise<string> => htmlToText(html, 'https://example.com/docs/page');

test('a page becomes what a person would read of it', async () => {
  const html = `<!doctype html><html><head><title>A   page</title><style>p { color: red }</style><script>var x = '<p>no</p>'</script></head>
<body><nav><a href="/">Home</a> <a href="#top">Top</a></nav>
<h1>Head &amp; shoulders</h1>
<p>Some <b>bold</b> words,
   and <a href="../other?a=1&amp;b=2">a  link</a>. Then<br>a line.</p>
<ul><li>one</li><li>two<ol><li>first</li><li>second</li></ol></li></ul>
<pre><code class="js">
if (a &lt; b) {
  run();
}
</code></pre>
<p>Use <code>npm ci</code>.</p>
<table><tr><th>Name</th><th>Size</th></tr><tr><td>a</td><td>1</td></tr></table>
<img alt="A cat"><img src="x"><noscript>Turn it on</noscript></body></html>`;
  expect(await textOf(html)).toBe(`# A page

[Home](https://example.com/) Top

# Head & shoulders

Some bold words, and [a link](https://example.com/other?a=1&b=2). Then
a line.

- one
- two
  1. first
  2. second

\`\`\`
if (a < b) {
  run();
}
\`\`\`

Use \`npm ci\`.

Name | Size
a | 1

[image: A cat]`);
});

test.each([
  ['nothing', '', ''],
  ['words alone', 'plain &lt;words&gt;', 'plain <words>'],
  ['tags that are never closed', '<p>one<p>two<li>three', 'one\n\ntwo\n- three'],
  ['tags that were never opened', '</a></ul></code></pre>text', 'text'],
  ['a head that is left open', '<head><title>T</title><body><p>text', '# T\n\ntext'],
  ['addresses that run something', '<a href="javascript:alert(1)">press</a>', 'press'],
  ['a link without words', 'a <a href="/x"></a> b', 'a b'],
  ['another base', '<base href="https://other.test/"><a href="x">y</a>', '[y](https://other.test/x)'],
  ['a heading that repeats the title', '<title>T</title><h1>T</h1><p>x', '# T\n\nx'],
])('%s', async (_what, html, text) => {
  expect(await textOf(html)).toBe(text);
});

test('a page that is deeper than any honest one is read until there, and a wide one as a whole', async () => {
  const deep = `${'<div><b><a href="/x">word</a>'.repeat(200_000)}end`;
  expect(await textOf(deep)).toMatch(/^\[word\]/);
  expect(await textOf(deep)).not.toContain('end');
  expect(await textOf(`<ul>${'<li>x'.repeat(200_000)}<li>end`)).toMatch(/- end$/);
});

test('a small page does not become a large text', async () => {
  const base = `<base href="http://x.test/${'A'.repeat(1400)}/">`;
  expect((await textOf(`${base}${'<a href=a>x</a>'.repeat(20_000)}`)).length).toBeLessThan(8_000_000);
  const long = `<base href="http://x.test/${'A'.repeat(100_000)}/">`;
  expect(await textOf(`${long}<a href=a>x</a>`)).toBe('[x](https://example.com/docs/a)');
});
