import { spawnSync } from 'node:child_process';
import { linkSync, mkdirSync, readdirSync, readFileSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ToolContext } from '../../src/core/tool.ts';
import { textOf } from '../../src/core/message.ts';
import { createLocalFiles } from '../../src/host/files/local-files.ts';
import { createApplyPatchTool } from '../../src/tools/apply-patch.ts';
import { createEditFileTool } from '../../src/tools/edit-file.ts';
import { createWriteFileTool } from '../../src/tools/write-file.ts';
import { openSessionLog } from '../../src/sessions/session-log.ts';

const DATA = 'x'.repeat(100_000);
let root: string;
let journal: string;

const canMount = spawnSync('unshare', ['--mount', 'true']).status === 0 && process.getuid?.() === 0;

beforeEach(() => {
  root = join(tmpdir(), `wield-full-${process.pid}-${Date.now()}`);
  journal = `${root}-journal`;
  mkdirSync(root);
  if (canMount) expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', root]).status).toBe(0);
});
afterEach(() => {
  if (canMount) spawnSync('umount', [root]);
});

/** Leaves the disk with a few kilobytes. */
function fill(leftBytes = 8192): void {
  const { bavail, bsize } = statfsSync(root);
  writeFileSync(join(root, 'filler'), Buffer.alloc(Math.max(0, bavail * bsize - leftBytes)));
}

function context(): ToolContext {
  // These tools use nothing of their surroundings but the files and the folder.
  return { cwd: root, files: createLocalFiles({ tracksSeen: false, journalFolder: journal }) } as unknown as ToolContext;
}

const write = createWriteFileTool().execute;
const edit = createEditFileTool().execute;
const patch = createApplyPatchTool().execute;

describe.skipIf(!canMount)('a full disk (skipped where a small tmpfs cannot be mounted)', () => {
  test('WriteFile, EditFile and ApplyPatch leave every byte, and no temp file', async () => {
    const path = join(root, 'data.json');
    writeFileSync(path, DATA);
    writeFileSync(join(root, 'small.txt'), 'old\n');
    fill();
    const before = readdirSync(root).toSorted();
    const results = [
      await write(context(), { path, content: 'y'.repeat(200_000) }),
      await edit(context(), { path, old_string: 'x'.repeat(100_000), new_string: 'z'.repeat(150_000) }),
      await patch(context(), {
        patch: [
          '*** Begin Patch',
          '*** Update File: small.txt',
          '@@',
          '-old',
          '+new',
          '*** Add File: big.txt',
          `+${'w'.repeat(200_000)}`,
          '*** End Patch',
        ].join('\n'),
      }),
    ];
    for (const result of results) {
      expect(result.isError).toBe(true);
      expect(textOf(result.content)).toMatch(/disk is full/i);
    }
    expect(readFileSync(path, 'utf8')).toBe(DATA);
    expect(readFileSync(join(root, 'small.txt'), 'utf8')).toBe('old\n');
    expect(readdirSync(root).toSorted()).toEqual(before);
    expect(readdirSync(journal)).toEqual([]);
  });

  test('a file with holes and two names is put back when the disk fills in the middle of it', async () => {
    const path = join(root, 'sparse');
    writeFileSync(path, 'head\n');
    truncateSync(path, 80_000);
    linkSync(path, join(root, 'twin'));
    const before = readFileSync(path);
    // Room for the new text and the copy of the old, and for half of what the holes need.
    fill(4096 * 51);
    const names = readdirSync(root).toSorted();
    const result = await write(context(), { path, content: 'n'.repeat(80_000) });
    expect([result.isError, textOf(result.content)]).toEqual([true, expect.stringMatching(/disk is full/i)]);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(root).toSorted()).toEqual(names);
    expect(readdirSync(journal)).toEqual([]);
  });

  test('a session keeps its whole lines and says that it could not be written', async () => {
    const path = join(root, 'session.jsonl');
    const log = openSessionLog(path, { type: 'session', version: 1, id: 's', cwd: root, model: 'm', createdAt: 'now' });
    const say = (seq: number, text: string): void =>
      log.append({
        seq,
        turn: 1,
        agentId: 'main',
        type: 'message_added',
        message: { role: 'user', content: [{ type: 'text', text }] },
      });
    say(1, 'small');
    await log.flush();
    fill();
    say(2, 'v'.repeat(100_000));
    await expect(log.flush()).rejects.toMatchObject({ code: 'session_write_failed' });
    say(3, 'small again');
    await log.flush();
    const lines = readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { seq?: number });
    expect(lines.map(({ seq }) => seq)).toEqual([undefined, 1, 3]);
    await log.close();
  });
});
