import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readOwnPrompts } from './own-prompts.ts';
import type { UserFolders } from './user-folders.ts';

let base: string;
let project: string;
let folders: UserFolders;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'wield-prompts-')));
  project = join(base, 'project');
  folders = { home: join(base, 'home'), config: join(base, 'home/.config/wield'), state: join(base, 'state') };
  write('project/.git/HEAD', '');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
}

const skill = (name: string, description: string): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\nbody of ${name}\n`;

async function named(isTrusted: boolean): Promise<readonly string[]> {
  const { prompts } = await readOwnPrompts(project, folders, isTrusted);
  return prompts.map(({ name, summary }) => `${name}: ${summary}`);
}

test('what is nearer wins, and nothing of a project counts before it is trusted', async () => {
  write('home/.config/wield/commands/review.md', 'mine');
  write('project/.claude/commands/review.md', 'theirs, old');
  write('project/.agents/commands/review.md', 'theirs');
  write('project/.claude/skills/pdf/SKILL.md', skill('pdf', 'Fills forms.'));
  expect(await named(false)).toEqual(['review: mine']);
  expect(await named(true)).toEqual(['pdf: skill: Fills forms.', 'review: theirs']);
  const { prompts, skills } = await readOwnPrompts(project, folders, true);
  expect(skills.map(({ name }) => name)).toEqual(['pdf']);
  write('project/.agents/commands/review.md', 'edited $ARGUMENTS');
  expect(await prompts.find(({ name }) => name === 'review')?.expand('now')).toBe('edited now');
});

test('a link that leads out of the project, a file that is no text of ours, and a skill without a name are told and left out', async () => {
  write('secret.txt', 'key');
  mkdirSync(join(project, '.agents/commands'), { recursive: true });
  symlinkSync(join(base, 'secret.txt'), join(project, '.agents/commands/leak.md'));
  write('project/.agents/skills/bad/SKILL.md', 'no fields');
  const { prompts, unusable } = await readOwnPrompts(project, folders, true);
  expect(prompts).toEqual([]);
  expect(unusable).toEqual([
    expect.stringMatching(/bad\/SKILL\.md \(its name must be/),
    expect.stringMatching(/leak\.md \(it leads out of /),
  ]);
});

test('of more files than are read the nearest are there, and the rest is told', async () => {
  for (let i = 0; i < 203; i++) write(`home/.agents/commands/c${i}.md`, 'mine');
  write('project/.agents/commands/review.md', 'theirs');
  const { prompts, unusable } = await readOwnPrompts(project, folders, true);
  expect([prompts.length, prompts.some(({ name }) => name === 'review')]).toEqual([200, true]);
  expect(unusable).toEqual([expect.stringMatching(/^Not loaded: 4 of 204 commands/)]);
});
