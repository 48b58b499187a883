import { expect, test } from 'vitest';
import { firstDifference } from './first-difference.ts';
import { movePlaces, placesOf, replacePath, steadyText, withoutPlaces } from './steady-text.ts';

const then = placesOf({ cwd: '/home/ann/shop', home: '/home/ann', temp: '/tmp/' });
const now = placesOf({ cwd: '/ci/home/ann/shop', home: '/root', temp: '/var/tmp' });

test('places have names, the most exact first, and longer names are left alone', () => {
  expect(withoutPlaces('/home/ann/shop/a /home/ann/shop. /home/ann/shop-old /home/ann/shop.bak /x/home/ann', then)).toBe(
    '{folder}/a {folder}. {home}/shop-old {home}/shop.bak /x/home/ann',
  );
  expect(replacePath('file:///tmp/a and /tmpx', '/tmp', '/t')).toBe('file:///t/a and /tmpx');
});

test('places move in one step, also where one lies in the new path of another', () => {
  expect(movePlaces('cd /home/ann/shop && cat /home/ann/.x /tmp/y', then, now)).toBe(
    'cd /ci/home/ann/shop && cat /root/.x /var/tmp/y',
  );
});

test.each([
  ['times', 'at 2026-11-30T22:10:50.123Z', 'at 2026-12-01 09:00:00'],
  ['times', 'Mon Nov 30 22:10:50 UTC 2026', 'Tue Dec  1 09:00:00 JST 2026'],
  ['times', '-rw-r--r-- 1 a a 5 Nov 30 22:10 a.txt', '-rw-r--r-- 1 a a 5 Dec  1  2025 a.txt'],
  ['times', 'Date:   Mon Nov 30 22:10:50 2026 +0000', 'Date:   Tue Dec 1 09:00:01 2026 +0900'],
  ['durations', '✔ adds (1.868336ms)', '✔ adds (0.4ms)'],
  ['durations', 'duration_ms 344.7', 'duration_ms 12'],
  ['durations', 'real 0m1.958s', 'real 1m0.001s'],
  ['process-ids', 'server pid 4242', 'server pid 17'],
  ['process-ids', 'x\n[1] 4242', 'x\n[1] 17'],
  ['temp-names', 'made /tmp/tmp.Ab12Cd/x', 'made /tmp/tmp.Zz98Yy/x'],
  ['ports', 'listens at http://127.0.0.1:40123/', 'listens at http://127.0.0.1:51999/'],
  ['commit-ids', '[main 1a2b3c4] first', '[main 9f8e7d6] first'],
  ['commit-ids', '1a2b3c4 first', '9f8e7d6 first'],
  ['output-files', 'all of it: /s/output/x/output-12ab.txt …', 'all of it: /z/output/y/output-99ff.txt …'],
])('%s differ by nature: %s', (rule, one, other) => {
  expect(steadyText(one).text).toBe(steadyText(other).text);
  expect(steadyText(one).rules).toContain(rule);
});

test.each([
  'exit code 1',
  'line 12: 30 items',
  'v1.2.3',
  'a 3-way merge',
  '12 passed, 1 failed',
  'price 10.00',
  '0x1a2b3c4d',
  '/tmpfile',
])('nothing of "%s" is taken for something that differs by nature', (text) => {
  expect(steadyText(text)).toEqual({ text, rules: [] });
});

test('the first line that differs is shortened around its place', () => {
  expect(firstDifference('a\nb\nc', 'a\nx\nc')).toEqual({ line: 2, expected: '"b"', actual: '"x"' });
  expect(firstDifference('a', 'a\nb')).toEqual({ line: 2, expected: '(no such line)', actual: '"b"' });
  const long = 'x'.repeat(300);
  const { expected, actual } = firstDifference(`${long}1${long}`, `${long}2${long}`);
  expect([expected.startsWith('…"'), expected.endsWith('"…'), expected.length < 200]).toEqual([true, true, true]);
  expect([expected.includes('1'), actual.includes('2')]).toEqual([true, true]);
});
