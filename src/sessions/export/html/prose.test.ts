import { expect, test } from 'vitest';
import { prose } from './prose.ts';

test('the Markdown that models write becomes markup', () => {
  const text =
    '# Head\n\nSome **bold**, *slanted* and `co<de>`.\n\n- one\n  more\n- two\n\n| a | b |\n|---|---|\n| 1 | `2` |\n\n> said';
  expect(prose(text).markup).toBe(
    '<h4 class="h1">Head</h4><p dir="auto">Some <strong>bold</strong>, <em>slanted</em> and <code>co&lt;de&gt;</code>.</p>' +
      '<ul><li class="d0">one\nmore</li><li class="d0">two</li></ul>' +
      '<div class="table"><table><thead><tr><td>a</td><td>b</td></tr></thead><tbody><tr><td>1</td><td><code>2</code></td></tr></tbody></table></div>' +
      '<blockquote><p dir="auto">said</p></blockquote>',
  );
});

test('a fence that is never closed holds the rest, and one in it that is shorter does not end it', () => {
  expect(prose('````js\na\n```\n<b>').markup).toBe('<pre class="code" tabindex="0" data-language="js">a\n```\n&lt;b&gt;</pre>');
});

test('only http and https are links, and a link shows all of where it goes', () => {
  expect(prose('[x](javascript:a) see https://example.com/a?b=1&c=2.').markup).toBe(
    '<p dir="auto">[x](javascript:a) see <a href="https://example.com/a?b=1&amp;c=2" rel="noopener noreferrer nofollow">https://example.com/a?b=1&amp;c=2</a>.</p>',
  );
});

test('no text is lost and none takes long: marks that nest, and marks that nothing closes', () => {
  for (const mark of ['> ', '**', '`', '*a ', '- ', '| ', '```\n', '# ', '[', 'http://'])
    expect(prose(`${mark.repeat(20_000)}end`).markup).toContain('end');
});
