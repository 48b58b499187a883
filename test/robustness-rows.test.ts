import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createAllTools } from '../src/tools/builtin.ts';
import { textOf } from '../src/core/message.ts';
import { readSession } from '../src/sessions/read-session.ts';
import { createScriptedProvider } from '../src/providers/scripted.ts';
import { createProject, createTestAgent, runToEnd, type TestProject } from './agent-harness.ts';
import { anthropicAt, createScratch, runWield, type Scratch } from './e2e/run-wield.ts';
import { type AnthropicServer, startAnthropicServer } from './loopback/anthropic-server.ts';

let project: TestProject | null = null;
let scratch: Scratch | null = null;
let server: AnthropicServer | null = null;
afterEach(async () => {
  project?.remove();
  scratch?.remove();
  await server?.close();
  project = scratch = server = null;
});

const KEY = 'sk-ant-0123456789-not-a-real-key';

function openScratch(files: Readonly<Record<string, string>> = {}): Scratch {
  scratch = createScratch(files);
  return scratch;
}

test('R09: a session with a torn end, a run of NULs and line separators is read as far as it is whole', async () => {
  project = createProject();
  const header = { type: 'session', version: 1, id: 's', cwd: '/', model: 'm', createdAt: '2026-01-01' };
  const said = (text: string): string =>
    JSON.stringify({
      type: 'message_added',
      seq: 1,
      turn: 1,
      agentId: 'main',
      message: { role: 'user', content: [{ type: 'text', text }] },
    });
  const lines = [JSON.stringify(header), said('one\u2028two'), '\0'.repeat(5000), said('three'), said('torn').slice(0, -9)];
  writeFileSync(project.path('s.jsonl'), lines.join('\n'));
  const state = await readSession(project.path('s.jsonl'));
  expect(state.messages.map(({ content }) => textOf(content))).toEqual(['one\u2028two', 'three']);
  expect(state.notices).toEqual([expect.stringContaining('2 damaged line(s) (3, 5)')]);
});

test('R13: a picture in an answer is text, and nothing is fetched', async () => {
  const { promise: asked, resolve: note } = Promise.withResolvers<string>();
  let isAsked = false;
  const web = createServer((request, response) => {
    isAsked = true;
    note(request.url ?? '');
    response.end();
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  const image = `![x](http://127.0.0.1:${(web.address() as AddressInfo).port}/?d=SECRET)`;
  server = await startAnthropicServer([{ text: image }]);
  const run = await runWield(openScratch(), ['-p', 'go'], { env: anthropicAt(server.url) });
  expect(run.stdout).toBe(`${image}\n`);
  expect(isAsked).toBe(false);
  // The server would have noticed.
  await fetch(`http://127.0.0.1:${(web.address() as AddressInfo).port}/probe`);
  expect(await asked).toBe('/probe');
  await new Promise((resolve) => web.close(resolve));
});

test('R17: no tool has a parameter that could weaken what confines it', () => {
  const weakening = /sandbox|cwd|workdir|working_dir|permission|approv|trust|unsafe|danger|bypass|sudo|env/i;
  const parameters = createAllTools().flatMap((tool) =>
    [...Object.keys(tool.inputSchema.properties ?? {}), ...Object.keys(tool.aliases?.keys ?? {})].map(
      (key) => `${tool.name}.${key}`,
    ),
  );
  expect(parameters.length).toBeGreaterThan(20);
  expect(parameters.filter((parameter) => weakening.test(parameter))).toEqual([]);
});

// A link that leads now to a folder of the workspace and now outside, and is always there.
const SWAP = `
const { renameSync, symlinkSync } = require('node:fs');
const [, place, ...targets] = process.argv;
for (let i = 0; ; i++) {
  symlinkSync(targets[i % 2], place + '.next');
  renameSync(place + '.next', place);
}`;

test('R18: a link that turns between approval and write never leads a write outside', async () => {
  project = createProject({ 'ws/real/f': 'old\n', 'out/f': 'outside\n' });
  const [workspace, outside] = [project.path('ws'), project.path('out')];
  symlinkSync(outside, project.path('ws/d'));
  const swapper = spawn(process.execPath, ['-e', SWAP, project.path('ws/d'), project.path('ws/real'), outside]);
  try {
    await expect.poll(() => readlinkSync(project?.path('ws/d') ?? '')).toBe(project.path('ws/real'));
    const outcomes = new Set<boolean>();
    const write = (name: string) => ({ name: 'WriteFile', input: { path: project?.path(`ws/d/${name}`), content: 'mine\n' } });
    // Until the link was caught on either side, and at least some times.
    const provider = createScriptedProvider(
      Array.from({ length: 400 }, (_, i) => () => {
        return i >= 40 && outcomes.size === 2 ? { text: 'done' } : { calls: [write(`new${i}`), write('f')] };
      }),
    );
    const agent = createTestAgent({ ...project, root: workspace }, provider, { mode: 'acceptEdits', maxTurns: 500 });
    await runToEnd(agent, 'go', (event) => {
      if (event.type === 'tool_result') outcomes.add(event.result.isError);
    });
    expect(outcomes.size).toBe(2);
  } finally {
    swapper.kill('SIGKILL');
  }
  expect(readdirSync(outside)).toEqual(['f']);
  expect(readFileSync(join(outside, 'f'), 'utf8')).toBe('outside\n');
});

describe('keys', () => {
  test('reach no command, no hook, and no file of ours, also where a provider repeats one', async () => {
    const place = openScratch({ 'a.txt': 'x\n' });
    const config = join(place.home, '.config', 'wield');
    mkdirSync(config, { recursive: true });
    const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command: 'env > hook-env' }] }] };
    writeFileSync(join(config, 'settings.json'), JSON.stringify({ hooks }));
    server = await startAnthropicServer([
      { calls: [{ name: 'Bash', input: { command: 'env > command-env; env' } }] },
      { calls: [{ name: 'Grep', input: { pattern: 'x' } }] },
      { status: 401, error: { type: 'authentication_error', message: `the key ${KEY} is not valid` } },
    ]);
    const run = await runWield(place, ['-p', 'go', '--permission-mode', 'bypassPermissions', '--output-format', 'stream-json'], {
      env: { ...anthropicAt(server.url), ANTHROPIC_API_KEY: KEY, GITHUB_TOKEN: KEY },
    });
    expect(run.stderr).toContain('the key [key] is not valid');
    expect(run.stdout + run.stderr).not.toContain(KEY);
    const files = [...filesBelow(place.root), ...filesBelow(place.home)];
    expect(files.map((path) => path.split('/').at(-1))).toEqual(expect.arrayContaining(['hook-env', 'command-env']));
    expect(files.some((path) => path.endsWith('.jsonl'))).toBe(true);
    expect(files.filter((path) => readFileSync(path, 'utf8').includes(KEY))).toEqual([]);
  });

  test('what we keep is for this user alone, also without a umask', async () => {
    const place = openScratch({ 'AGENTS.md': 'x' });
    server = await startAnthropicServer([
      { calls: [{ name: 'Bash', input: { command: 'seq 1 100000' } }] },
      { calls: [{ name: 'WriteFile', input: { path: place.path('new'), content: 'x' } }] },
    ]);
    const before = process.umask(0);
    try {
      await runWield(place, ['-p', 'go', '--trust', '--permission-mode', 'bypassPermissions'], { env: anthropicAt(server.url) });
    } finally {
      process.umask(before);
    }
    const ours = ['.config/wield', '.local/state/wield'].map((name) => join(place.home, name));
    const modes = ours.flatMap((folder) => [folder, ...everythingBelow(folder)]).map((path) => [path, statSync(path)] as const);
    expect(modes.length).toBeGreaterThan(6);
    const open = modes.filter(([, stats]) => (stats.mode & 0o777) !== (stats.isDirectory() ? 0o700 : 0o600));
    expect(open.map(([path, stats]) => `${path} ${(stats.mode & 0o777).toString(8)}`)).toEqual([]);
  });
});

function everythingBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
}

function filesBelow(folder: string): string[] {
  return everythingBelow(folder).filter((path) => statSync(path).isFile());
}
