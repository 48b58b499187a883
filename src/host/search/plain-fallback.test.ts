import { chmodSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createToolBench, type ToolBench } from '../../../test/tool-bench.ts';
import { textOf } from '../../core/message.ts';
import type { SearchAccess } from '../../core/ports.ts';
import type { ToolContext } from '../../core/tool.ts';
import { createLocalFiles } from '../files/local-files.ts';
import { createLocalSearch } from './local-search.ts';

const NOTE = /^ripgrep could not be started here \((.+)\), so this was searched without it, which is slower\.$/m;

let bench: ToolBench;
beforeEach(() => {
  bench = createToolBench();
  bench.write('src/a.ts', 'x\nneedle\n');
  bench.write('dist/b.ts', 'needle\n');
  bench.write('.gitignore', 'dist\n');
});
afterEach(() => bench.close());

/** Runs a tool of the bench with a search of its own. */
async function call(search: SearchAccess, name: string, input: unknown): Promise<string> {
  const run = bench.registry.get(name)?.execute;
  const files = createLocalFiles({ tracksSeen: false });
  // These tools use nothing else of their surroundings.
  const context = { cwd: bench.root, files, search, signal: new AbortController().signal } as unknown as ToolContext;
  const result = await run?.(context, input);
  return textOf(result?.content ?? []);
}

test.each([
  ['ENOENT', () => bench.path('no-rg')],
  ['EACCES', () => bench.write('rg-without-permission', '#!/bin/sh\n')],
  ['exit code', () => executable('rg-of-another-machine', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0]))],
])(
  'where ripgrep cannot be started (%s), Glob and Grep answer all the same, and say why they are slow',
  async (reason, program) => {
    const search = createLocalSearch(program());
    const grep = await call(search, 'Grep', { pattern: '^needle$' });
    expect(grep).toMatch(new RegExp(`^1 match in 1 file under ${bench.root}:\nsrc/a\\.ts:2: needle\n\nNot looked at: `));
    expect(NOTE.exec(grep)?.[1]).toContain(reason);
    const glob = await call(search, 'Glob', { pattern: '**/*.ts' });
    expect(glob).toMatch(new RegExp(`^1 file under ${bench.root}, newest first:\nsrc/a\\.ts\n\nNot looked at: `));
    expect(NOTE.exec(glob)?.[1]).toContain(reason);
    expect(await call(search, 'Grep', { pattern: '(?<=x)y' })).toMatch(
      /^The pattern is not valid:\nregex parse error:\n {4}\(\?<=x\)y\n {4}\^\nerror: look-around.*\nTo search for the text itself, write /,
    );
    expect(await call(search, 'Grep', { pattern: 'x', glob: '{a' })).toMatch(/^The glob \{a is not valid: error parsing glob/);
  },
);

test('a folder that is gone is no reason to do without ripgrep', async () => {
  const search = createLocalSearch();
  const gone = { root: bench.path('gone'), accepts: () => true, includeIgnored: false, maxResults: 9 };
  await expect(search.find({ ...gone, signal: new AbortController().signal })).rejects.toThrow('ENOENT');
  expect(await call(search, 'Grep', { pattern: 'needle' })).not.toMatch(NOTE);
});

function executable(name: string, content: Uint8Array): string {
  const path = bench.write(name, content);
  chmodSync(path, 0o755);
  return path;
}
