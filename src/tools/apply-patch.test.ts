import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProject, type TestProject } from '../../test/agent-harness.ts';
import type { ToolContext } from '../core/tool.ts';
import { textOf } from '../core/message.ts';
import { createLocalFiles } from '../host/files/local-files.ts';
import { createApplyPatchTool } from './apply-patch.ts';

const SCENARIOS = join(import.meta.dirname, '../../../shared/cases/apply_patch/scenarios');
const run = createApplyPatchTool().execute;

let project: TestProject;
beforeEach(() => {
  project = createProject({ 'a.txt': 'one\r\ntwo  \r\nthree\nfour' });
});
afterEach(() => project.remove());

/** ApplyPatch uses nothing of its surroundings but the files and the folder. */
async function apply(...lines: readonly string[]): Promise<{ readonly text: string; readonly isError: boolean }> {
  const context = {
    cwd: project.root,
    files: createLocalFiles({ tracksSeen: false, journalFolder: project.path('.journal') }),
  } as unknown as ToolContext;
  const result = await run(context, { patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });
  return { text: textOf(result.content), isError: result.isError };
}

function treeOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => !name.startsWith('.journal'));
  return Object.fromEntries(
    names.filter((name) => statSync(join(folder, name)).isFile()).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
}

describe('ApplyPatch', () => {
  test('adds, updates, moves and deletes several files at once', async () => {
    writeFileSync(project.path('old.txt'), 'keep\nthis\n', { mode: 0o750 });
    writeFileSync(project.path('gone.txt'), 'x\n');
    const result = await apply(
      '*** Add File: deep/new.txt',
      '+hello',
      '*** Update File: old.txt',
      '*** Move to: moved/new-name.txt',
      '@@',
      ' keep',
      '-this',
      '+that',
      '*** Delete File: gone.txt',
    );
    expect(result).toEqual({
      isError: false,
      text: `Added ${project.path('deep/new.txt')}\nUpdated ${project.path('old.txt')}, moved to ${project.path('moved/new-name.txt')}\nDeleted ${project.path('gone.txt')}`,
    });
    expect(treeOf(project.root)).toEqual({
      'a.txt': 'one\r\ntwo  \r\nthree\nfour',
      'deep/new.txt': 'hello\n',
      'moved/new-name.txt': 'keep\nthat\n',
    });
    expect(statSync(project.path('moved/new-name.txt')).mode & 0o777).toBe(0o750);
  });

  test('keeps every line that it does not change byte for byte, and gives a new one the end of the line in its place', async () => {
    await apply('*** Update File: a.txt', '@@', ' one', '-two', '+TWO', '+two and a half', ' three');
    expect(readFileSync(project.path('a.txt'), 'utf8')).toBe('one\r\nTWO\r\ntwo and a half\nthree\nfour');
  });

  test('keeps the end of a file that has no final line end', async () => {
    await apply('*** Update File: a.txt', '@@', '-four', '+FOUR', '*** End of File');
    expect(readFileSync(project.path('a.txt'), 'utf8')).toBe('one\r\ntwo  \r\nthree\nFOUR');
  });

  test('one hunk that does not fit leaves every file as it was, and the answer shows the closest place', async () => {
    const before = treeOf(project.root);
    const result = await apply('*** Add File: new.txt', '+x', '*** Update File: a.txt', '@@', ' one', '-two!', '+2');
    expect(result.isError).toBe(true);
    expect(result.text).toContain(
      'hunk 1 does not fit: its lines are not below. The closest place, from line 1 on:\n1\tone\n2\ttwo',
    );
    expect(result.text).toContain('No file was changed.');
    expect(treeOf(project.root)).toEqual(before);
  });

  test('hunks stand in the order of the file, and @@ names a line above', async () => {
    writeFileSync(project.path('f.py'), 'def a():\n  return 1\n\ndef b():\n  return 1\n');
    await apply('*** Update File: f.py', '@@ def b():', '-  return 1', '+  return 2');
    expect(readFileSync(project.path('f.py'), 'utf8')).toBe('def a():\n  return 1\n\ndef b():\n  return 2\n');
    expect(await apply('*** Update File: f.py', '@@ def c():', '-  return 1', '+  return 3')).toMatchObject({
      isError: true,
      text: expect.stringContaining('"def c():"'),
    });
  });

  test('a file that a later rename cannot replace takes all back', async () => {
    mkdirSync(project.path('folder'));
    writeFileSync(project.path('b.txt'), 'b\n');
    const before = treeOf(project.root);
    expect(await apply('*** Update File: b.txt', '@@', '-b', '+B', '*** Add File: folder', '+x')).toMatchObject({
      isError: true,
      text: expect.stringContaining('is a directory'),
    });
    expect(treeOf(project.root)).toEqual(before);
  });

  test('writes through hard links', async () => {
    linkSync(project.path('a.txt'), project.path('twin.txt'));
    await apply('*** Update File: a.txt', '@@', '-three', '+3', '*** Add File: c.txt', '+c');
    expect(readFileSync(project.path('twin.txt'), 'utf8')).toBe('one\r\ntwo  \r\n3\nfour');
    expect(readdirSync(project.root).toSorted()).toEqual(['.journal', 'a.txt', 'c.txt', 'twin.txt']);
  });

  test.each([
    [['*** Frobnicate File: x'], 'Line 2: "*** Add File: PATH"'],
    [['*** Add File: x', 'no plus'], 'Line 3: each line of an added file begins with +'],
    [['*** Update File: x'], 'the update of x has no lines'],
    [[], 'the patch changes no file'],
  ])('a patch that cannot be read says where: %j', (lines, words) => {
    const problem = createApplyPatchTool().validateInput(
      { patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') },
      { cwd: project.root },
    );
    expect(problem).toContain(words);
  });

  test('what is not there cannot be updated or deleted', async () => {
    expect(await apply('*** Delete File: none.txt')).toMatchObject({
      isError: true,
      text: expect.stringContaining('there is no such file to delete'),
    });
    expect(await apply('*** Update File: none.txt', '@@', '-a', '+b')).toMatchObject({
      isError: true,
      text: expect.stringContaining('there is no such file to update'),
    });
  });
});

describe.skipIf(!existsSync(SCENARIOS))('the scenarios of Codex (skipped where ../shared/cases is absent)', () => {
  // Ours is all or nothing: the file that was made before the failure does not stay.
  // A lone CR is data here and ends no line, so the hunk of 024 does not fit and the file stays.
  const stricter: Record<string, 'stays'> = {
    '015_failure_after_partial_success_leaves_changes': 'stays',
    '024_preserves_mixed_line_endings': 'stays',
  };

  test.each(existsSync(SCENARIOS) ? readdirSync(SCENARIOS) : [])('%s', async (name) => {
    const folder = join(SCENARIOS, name);
    const input = existsSync(join(folder, 'input')) ? treeOf(join(folder, 'input')) : {};
    const scratch = createProject(input);
    try {
      const context = { cwd: scratch.root, files: createLocalFiles({ tracksSeen: false }) } as unknown as ToolContext;
      const patch = readFileSync(join(folder, 'patch.txt'), 'utf8');
      const tool = createApplyPatchTool();
      if (tool.validateInput({ patch }, { cwd: scratch.root }) === null) await run(context, { patch });
      expect(treeOf(scratch.root)).toEqual(stricter[name] === 'stays' ? input : treeOf(join(folder, 'expected')));
    } finally {
      scratch.remove();
    }
  });
});
