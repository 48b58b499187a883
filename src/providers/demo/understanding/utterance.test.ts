import { expect, test } from 'vitest';
import { understand } from './understand.ts';
import { readUtterance } from './utterance.ts';

test.each([
  ['Could you please show me a.txt, thanks!', 'show me'],
  ["Hi! I'd like you to run the tests for me, please.", 'run the tests'],
  ['麻烦你帮我看一下入口文件，谢谢！', '看一下入口文件'],
  ['请问能不能帮我跑一下测试吗？', '跑一下测试'],
  ['please', 'please'],
])('%s without its polite words', (raw, core) => {
  expect(
    readUtterance(raw)
      .text.replaceAll(/[\uE000-\uE2FF]/g, '')
      .trim(),
  ).toContain(core);
});

test.each([
  ['read a.txt', 'en'],
  ['看看 a.txt', 'zh'],
  ["replace '你好' with 'hello' in a.txt", 'en'],
  ['`你好`', 'zh'],
])('%s is %s', (raw, language) => {
  expect(readUtterance(raw).language).toBe(language);
});

test('of a long text the first paragraph is the request, and it changes nothing', () => {
  const piped = 'some log line\n'.repeat(5000);
  expect(understand(`how many lines in a.txt?\n\n${piped}`)).toMatchObject({ intent: 'count' });
  expect(understand(`create a.txt\n\n${piped}`).intent).not.toBe('create');
  expect(understand(piped)).toEqual({ intent: 'talk', about: 'too_long' });
});

test.each([
  ['how many lines does a.txt have?', 'count'],
  ['replace foo with bar in a.txt', 'replace'],
  ['run the tests', 'test'],
])('%s is the request, whatever was piped in behind it', (ask, intent) => {
  expect(understand(`${ask}\n\n# Shop\n\nA small shop. Search for TODO.`)).toEqual(understand(ask));
  expect(understand(ask).intent).toBe(intent);
});

test('the content of a new file may have several paragraphs', () => {
  expect(understand('create a.txt with the content one\n\ntwo')).toMatchObject({ intent: 'create', content: 'one\n\ntwo' });
  expect(understand('create a.txt with the content:\n\none\n\ntwo')).toMatchObject({ intent: 'create', content: 'one\n\ntwo' });
});

test('what is fenced does not make a request long', () => {
  const code = 'let x = 1;\n'.repeat(500);
  expect(understand(`create a.ts with this content:\n\`\`\`ts\n${code}\`\`\``)).toMatchObject({
    intent: 'create',
    content: code.trimEnd(),
  });
});

test('no request takes rules long, however it is written', () => {
  for (const unit of ['把', '从', '"', '“', '`', 'in a.txt ', 'replace x ', 'please ', '的']) {
    for (const length of [990, 100_000]) {
      const start = performance.now();
      understand(unit.repeat(Math.ceil(length / unit.length)).slice(0, length));
      expect(performance.now() - start).toBeLessThan(3000);
    }
  }
});
