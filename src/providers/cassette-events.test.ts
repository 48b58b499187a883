import { expect, test } from 'vitest';
import type { ModelEvent } from '../core/model.ts';
import { maskSecretsIn, spellings } from '../host/http/secrets.ts';
import { gatheredEvents, leakedSecrets, withoutSpread } from './cassette-events.ts';

const SECRET = 'vault-plain-look-0123456789';
const said = (index: number, text: string): { atMs: number; event: ModelEvent } => ({
  atMs: 1,
  event: { type: 'text_delta', index, text },
});

test('a secret is found and masked where the deltas of two blocks alternate', () => {
  const heard = [
    said(0, SECRET.slice(0, 6)),
    said(1, 'a'),
    said(0, SECRET.slice(6, 12)),
    said(1, 'b'),
    said(0, SECRET.slice(12)),
  ];
  const gathered = gatheredEvents(heard);
  expect(gathered.map(({ event }) => event)).toMatchObject([
    { index: 0, text: SECRET },
    { index: 1, text: 'ab' },
  ]);
  expect(leakedSecrets(gathered, [SECRET], [])).toBe(true);
  expect(withoutSpread(gathered, [SECRET]).map(({ event }) => event)).toMatchObject([{ text: '[key]' }, { text: 'ab' }]);
});

test('where two blocks hold a secret together, neither is kept', () => {
  const gathered = gatheredEvents([said(0, `it is ${SECRET.slice(0, 14)}`), said(1, SECRET.slice(14))]);
  expect(leakedSecrets(gathered, [SECRET], [])).toBe(true);
  const text = JSON.stringify(withoutSpread(gathered, [SECRET]));
  for (const piece of [SECRET.slice(0, 14), SECRET.slice(14)]) expect(text).not.toContain(piece);
});

test('what the bytes show as one piece is masked there', () => {
  const chunks = [{ atMs: 1, bytes: Buffer.from(`data: "${SECRET}"`) }];
  expect(leakedSecrets(gatheredEvents([said(0, SECRET)]), [SECRET], chunks)).toBe(false);
});

test('a secret is masked as the name of a field, and as JSON writes it once and twice', () => {
  const secret = 'pa"ss\\word-0123456789';
  const masked = JSON.stringify(maskSecretsIn({ [secret]: 1, a: `x ${secret}`, b: JSON.stringify({ c: secret }) }, [secret]));
  for (const spelling of spellings([secret])) expect(masked).not.toContain(spelling);
  expect(JSON.parse(masked)).toEqual({ '[key]': 1, a: 'x [key]', b: '{"c":"[key]"}' });
});
