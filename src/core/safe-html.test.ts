import { expect, test } from 'vitest';
import { html } from './safe-html.ts';

test('a text is escaped wherever it is put, and what is markup already is not escaped twice', () => {
  const inner = html`<b title="${`"'&<>`}">${'<i>'}</b>`;
  expect(html`<p>${inner}${[inner]}${7}${null}</p>`.markup).toBe(
    `<p>${'<b title="&quot;&#39;&amp;&lt;&gt;">&lt;i&gt;</b>'.repeat(2)}7</p>`,
  );
});

test('what steers or turns the direction is shown by name, and line ends of any kind are line ends', () => {
  expect(html`${'a\r\nb\u202ec\u001b[1m\u0000'}`.markup).toBe('a\nb&lt;U+202E&gt;c\\x1b[1m\\x00');
});
