import { expect, test } from 'vitest';
import { maskKeys, maskValue } from './mask-keys.ts';

const LONG = 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0';

test.each([
  `sk-ant-api03-${LONG}`,
  `sk-proj-${LONG}`,
  `sk-${LONG}`,
  `sk_live_${LONG}`,
  `AIza${LONG}`,
  `gsk_${LONG}`,
  `xai-${LONG}`,
  `ghp_${LONG}`,
  `github_pat_${LONG}`,
  `glpat-${LONG}`,
  'xoxb-123456789012-abcdef',
  'AKIAABCDEFGHIJKLMNOP',
  `hf_${LONG}`,
  `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${LONG}`,
  `-----BEGIN RSA PRIVATE KEY-----\n${LONG}\n-----END RSA PRIVATE KEY-----`,
])('%s is masked where it stands', (key) => {
  expect(maskKeys(`before ${key} after`)).toBe('before [key] after');
});

test('a value whose name says that it is a key is masked, and its name stays', () => {
  expect(maskKeys(`export ACME_API_KEY="${LONG}"\nAuthorization: Bearer ${LONG}`)).toBe(
    'export ACME_API_KEY="[key]"\nAuthorization: Bearer [key]',
  );
});

test('code that speaks of keys, and words that begin like one, stay', () => {
  const code = 'const token = parseNextToken(input); // task-list sk-short risk-assessment-of-the-whole-project AKIA';
  expect(maskKeys(code)).toBe(code);
});

test('a known key is masked whatever it looks like, in names and in texts of any depth, and a picture stays', () => {
  const picture = { type: 'image', mediaType: 'image/png', data: 'plainsecret' };
  expect(maskValue({ plainsecret: ['a plainsecret', { b: picture }], n: 1, none: null }, ['plainsecret'])).toEqual({
    '[key]': ['a [key]', { b: picture }],
    n: 1,
    none: null,
  });
});

test('a private key in the lines of a diff is masked line by line, and what stands around it stays', () => {
  const lines = [
    '+before',
    '+-----BEGIN PRIVATE KEY-----',
    '+MIIEvQbody1',
    ' MIIEvQbody2',
    '+-----END PRIVATE KEY-----',
    '+after',
  ];
  const masked = maskValue({ diff: lines }, []) as { diff: string[] };
  expect(masked.diff).toEqual(['+before', '+[key]', '+[key]', ' [key]', '+[key]', '+after']);
});
