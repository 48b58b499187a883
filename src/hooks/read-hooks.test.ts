import { expect, test } from 'vitest';
import { checkInput } from '../core/check-input.ts';
import { HOOKS_SCHEMA } from './hook-settings.ts';
import { inputForHooks, isForTool, matcherPattern } from './match-hook.ts';
import { readHooks } from './read-hooks.ts';

test('hooks are read by event, with a time limit in seconds', () => {
  const settings = {
    PreToolUse: [{ matcher: 'Bash|Edit.*', hooks: [{ type: 'command', command: './check.sh', timeout: 5 }] }],
    Stop: [{ hooks: [{ type: 'command', command: 'true' }] }],
  };
  expect(readHooks(settings, 'settings.json')).toEqual({
    hooks: [
      { event: 'PreToolUse', matcher: /Bash|Edit.*/, command: './check.sh', timeoutMs: 5000 },
      { event: 'Stop', matcher: null, command: 'true', timeoutMs: 60_000 },
    ],
    faults: [],
  });
});

test('an event that is not supported is said', () => {
  expect(readHooks({ Notification: [], PreToolUse: [] }, 's.json').faults).toEqual([
    'Hooks for Notification are not supported and do not run: s.json',
  ]);
});

test.each([
  ['a matcher that is no pattern', { matcher: 'Bash(', hooks: [] }, 'its matcher is no regular expression'],
  ['another type', { hooks: [{ type: 'prompt', command: 'x' }] }, 'the type "prompt" is not supported'],
  ['no command', { hooks: [{ type: 'command', command: ' ' }] }, 'it has no command'],
])('%s ends the start, since the hook may be there to keep something from happening', (_name, group, message) => {
  expect(() => readHooks({ PreToolUse: [group] }, 's.json')).toThrow(
    expect.objectContaining({ code: 'config_unreadable', message: expect.stringContaining(message) }),
  );
});

test.each([
  [{ PreToolUse: [{ hooks: [{ type: 'command', command: 'x', timeout: 0 }] }] }],
  [{ PreToolUse: [{ matcher: 1, hooks: [] }] }],
  [{ PreToolUse: { hooks: [] } }],
  [{ PreToolUse: [{ command: 'x' }] }],
])('the schema refuses %j', async (settings) => {
  expect(await checkInput(HOOKS_SCHEMA, settings)).not.toBeNull();
});

test.each([
  ['Bash', 'Bash', true],
  ['Bash', 'BashOutput', false],
  ['Bash|Grep', 'Grep', true],
  ['*', 'Bash', true],
  ['', 'Bash', true],
  ['Edit', 'EditFile', true],
  ['Edit|Write', 'ApplyPatch', true],
  ['EditFile', 'EditFile', true],
  ['patch_file', 'EditFile', true],
  ['.*File', 'ReadFile', true],
  ['mcp__.*', 'mcp__db__query', true],
  ['bash', 'Bash', false],
])('the matcher %j and the tool %s: %s', (matcher, tool, expected) => {
  expect(isForTool(matcherPattern(matcher), tool, tool === 'EditFile' ? 'patch_file' : null)).toBe(expected);
});

test('a path goes by both of its names', () => {
  expect(inputForHooks({ path: '/a', old_string: 'x' })).toEqual({ path: '/a', old_string: 'x', file_path: '/a' });
  expect(inputForHooks({ command: 'ls' })).toEqual({ command: 'ls' });
});
