import { expect, test } from 'vitest';
import { isTourRequest } from './tour-request.ts';

test.each([
  'tour',
  'Tour!',
  'demo tour',
  'take the tour',
  'show me a tour',
  'can I get a demo?',
  "let's take a tour",
  'please give me a quick tour of wield',
  'fix the sample bug',
  '导览',
  '演示一下',
  '参观',
  '来个演示吧',
  '带我参观一下',
  '开始导览',
  '请演示一下你的功能',
])('%s asks for the tour', (text) => expect(isTourRequest(text)).toBe(true));

test.each([
  'what can you do?',
  'open tour.md',
  'where is the tour implemented?',
  'search for tour',
  'run the tests',
  'fix the bug in src/a.ts',
  '读一下导览.md',
  '演示文稿在哪里',
  '你能做什么',
])('%s does not', (text) => expect(isTourRequest(text)).toBe(false));
