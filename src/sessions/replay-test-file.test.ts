import { expect, test } from 'vitest';
import { secrecy } from '../permissions/protected-paths.ts';
import type { Recording } from './replay-recording.ts';
import { testLines } from './replay-test-file.ts';

const SECRETS = ['.aws/credentials', '.config/gh/hosts.yml', '.docker/config.json', '.kube/config', '.ssh/deploy', '.netrc'];

/** A session that began in the home of its person. */
function recording(): Recording {
  const file = (path: string): object => ({ path, mtimeMs: 1, state: { kind: 'file', hash: path, mode: 0o600, size: 1 } });
  return {
    id: 'x',
    records: [],
    rewound: [],
    starts: [{ type: 'start', version: 1, cwd: '/home/ada', home: '/home/ada', entries: [...SECRETS, 'notes.txt'].map(file) }],
    effects: [{ type: 'effect', id: 1, turn: 1, toolUseId: null, by: 'Bash echo token=vault-value-1', changes: [] }],
    contentOf: (hash: string) => Buffer.from(`content of ${hash}`),
  } as unknown as Recording;
}

test('credentials of a home are left out of a test that is made there, by name and by content', () => {
  const isSecret = (path: string, home: string): boolean => secrecy(path, home) !== null;
  const { lines, leftOut } = testLines(recording(), { secrets: ['vault-value-1'], isSecret });
  expect(leftOut.toSorted()).toEqual(SECRETS.toSorted());
  const text = JSON.stringify(lines);
  for (const path of SECRETS) expect(text).not.toContain(path);
  expect(text).toContain('content of notes.txt');
});

test('a secret is masked in what a command is called, too', () => {
  const { lines } = testLines(recording(), { secrets: ['vault-value-1'], isSecret: () => false });
  expect(JSON.stringify(lines)).not.toContain('vault-value-1');
});
