import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isRunning, runsCommand } from '../processes.ts';
import { connectClient, ERAS } from './mcp-client.ts';
import { createScratch, runWield, type Scratch } from './run-wield.ts';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch({ 'a.txt': 'alpha\n' });
});
afterEach(() => scratch.remove());

test('tools are listed, called and refused, and the calls are a session that can be undone', async () => {
  const { client, call, pid } = await connectClient(scratch, '2025-11-25', { args: ['--permission-mode', 'acceptEdits'] });
  const { tools } = await client.listTools();
  expect(tools.find(({ name }) => name === 'ReadFile')).toMatchObject({
    title: 'Read file',
    inputSchema: { type: 'object', required: ['path'] },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  });
  expect(client.getInstructions()).toContain(scratch.root);

  const path = scratch.path('a.txt');
  expect(await call('ReadFile', { path })).toEqual({ text: '1\talpha', isError: false, keys: ['content', 'isError'] });
  const edit = await call('EditFile', { path, old_string: 'alpha', new_string: 'beta' });
  expect(edit).toMatchObject({ isError: false, keys: ['content', 'isError'] });
  expect(readFileSync(path, 'utf8')).toBe('beta\n');

  const missing = await call('ReadFile', { path: scratch.path('none.txt') });
  expect([missing.isError, missing.text]).toEqual([true, expect.stringContaining('none.txt')]);
  expect(await call('Teleport', {})).toMatchObject({
    isError: true,
    text: expect.stringContaining('There is no tool "Teleport"'),
  });
  expect(await call('ReadFile', { way: 1 })).toMatchObject({ isError: true, text: expect.stringContaining('was not run') });
  const denied = await call('Bash', { command: 'touch made && npm test' });
  expect(denied).toMatchObject({ isError: true, text: expect.stringMatching(/can allow it with the rule Bash\(npm test\)/) });
  expect(existsSync(scratch.path('made'))).toBe(false);

  await client.close();
  await gone(pid);
  const { stdout } = await runWield(scratch, ['sessions']);
  expect(stdout).toMatch(/6 turns {2}cost unknown {2}test-editor 1\.2 calls ReadFile over MCP\.\n$/);
  expect(await runWield(scratch, ['undo'])).toMatchObject({ code: 0 });
  expect(readFileSync(path, 'utf8')).toBe('alpha\n');
});

test.each(ERAS)(
  'in the protocol of %s what asks is asked through the client, with the call and the reason, and a no does nothing',
  async (era) => {
    const forms: string[] = [];
    const answers = [
      { action: 'accept', content: { decision: 'allow once' } },
      { action: 'accept', content: { decision: 'deny', reason: 'not on a Friday' } },
      { action: 'decline' },
      { action: 'accept', content: { decision: 'always' } },
    ] as const;
    const { client, call, pid } = await connectClient(scratch, era, {
      onForm: (message) => {
        forms.push(message);
        return answers[forms.length - 1] ?? { action: 'cancel' };
      },
    });
    const path = scratch.path('new.txt');
    expect(await call('WriteFile', { path, content: 'one\n' })).toMatchObject({ isError: false });
    expect(readFileSync(path, 'utf8')).toBe('one\n');
    expect(forms[0]).toMatch(/^May WriteFile run\?\npath: .*new\.txt\ncontent:\n {2}\| one\n.*\nbecause it changes /s);
    for (const reason of ['not on a Friday', '', '', '']) {
      const refused = await call('WriteFile', { path, content: 'two\n' });
      expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('did not allow WriteFile') });
      expect(refused.text).toContain(reason);
    }
    expect(readFileSync(path, 'utf8')).toBe('one\n');

    const middle = `${'echo ok\n'.repeat(100)}${'#'.repeat(3000)}\ntouch evil\n${'echo ok\n'.repeat(100)}`;
    await call('Bash', { command: middle });
    expect(forms.at(-1)).toContain('\n  | touch evil\n');
    const asked = forms.length;
    const refused = await call('WriteFile', { path, content: 'x'.repeat(40_000) });
    expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining('longer than a form can show')]);
    expect(forms).toHaveLength(asked);
    await client.close();
    await gone(pid);
  },
);

test('progress is told, a cancelled command ends, and so does everything when the client goes', async () => {
  const { client, pid } = await connectClient(scratch, '2026-07-28', {
    onForm: () => ({ action: 'accept', content: { decision: 'allow once' } }),
  });
  const stop = new AbortController();
  const heard: string[] = [];
  const cancelled = client.callTool(
    { name: 'Bash', arguments: { command: 'echo started; sleep 7391' } },
    {
      signal: stop.signal,
      onprogress: ({ message }) => {
        heard.push(message ?? '');
        stop.abort();
      },
    },
  );
  await expect(cancelled).rejects.toThrow();
  expect(heard[0]).toContain('started');
  await until(() => !runsCommand('sleep', '7391'));

  const progressed = Promise.withResolvers<void>();
  void client
    .callTool({ name: 'Bash', arguments: { command: 'echo started; sleep 7392' } }, { onprogress: () => progressed.resolve() })
    .catch(() => undefined);
  await progressed.promise;
  await until(() => runsCommand('sleep', '7392'));
  await client.close();
  await gone(pid);
  expect(runsCommand('sleep', '7392')).toBe(false);
});

test('what is wrong with the flags is said on stderr alone, and what is no message does no harm', async () => {
  for (const args of [
    ['--permission-mode', 'yolo'],
    ['--cwd', '/none'],
    ['--disallowed-tools', 'Nothing(x'],
  ]) {
    const { code, stdout, stderr } = await runWield(scratch, ['mcp', 'serve', ...args]);
    expect([code, stdout, stderr.split('\n').length > 1]).toEqual([2, '', true]);
  }
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  const deep = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ReadFile","arguments":{"path":${'['.repeat(100_000)}${']'.repeat(100_000)}}}}`;
  const lines = ['no json', '[', deep, JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello })];
  const { code, stdout } = await runWield(scratch, ['mcp', 'serve'], { stdin: `${lines.join('\n')}\n` });
  expect(code).toBe(0);
  for (const line of stdout.split('\n').filter((text) => text !== '')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
});

async function gone(pid: number): Promise<void> {
  await until(() => !isRunning(pid));
}

async function until(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error('it did not become so');
    await sleep(20);
  }
}
