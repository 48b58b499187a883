import { expect, test } from 'vitest';
import { readServerConfigs } from './server-config.ts';
import { serverToolName } from './tool-name.ts';

test('a server by a name that a rule for another would read as its own is left out, and you are told', () => {
  const names = ['a', 'mail_lab', 'Lab-2', 'a..b', 'a.b', 'a__b', 'a_', '_a', 'a b', 'ä', ''];
  const file = { mcpServers: Object.fromEntries(names.map((name) => [name, { command: 'x' }])) };
  const { servers, faults } = readServerConfigs(file, {});
  expect(servers.map(({ name }) => serverToolName(name, 'x'))).toEqual(['mcp__a__x', 'mcp__mail_lab__x', 'mcp__Lab-2__x']);
  expect(faults).toHaveLength(names.length - 3);
  expect(faults[0]).toMatch(/^server "a\.\.b": its name must be letters, digits, single underscores and hyphens/);
});

test('what every object has is no variable, and what was filled in is known to be masked', () => {
  const file = {
    mcpServers: { proto: { command: 'x', args: ['${toString}'] }, lab: { command: '${KEY}', args: ['${NONE:-plain}'] } },
  };
  const { servers, faults } = readServerConfigs(file, { KEY: 'secret' });
  expect(faults).toEqual(['server "proto": it needs ${toString}, which is not set']);
  expect(servers).toMatchObject([{ command: 'secret', args: ['plain'], masks: [{ shown: '${KEY}', value: 'secret' }] }]);
});
