import { expect, test } from 'vitest';
import { GrowingText } from './growing-text.ts';

test('pieces come out as one text, whenever it is asked for', () => {
  const text = new GrowingText();
  expect(String(text)).toBe('');
  let wanted = '';
  for (let i = 0; i < 5000; i++) {
    text.add(`${i},`);
    wanted += `${i},`;
    if (i % 777 === 0 || i === 1023 || i === 1024) expect(String(text)).toBe(wanted);
  }
  expect(String(text)).toBe(wanted);
});
