import { afterEach, expect, test } from 'vitest';
import { type AnthropicServer, startAnthropicServer } from '../loopback/anthropic-server.ts';
import { anthropicAt, createScratch, runWield, type Scratch } from './run-wield.ts';

let scratch: Scratch;
let server: AnthropicServer;
afterEach(async () => {
  await server.close();
  scratch.remove();
});

test('the skills of a trusted folder are told to the model by name, what they are for and place; of another folder a person is told', async () => {
  scratch = createScratch({
    '.agents/skills/pdf/SKILL.md': '---\nname: pdf\ndescription: Fills forms.\n---\nThe body.\n',
  });
  server = await startAnthropicServer([{ text: 'one' }, { text: 'two' }]);
  const env = anthropicAt(server.url);
  const { stderr } = await runWield(scratch, ['-p', 'hi'], { env });
  expect(stderr).toContain(`Not loaded, because this folder is not trusted: ${scratch.path('.agents/skills')}`);
  await runWield(scratch, ['-p', 'hi', '--trust'], { env });
  const [without, having] = server.requests.map((request) => JSON.stringify(request));
  expect(without).not.toContain('Fills forms.');
  expect(having).toContain(`- pdf: Fills forms. (${scratch.path('.agents/skills/pdf/SKILL.md')})`);
  expect(having).not.toContain('The body.');
});
