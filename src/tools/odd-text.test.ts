import { readFileSync, writeFileSync } from 'node:fs';
import iconv from 'iconv-lite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProject, type TestProject } from '../../test/agent-harness.ts';
import { textOf } from '../core/message.ts';
import type { Tool, ToolContext } from '../core/tool.ts';
import { createLocalFiles } from '../host/files/local-files.ts';
import { createLocalSearch } from '../host/search/local-search.ts';
import { createEditFileTool } from './edit-file.ts';
import { createGrepTool } from './grep.ts';
import { createReadFileTool } from './read-file.ts';

let project: TestProject;
beforeEach(() => {
  project = createProject();
});
afterEach(() => project.remove());

function make(name: string, bytes: Uint8Array | string): string {
  writeFileSync(project.path(name), bytes);
  return project.path(name);
}

async function call<I>(tool: Tool<I>, input: I): Promise<{ readonly text: string; readonly isError: boolean }> {
  const facts = {
    cwd: project.root,
    files: createLocalFiles({ tracksSeen: false }),
    search: createLocalSearch(),
    seesImages: true,
    signal: new AbortController().signal,
  };
  const run = tool.execute;
  // These tools use nothing else of their surroundings.
  const result = await run(facts as unknown as ToolContext, input);
  return { text: textOf(result.content), isError: result.isError };
}

const edit = (path: string, old_string: string, new_string: string) =>
  call(createEditFileTool(), { path, old_string, new_string });
const read = (path: string) => call(createReadFileTool(), { path });
const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);

describe('files that are not UTF-8', () => {
  test('an ASCII edit of a GB18030 file with CRLF changes the one digit', async () => {
    const text = '// 设置速度，单位是米每秒\r\nint speed = 3;\r\nint n;\r\n';
    const path = make('main.cpp', iconv.encode(text, 'gb18030'));
    expect(await edit(path, 'int speed = 3;\nint n;', 'int speed = 4;\nint n;')).toMatchObject({ isError: false });
    expect(readFileSync(path)).toEqual(iconv.encode(text.replace('= 3', '= 4'), 'gb18030'));
  });

  test('new accented text goes into a Latin-1 file as Latin-1, and what it cannot hold is refused', async () => {
    const path = make('msg.properties', Buffer.from('ok=perch\xe9\nno=x\n', 'latin1'));
    expect(await edit(path, 'no=x', 'no=速')).toMatchObject({
      isError: true,
      text: expect.stringContaining('which cannot hold "速"'),
    });
    expect(readFileSync(path)).toEqual(Buffer.from('ok=perch\xe9\nno=x\n', 'latin1'));
    expect(await edit(path, 'no=x', 'no=caffè')).toMatchObject({ isError: false });
    expect(readFileSync(path)).toEqual(Buffer.from('ok=perch\xe9\nno=caff\xe8\n', 'latin1'));
  });

  test('UTF-16 keeps its mark and its line ends', async () => {
    const path = make('res.rc', utf16('ID 1\r\nID 2\r\n'));
    expect(await edit(path, 'ID 2', 'ID 3')).toMatchObject({ isError: false });
    expect(readFileSync(path)).toEqual(utf16('ID 1\r\nID 3\r\n'));
  });

  test('GBK behind a long start of ASCII is still GBK', async () => {
    const text = `${'plain ascii line\n'.repeat(6000)}这是一个测试文件的结尾\n`;
    const path = make('late.txt', iconv.encode(text, 'gb18030'));
    expect(await edit(path, '结尾', '末尾')).toMatchObject({ isError: false });
    expect(readFileSync(path)).toEqual(iconv.encode(text.replace('结尾', '末尾'), 'gb18030'));
  });

  test('reading names the encoding', async () => {
    expect(await read(make('u.txt', utf16('alpha\nβ\n')))).toEqual({
      isError: false,
      text: '1\talpha\n2\tβ\n[The file is in utf-16le; EditFile keeps that.]',
    });
    expect((await read(make('g.txt', iconv.encode('这是中文。\n', 'gb18030')))).text).toBe(
      '1\t这是中文。\n[The file is in gb18030; EditFile keeps that.]',
    );
    expect((await read(make('l.txt', Buffer.from('caf\xe9 au lait\n', 'latin1')))).text).toContain(
      '1\tcafé au lait\n[The file is in windows-1252',
    );
  });

  test('UTF-16 without a mark is refused by its name', async () => {
    expect(await read(make('v.txt', Buffer.from('alpha\nbeta\n', 'utf16le')))).toMatchObject({
      isError: true,
      text: expect.stringContaining('UTF-16 without a byte order mark'),
    });
  });

  test('Grep finds in legacy files, behind a mark, and in UTF-16, and skips what is binary', async () => {
    make('w.txt', Buffer.from('needle caf\xe9\n', 'latin1'));
    make('bom.txt', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('needle\n')]));
    make('u16.txt', utf16('needle\n'));
    make('real.bin', Buffer.concat([Buffer.from('abcde\0\nneedle\n')]));
    const { text } = await call(createGrepTool(), { pattern: '^needle' });
    for (const name of ['w.txt', 'bom.txt', 'u16.txt']) expect(text).toContain(`${name}:1: needle`);
    expect(text).not.toContain('real.bin:');
  });
});

describe('odd names and near misses', () => {
  test('a name in decomposed letters or with odd spaces is found, or named with what is odd in it', async () => {
    make('re\u0301sume\u0301.md', 'x\n');
    make('Shot 5.15\u202fPM.txt', 'y\n');
    for (const [asked, real] of [
      ['r\u00e9sum\u00e9.md', 're\u0301sume\u0301.md'],
      ['Shot 5.15 PM.txt', 'Shot 5.15\u202fPM.txt'],
    ] as const) {
      const answer = await read(project.path(asked));
      expect(!answer.isError || answer.text.includes(real)).toBe(true);
    }
  });

  test('an old_string without the blanks at the ends of lines is refused, and other lines stay', async () => {
    const text = 'keep   \nreplace me   \nafter\n“q” — end  \n';
    const path = make('f.txt', text);
    expect(await edit(path, 'replace me\nafter', 'DONE')).toMatchObject({
      isError: true,
      text: expect.stringContaining('replace·me···'.replace('·', ' ')),
    });
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  test('an image is shown to a model that sees', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const path = make('dot.png', png);
    const run = createReadFileTool().execute;
    const context = {
      cwd: project.root,
      files: createLocalFiles({ tracksSeen: false }),
      seesImages: true,
    } as unknown as ToolContext;
    expect((await run(context, { path })).content).toEqual([
      { type: 'text', text: `${path}: image/png, ${png.length} bytes` },
      { type: 'image', mediaType: 'image/png', data: png.toString('base64') },
    ]);
    expect(await run({ ...context, seesImages: false }, { path })).toMatchObject({ isError: true });
  });
});
