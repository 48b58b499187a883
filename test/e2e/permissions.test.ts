import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createScratch, runWield, type Scratch } from './run-wield.ts';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch({ 'a.txt': 'alpha\n' });
});
afterEach(() => scratch.remove());

const permissions = (...args: readonly string[]) => runWield(scratch, ['permissions', ...args]);

function writeSettings(settings: object): string {
  const path = `${scratch.home}/.config/wield/settings.json`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(settings));
  return path;
}

test('wield permissions explain says what would be decided of each part, and runs nothing', async () => {
  const input = JSON.stringify({ command: 'git log -1; touch ../P' });
  const json = await permissions('explain', '--tool', 'Bash', '--input', input, '--allow', 'Bash(git log:*)', '--json');
  expect(json).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(json.stdout)).toEqual({
    decision: 'ask',
    because: 'touch ../P: touch changes files',
    parts: [
      { text: 'git log -1', decision: 'allow', because: 'git log only reads' },
      { text: 'touch ../P', decision: 'ask', because: 'touch changes files' },
      {
        text: expect.stringMatching(/^write .*\/P$/),
        decision: 'ask',
        because: expect.stringContaining('outside the workspace'),
      },
    ],
  });
  const text = await permissions('explain', '--tool', 'run_command', '--input', '{"command":"npm test && ls"}');
  expect(text.stdout).toBe(
    [
      'ask: npm test: npm runs what the project says',
      '',
      '  ask    npm test  npm runs what the project says',
      '  allow  ls        ls only reads',
      '',
      'One of these rules would let it pass:',
      '  Bash(npm test)',
      '',
    ].join('\n'),
  );
});

test('plan mode, relative paths and tools of servers are explained too', async () => {
  const decide = async (...args: readonly string[]) =>
    JSON.parse((await permissions('explain', '--json', ...args)).stdout).decision;
  expect(await decide('--tool', 'Bash', '--input', '{"command":"npm test"}', '--permission-mode', 'plan')).toBe('deny');
  expect(await decide('--tool', 'ReadFile', '--input', '{"path":"a.txt"}')).toBe('allow');
  expect(await decide('--tool', 'ReadFile', '--input', '{"path":"a.txt"}', '--deny', 'Read(a.*)')).toBe('deny');
  expect(await decide('--tool', 'mcp__x__Bash', '--input', '{}', '--allow', 'Bash(ls)')).toBe('ask');
});

test('a call that no tool takes is said in a line', async () => {
  for (const [tool, input, message] of [
    ['Nope', '{}', 'error misuse: There is no tool "Nope".'],
    ['Bash', 'x', 'error misuse: --input is not a JSON object.'],
    ['Bash', '{}', 'error misuse: Bash does not take that input: "command" is missing'],
  ] as const) {
    const { code, stderr } = await permissions('explain', '--tool', tool, '--input', input);
    expect([code, stderr.startsWith(message)]).toEqual([2, true]);
  }
});

test('a command is explained as it stands, and nothing or two things are no call', async () => {
  const { stdout } = await permissions('explain', 'ls -l; npm test');
  expect(stdout).toMatch(/^ask: npm test: npm runs what the project says\n/);
  for (const args of [[], ['ls', '--input', '{"command":"ls"}'], ['ls', '--tool', 'ReadFile']]) {
    const { code, stderr } = await permissions('explain', ...args);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^error misuse: There .*explain.*\n {2}Name a command/s)]);
  }
});

test('settings of a folder that is not trusted are told to be unread', async () => {
  mkdirSync(`${scratch.root}/.wield`);
  writeFileSync(`${scratch.root}/.wield/settings.json`, JSON.stringify({ permissions: { allow: ['Bash(npm test)'] } }));
  for (const args of [['list'], ['test'], ['explain', 'npm test']]) {
    const { code, stderr } = await permissions(...args);
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^Not read, since this folder is not trusted: .*settings\.json\. /),
    ]);
  }
});

test('wield permissions list names every rule with its origin, and those that match nothing', async () => {
  const path = writeSettings({ permissions: { allow: ['Bash(npm test)', 'Bash(sudo:*)'], deny: ['Bash(rm:*)'] } });
  const { stdout } = await permissions('list', '--deny', 'Read(x)');
  expect(stdout).toContain(`deny   Read(x)         flag  --disallowedTools\ndeny   Bash(rm:*)      user  ${path}\n`);
  expect(stdout).toContain('Not understood: 1. They match nothing:\n  The rule "Bash(sudo:*)"');
  expect(JSON.parse((await permissions('list', '--json')).stdout)).toMatchObject({
    rules: [
      { behavior: 'deny', rule: 'Bash(rm:*)' },
      { behavior: 'allow', rule: 'Bash(npm test)' },
    ],
    faults: [expect.stringContaining('sudo')],
  });
});

test('a rule to refuse that is none stops the start, wherever it stands', async () => {
  const start = ['-p', 'x', '--model', 'demo', '--disallowedTools'];
  expect(await runWield(scratch, [...start, 'Bash(touch*)'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error misuse: The rule "Bash\(touch\*\)" .*touch:\*/),
  });
  const path = writeSettings({ permissions: { deny: ['bash'] } });
  const { code, stderr } = await permissions('list');
  expect(code).not.toBe(0);
  expect(stderr).toContain(`error config_unreadable: The rule "bash" (${path}) names no tool.`);
});

test('wield permissions test holds the settings to their cases', async () => {
  const cases = [
    { command: 'ls; rm x', expect: 'deny' },
    { tool: 'WriteFile', input: { path: 'x', content: '' }, mode: 'acceptEdits', expect: 'allow' },
  ];
  writeSettings({ permissions: { deny: ['Bash(rm:*)'], cases } });
  expect(await permissions('test')).toMatchObject({ code: 0, stdout: '2 of 2 cases met.\n' });
  writeSettings({ permissions: { cases } });
  const failed = await permissions('test');
  expect(failed).toMatchObject({ code: 1, stdout: expect.stringContaining('1 of 2 cases met.') });
  expect(failed.stdout).toContain('expected deny, decided ask');
});

test('wield permissions replay tells what the present rules decide of a session', async () => {
  const run = await runWield(scratch, ['-p', 'read a.txt', '--model', 'demo', '--output-format', 'json']);
  const { session_id: id } = JSON.parse(run.stdout) as { session_id: string };
  expect(await permissions('replay', id)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 call, 0 decided otherwise'),
  });
  const { stdout } = await permissions('replay', id, '--deny', 'ReadFile');
  expect(stdout).toMatch(/^\* +allow → deny +ReadFile\(/);
  expect((await permissions('replay', 'none')).stderr).toContain('error session_missing: There is no session none here.');
});
