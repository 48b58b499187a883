import { expect, test } from 'vitest';
import { defineTool } from '../../core/define-tool.ts';
import { succeed } from '../../core/tool-result.ts';
import { rankTools } from './rank-tools.ts';

const tool = (name: string, description: string) =>
  defineTool({
    name,
    description,
    inputSchema: { type: 'object', properties: {} } as const,
    execute: async () => succeed('ok'),
  });

const TOOLS = [
  tool('mcp__hub__list_issues', 'Lists the issues of a repository.'),
  tool('mcp__hub__createIssue', 'Opens a new one.'),
  tool('mcp__hub__get_file', 'Reads a file, as an issue may link to it.'),
  tool('mcp__wetter__vorhersage', 'Sagt das Wetter für morgen voraus: 天気.'),
];

test.each([
  ['create issue', ['createIssue', 'list_issues', 'get_file']],
  ['CREATE  issues!', ['createIssue', 'list_issues', 'get_file']],
  ['file', ['get_file']],
  ['wetter', ['vorhersage']],
  ['für 天気', ['vorhersage']],
  ['mcp__hub__get_file', ['get_file']],
  ['mcp__hub__get_file, mcp__hub__list_issues', ['list_issues', 'get_file']],
  ['nothing like it', []],
  ['', []],
])('%j finds the tools that fit, the best first', (query, names) => {
  expect(rankTools(TOOLS, query).map(({ name }) => name.split('__').at(-1))).toEqual(names);
});
