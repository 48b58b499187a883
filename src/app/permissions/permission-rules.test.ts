import { expect, test } from 'vitest';
import { AgentError } from '../../core/errors.ts';
import { permissionRules } from './permission-rules.ts';

const read = (allowedTools: readonly string[], disallowedTools: readonly string[] = [], permissions = {}) =>
  permissionRules({ allowedTools, disallowedTools }, [{ settings: { permissions }, scope: 'user', origin: '~/settings.json' }]);

function errorOf(run: () => unknown): AgentError {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof AgentError) return thrown;
  }
  throw new Error('nothing was thrown');
}

test('a rule to allow that is none is left out and told', () => {
  const { rules, faults } = read(['Bash(npm test)', 'Bash(touch*)']);
  expect(rules.map(({ specifier }) => specifier)).toEqual(['npm test']);
  expect(faults).toEqual([expect.stringContaining('Bash(touch*)')]);
});

test.each(['Bash(touch*)', 'bash', 'Bash(rm', 'Edit(../x)'])('a rule to refuse that is none stops the start: %s', (text) => {
  expect(errorOf(() => read([], [text]))).toMatchObject({ code: 'misuse', message: expect.stringContaining(text) });
  for (const behavior of ['deny', 'ask'])
    expect(errorOf(() => read([], [], { [behavior]: [text] }))).toMatchObject({
      code: 'config_unreadable',
      message: expect.stringContaining('~/settings.json'),
    });
});

test('one that is one does not', () => {
  expect(read([], ['Bash(touch:*)', 'Bash', 'mcp__a'], { ask: ['Edit(src/**)'] }).rules).toHaveLength(4);
});
