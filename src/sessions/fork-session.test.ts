import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeFork } from './fork-session.ts';
import type { SessionHeader } from './session-log.ts';

const ALLOWED = { behavior: 'allow', tool: 'Bash', specifier: 'touch:*', scope: 'session', origin: 'answer' };
const RULE = JSON.stringify({ type: 'rule_added', rule: ALLOWED });
const TODO = '{"type":"todos","list":[]}';

test.each([
  ['as it was written', RULE],
  ['behind what a power cut left', `\0\0\0${RULE}`],
  ['with its fields in another order', JSON.stringify({ rule: ALLOWED, type: 'rule_added' })],
])('what was allowed for a session is not handed on, %s', async (_name, line) => {
  const folder = mkdtempSync(join(tmpdir(), 'wield-fork-'));
  try {
    const path = join(folder, 'fork.jsonl');
    const text = ['{"type":"session"}', TODO, line, TODO, ''].join('\n');
    const from = { parentPath: join(folder, 'parent.jsonl'), parentId: 'parent', text, turn: 0, turnCount: 0 };
    await writeFork(path, { type: 'session' } as unknown as SessionHeader, from);
    const written = readFileSync(path, 'utf8');
    expect(written).not.toContain('rule_added');
    expect(written.split('\n').filter((each) => each === TODO)).toHaveLength(2);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
