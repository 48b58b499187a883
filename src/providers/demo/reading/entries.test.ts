import { describe, expect, test } from 'vitest';
import { entriesOf } from './entries.ts';
import { matchEntries } from './match-entry.ts';

const JSON_LINES = [
  '{',
  '  // the server',
  '  "server": { "host": "h", "port": 80 },',
  '  "list": [1, "two",],',
  '  "database": {',
  '    "port": 5432',
  '  }',
  '}',
];
const YAML_LINES = [
  '# top',
  'server:',
  '  port: 9090   # seconds',
  "  name: 'a # b'",
  'services:',
  '  - name: redis',
  '    port: 6379',
  '  - name: mail',
  '    port: 25',
];
const TOML_LINES = ['name = "x"', '[tool.poetry]', 'version = "1.2" # now', 'deps = [', '  "a",', '  "b",', ']'];

const flat = (path: string, lines: readonly string[]) =>
  entriesOf(path, lines, 1).map(({ keys, value, raw, line }) => `${line} ${keys.join('.')} = ${value} (${raw})`);

test('JSON with comments and trailing commas', () => {
  expect(flat('a.json', JSON_LINES)).toEqual([
    '3 server = host, port ()',
    '3 server.host = h ("h")',
    '3 server.port = 80 (80)',
    '4 list = 1, two ()',
    '4 list.0 = 1 (1)',
    '4 list.1 = two ("two")',
    '5 database = port ()',
    '6 database.port = 5432 (5432)',
  ]);
});

test('JSON that is cut off gives what is there', () => {
  expect(flat('a.json', ['{ "a": { "b": 1, '])).toEqual(['1 a = b ()', '1 a.b = 1 (1)']);
});

test('YAML by indentation, with lists of objects', () => {
  expect(flat('a.yaml', YAML_LINES)).toEqual([
    '2 server = port, name ()',
    '3 server.port = 9090 (9090)',
    "4 server.name = a # b ('a # b')",
    '5 services =  ()',
    '6 services.0.name = redis (redis)',
    '7 services.0.port = 6379 (6379)',
    '8 services.1.name = mail (mail)',
    '9 services.1.port = 25 (25)',
  ]);
});

test('TOML sections and lists', () => {
  expect(flat('a.toml', TOML_LINES)).toEqual([
    '1 name = x ("x")',
    '2 tool.poetry = version, deps ()',
    '3 tool.poetry.version = 1.2 ("1.2")',
    '4 tool.poetry.deps = a, b ([)',
  ]);
});

test('.env, code and prose', () => {
  expect(flat('.env', ['export DB_PASSWORD=x', '# no', 'KEY="a b"'])).toEqual(['1 DB_PASSWORD = x (x)', '3 KEY = a b ("a b")']);
  expect(flat('a.ts', ['export const timeoutMs: number = 30_000; // half a minute', 'call();'])).toEqual([
    '1 timeoutMs = 30_000 (30_000)',
  ]);
  expect(flat('a.md', ['- **Port**: 80', 'Just text.', '| host | `db` |'])).toEqual(['1 Port = 80 (80)', '3 host = db (db)']);
});

describe('matching words to entries', () => {
  test.each([
    ['a.json', JSON_LINES, ['port', 'database'], 'database.port'],
    ['a.json', JSON_LINES, ['server', 'port'], 'server.port'],
    ['a.json', JSON_LINES, ['server'], 'server'],
    ['a.yaml', YAML_LINES, ['redis', 'port'], 'services.0.port'],
    ['.env', ['API_TOKEN=x', 'DB_PASSWORD=y'], ['database', 'password'], 'DB_PASSWORD'],
    ['a.json', ['{ "maxRetryCount": 3, "max": 1 }'], ['max', 'retry'], 'maxRetryCount'],
  ])('%s %#', (path, lines, words, expected) => {
    expect(matchEntries(entriesOf(path, lines, 1), words).best.map(({ keys }) => keys.join('.'))).toEqual([expected]);
  });

  test('what no key has is told', () => {
    expect(matchEntries(entriesOf('a.json', JSON_LINES, 1), ['database', 'password'])).toMatchObject({ unmatched: ['password'] });
    expect(matchEntries(entriesOf('a.json', JSON_LINES, 1), ['color']).best).toEqual([]);
  });
});
