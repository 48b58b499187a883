import { expect, test } from 'vitest';
import { maskSecrets, secretsOf } from './secrets.ts';

const URL_OF_API = 'https://me:pass%21word@host.example/v1?api-version=2024-10-21&key=query-secret';
const HEADERS = {
  authorization: 'Bearer sk-0123456789',
  'x-goog-api-key': 'AIza-abcdefgh',
  'x-token': 'short',
  'content-type': 'application/json',
  'x-team': 'search-and-more',
};
const secrets = secretsOf(URL_OF_API, HEADERS);

test('keys are masked wherever a request has them, and nothing else is', () => {
  for (const secret of ['sk-0123456789', 'AIza-abcdefgh', 'query-secret', 'pass%21word', 'pass!word'])
    expect(maskSecrets(`Bad "${secret}", ${secret}.`, secrets)).toBe('Bad "[key]", [key].');
  expect(maskSecrets('Bearer sk-0123456789 is bad', secrets)).toBe('[key] is bad');
  const plain = 'short application/json search-and-more 2024-10-21 host.example sk-0123';
  expect(maskSecrets(plain, secrets)).toBe(plain);
});

test('a key that is cut off at the end of a message is masked too', () => {
  expect(maskSecrets('Your key sk-01234567', secrets)).toBe('Your key [key]');
});
