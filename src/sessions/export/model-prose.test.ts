import { marked } from 'marked';
import { expect, test } from 'vitest';
import { modelProse } from './model-prose.ts';

const rendered = (text: string): string => marked.parse(modelProse(text), { async: false });

test.each([
  ['after a fence whose list item has ended', '1. a\n\n   ```\n<img src=x onerror=alert(1)>\n<script>1</script>\n'],
  ['after a fence of tildes in a list', '- a\n  ~~~\n<img src=x>\n'],
  ['after an indented fence that the next one closes', '  ```\ncode\n```\n<img src=x>\n'],
  ['after a fence on the line of its list item', '- ```\n  a\n```\n<img src=x>\n```\n<img src=x>'],
  ['after a fence in a quote', '> ```\n> a\n```\nx\n```\n<img src=x>'],
  ['after a fence that is shorter than its end', '````\n```\n````\n<img src=x>'],
  ['in a line', 'a <b onclick=x> <img src=x>'],
  ['over two lines of inline code', '`a\n<img src=x>'],
])('raw HTML means nothing %s', (_name, text) => {
  expect(rendered(text)).not.toMatch(/<(?:img|script|b onclick)/i);
});

test.each([
  '[z](javascript:alert(1))',
  '[z](javascript\\:alert(1))',
  '[z](&#106;avascript:alert(1))',
  '[z](java&Tab;script:alert(1))',
  '[z](javascript&colon;alert(1))',
  '[z](<javascript:alert(1)>)',
  '[z](\njavascript:alert(1))',
  '[a]\n\n[a]: javascript\\:alert(1)',
  '[a]\n\n[a]:\njavascript:alert(1)',
  '[z](data:text/html,x)',
  '[z](file:///etc/passwd)',
  '<javascript:alert(1)>',
])('%j leads nowhere', (text) => {
  expect(rendered(text)).not.toMatch(/href=/);
});

test('a picture is not loaded', () => {
  for (const text of ['![x](http://e/i.png)', '\\![x](http://e/i.png)', '[![x](http://e/i.png)](http://e)'])
    expect(rendered(text)).not.toContain('<img');
});

test('what models write stays as it is', () => {
  const text =
    'See [the page](https://example.org/a?b=1&c=2), [a file](src/a.ts:3) and **this**.\n\n1. First:\n\n   ```html\n   <img src="a.png">\n   ```\n2. Then\n\n```ts\nconst a = b < c ? "<b>" : `x`;\n```\n\n- last';
  expect(modelProse(text)).toBe(text);
  expect(rendered(text)).toContain('&lt;img src=&quot;a.png&quot;&gt;');
});
