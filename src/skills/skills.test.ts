import { expect, test } from 'vitest';
import { parseFrontMatter } from './front-matter.ts';
import { fillPrompt, parsePromptCommand } from './prompt-command.ts';
import { parseSkill, renderSkillPrompt } from './skill.ts';

test('front matter: fields of a line, quoted and folded ones; lists and a file without any are left as they are', () => {
  const text =
    '---\r\nname: "a \\"b\\""\ntools:\n  - x\ndescription: >-\n  one\n  two\nother: \'it\'\'s\'\n---\n\nbody --- here\n';
  expect(parseFrontMatter(text)).toEqual({
    fields: new Map([
      ['name', 'a "b"'],
      ['tools', '- x'],
      ['description', 'one two'],
      ['other', "it's"],
    ]),
    body: '\nbody --- here\n',
  });
  expect(parseFrontMatter('no --- fields')).toEqual({ fields: new Map(), body: 'no --- fields' });
  expect(parseFrontMatter('---\nnever: closed\n')).toMatchObject({ body: '---\nnever: closed\n' });
});

test('arguments fill their gaps in one pass, and stand below where there is none', () => {
  expect(fillPrompt('---\ndescription: x\n---\nReview $1 and $2. All: $ARGUMENTS. $10 stays.', 'a.ts $1 c')).toBe(
    'Review a.ts and $1. All: a.ts $1 c. $10 stays.',
  );
  expect(fillPrompt('Review $1.', '')).toBe('Review .');
  expect(fillPrompt('Review it.', 'with care')).toBe('Review it.\n\nwith care');
  expect(fillPrompt('Review it.\n', '')).toBe('Review it.');
});

test('a command is named after its file, with the folders before it; a name that cannot be typed is none', () => {
  expect(parsePromptCommand('/p/git/Commit.md', 'git/Commit.md', '# Commit all\nplease')).toEqual({
    name: 'git:commit',
    description: 'Commit all',
    path: '/p/git/Commit.md',
  });
  expect(parsePromptCommand('/p/my file.md', 'my file.md', 'x')).toBeNull();
});

test('a skill has the name of its folder and a description, else it says what is wrong', () => {
  const text = (name: string, description: string) => `---\nname: ${name}\ndescription: ${description}\n---\nDo it.\n`;
  const skill = parseSkill('/s/pdf-forms/SKILL.md', 'pdf-forms', text('pdf-forms', 'Fills forms.'));
  expect(skill).toEqual({ name: 'pdf-forms', description: 'Fills forms.', path: '/s/pdf-forms/SKILL.md' });
  if ('fault' in skill) return;
  expect(renderSkillPrompt(skill, text('pdf-forms', 'x'), 'fill a.pdf')).toBe(
    'fill a.pdf\n\n<skill name="pdf-forms" folder="/s/pdf-forms">\nDo it.\n</skill>',
  );
  for (const [name, folder, description] of [
    ['PDF', 'PDF', 'x'],
    ['other', 'pdf', 'x'],
    ['pdf', 'pdf', ''],
  ] as const)
    expect(parseSkill('/s', folder, text(name, description))).toHaveProperty('fault');
});
