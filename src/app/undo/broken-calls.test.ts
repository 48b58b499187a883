import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { brokenCalls } from './broken-calls.ts';
import { brokenLine } from './undo-text.ts';

test('a call that its process did not survive is named, and one that ended is not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wield-broken-'));
  try {
    const path = join(folder, '2026-12-01T00-00-00-000-abcdef12.jsonl');
    const call = (id: string, command: string): object => ({
      type: 'tool_use',
      id,
      wireId: null,
      name: 'Bash',
      input: { command },
    });
    const message = {
      role: 'assistant',
      content: [call('one', 'touch a'), call('two', 'rm keep.txt\nsleep 30')],
      state: 'complete',
      provider: 'demo',
      model: 'demo',
    };
    const records = [
      { type: 'session', version: 1 },
      { type: 'message_added', message },
      { type: 'effect_started', toolUseId: 'one' },
      { type: 'effect_finished', toolUseId: 'one' },
      { type: 'effect_started', toolUseId: 'two' },
    ];
    writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    const broken = await brokenCalls(path);
    expect(broken).toEqual([{ id: 'two', name: 'Bash', subject: 'rm keep.txt\nsleep 30' }]);
    expect(broken.map(brokenLine)[0]).toMatch(
      /^Not on record, since wield was ended while it ran: Bash rm keep\.txt ⏎ sleep 30\. /,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
