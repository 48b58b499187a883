import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { shippedTasks } from '../../src/app/evaluation/evaluation-files.ts';
import { startSkilledServer } from '../evaluation/skilled-server.ts';
import { createScratch, runWield, type Scratch } from './run-wield.ts';

const SDK = pathToFileURL(join(import.meta.dirname, '../../src/index.ts')).href;
const MODULE = `import { defineTool, succeed } from '${SDK}';
import { writeFileSync } from 'node:fs';
export const look = defineTool({
  name: 'look_up', description: 'Looks a word up\\u001b[2J in the list of words.',
  inputSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
  isReadOnly: true, isDestructive: false,
  execute: async ({ cwd }, { word }) => { writeFileSync(cwd + '/seen.txt', word); return succeed('', { word }); },
});
export const drop = defineTool({
  name: 'drop_words', description: 'Drops all words for good. Use it when asked to; do not use it for one word. Returns how many, at most 10. Takes no input.',
  inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  execute: async ({ cwd }) => { writeFileSync(cwd + '/dropped.txt', 'x'); return succeed('10 words'); },
});`;
const PROGRAM = join(import.meta.dirname, '../mcp-server-program.ts');
const SERVERS = { mcpServers: { calc: { command: process.execPath, args: [PROGRAM, 'plain'] } } };

interface Report {
  readonly origin: string;
  readonly verdicts: Readonly<Record<string, { readonly findings: readonly object[]; readonly skipped: string | null }>>;
  readonly cost: { readonly bytes: object };
}

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch({ 'tools.ts': MODULE, '.mcp.json': JSON.stringify(SERVERS) });
});
afterEach(() => scratch.remove());

describe('wield tool lint', () => {
  test('finds nothing in a tool of ours, and leaves the project and the home as they are', async () => {
    const { code, stdout, stderr } = await runWield(scratch, ['tool', 'lint', '--tool', 'EditFile']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('.mcp.json')]);
    expect(stdout).toMatch(/^✓ EditFile \(built in\): \d+ of \d+ checks kept, \d+ bytes in each request\n/);
    expect(stdout).toContain('Nothing was found.');
    expect([readdirSync(scratch.root).toSorted(), readdirSync(scratch.home)]).toEqual([['.mcp.json', 'tools.ts'], []]);
  });

  test('finds what a tool of a module does against its word, in a folder that is not the project, and does not run what destroys', async () => {
    const { code, stdout } = await runWield(scratch, ['tool', 'lint', 'tools.ts']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/read-only: It says that it only reads, and .* changed seen\.txt\./);
    expect(stdout).toMatch(/answer: The answer to .* is empty\./);
    expect(stdout).toContain('parameters: The parameter word is not described.');
    expect(stdout).toMatch(/✓ drop_words .*\n {4}not checked: .*, since it says that it destroys/);
    expect(stdout).not.toContain('\u001b');
    expect(readdirSync(scratch.root).toSorted()).toEqual(['.mcp.json', 'tools.ts']);
  });

  test('starts the servers of a trusted folder alone, and calls their tools only where a rule lets it', async () => {
    const untrusted = await runWield(scratch, ['tool', 'lint', '--mcp', 'calc']);
    expect([untrusted.code, untrusted.stderr]).toEqual([2, expect.stringContaining('is not trusted')]);
    await runWield(scratch, ['-p', 'hello', '--trust', '--model', 'demo']);
    const names = ['mcp__calc__add', 'mcp__calc__environment'];
    const run = await runWield(scratch, [
      'tool',
      'lint',
      '--mcp',
      'calc',
      '--tool',
      ...names,
      '--allow',
      'mcp__calc__add',
      '--json',
    ]);
    const [add, environment] = JSON.parse(run.stdout) as Report[];
    const whyNot = /the gate does not let it run unasked: .*--allow mcp__calc__environment lets it/;
    expect([add?.verdicts['runs'], environment?.verdicts['runs']]).toEqual([
      { findings: [], skipped: null },
      { findings: [], skipped: expect.stringMatching(whyNot) },
    ]);
    expect([add?.origin, Object.keys(add?.cost.bytes ?? {})]).toEqual([
      'MCP server calc',
      ['anthropic', 'openai-chat', 'openai-responses', 'gemini'],
    ]);
  });

  test.each([
    [['nothing.ts'], /There is no file nothing\.ts\./],
    [['.mcp.json'], /The module \.mcp\.json does not load/],
    [['--tool', 'Nope'], /There is no tool Nope here\./],
  ])('says what is wrong with %j', async (args, words) => {
    const { code, stderr } = await runWield(scratch, ['tool', 'lint', ...args]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

describe('wield tool eval', () => {
  function chooseServer(baseUrl: string): void {
    const path = join(scratch.home, '.config/wield/settings.json');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify({ providers: { loop: { baseUrl, format: 'openai-chat', models: { '<b>m</b>': {} } } } }));
  }

  test('measures a model with tasks of ours and of the person, as text, as JSON and as a page that needs nothing else', async () => {
    const own = [{ id: 'own-1', language: 'de', prompt: 'Welche <script>Dateien</script> gibt es?', expect: [{ tool: 'Glob' }] }];
    writeFileSync(scratch.path('own.json'), JSON.stringify(own));
    const tasks = [...(await shippedTasks()), { ...own[0], expect: [{ tool: 'Glob', arguments: {} }] }] as Parameters<
      typeof startSkilledServer
    >[0];
    const server = await startSkilledServer(tasks, () => ({ rightTool: 0.5, seed: 2 }));
    chooseServer(server.baseUrl);
    try {
      const flags = ['tool', 'eval', '--model', 'loop/<b>m</b>', '--tasks', 'own.json', '--tool', 'Glob'];
      const { code, stdout, stderr } = await runWield(scratch, [...flags, '--html', 'report.html']);
      expect([code, stderr]).toEqual([
        0,
        expect.stringMatching(/13 requests with about \d+ tokens[\s\S]*The page is .*report\.html/),
      ]);
      expect(stdout).toMatch(/Right tool: \d+ of 13, [\d.]+ % \(95 % interval [\d.]+ to [\d.]+, Wilson\)/);
      expect(stdout).toMatch(/Glob → \(no call\): \d+ of 13/);
      const json = JSON.parse((await runWield(scratch, [...flags, '--json'])).stdout) as {
        wordings: [{ rightTool: { right: number } }];
      };
      expect(stdout).toContain(`Right tool: ${json.wordings[0].rightTool.right} of 13`);
      const page = readFileSync(scratch.path('report.html'), 'utf8');
      expect(page).toContain("default-src 'none'");
      expect(page).toContain('class="matrix"');
      expect(page).toContain('light-dark(');
      expect(page).not.toMatch(/<script|https?:|<b>m/);
    } finally {
      await server.close();
    }
  });

  test('tells beforehand what it would ask, and what is wrong with a file', async () => {
    const dry = await runWield(scratch, ['tool', 'eval', '--dry-run', '--limit', '26', '--model', 'demo']);
    expect([dry.code, dry.stdout.trim().split('\n').length]).toEqual([0, 26]);
    writeFileSync(scratch.path('bad.json'), '[{"id":"a","prompt":"b"}]');
    writeFileSync(scratch.path('wording.json'), '{"tools":{"Grip":"x"}}');
    const wrong = async (args: readonly string[]): Promise<string> => {
      const { code, stderr } = await runWield(scratch, ['tool', 'eval', '--model', 'demo', ...args]);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await wrong(['--tasks', 'bad.json'])).toMatch(/The tasks in bad\.json cannot be used: .*"0\.expect" is missing/);
    expect(await wrong(['--compare', 'wording.json'])).toMatch(/there is no tool Grip\. There are: ReadFile/);
  });
});
