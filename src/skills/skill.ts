import { parseFrontMatter } from './front-matter.ts';

/** How something is done, as a folder with a SKILL.md tells it. Source: the Agent Skills specification, agentskills.io. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  /** Of its SKILL.md. */
  readonly path: string;
}

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_NAME_CHARS = 64;
const MAX_DESCRIPTION_CHARS = 1024;

/** A skill, or what is wrong with its file. `folder` is the name of the folder that holds it. */
export function parseSkill(path: string, folder: string, text: string): Skill | { readonly fault: string } {
  const { fields } = parseFrontMatter(text);
  const name = fields.get('name') ?? '';
  const description = (fields.get('description') ?? '').replaceAll(/\s+/g, ' ').toWellFormed();
  if (!NAME.test(name) || name.length > MAX_NAME_CHARS)
    return { fault: `its name must be of small letters, digits and single hyphens, at most ${MAX_NAME_CHARS}` };
  if (name !== folder) return { fault: `its name is ${name}, and its folder's ${folder}` };
  if (description === '') return { fault: 'it has no description' };
  return { name, description: description.slice(0, MAX_DESCRIPTION_CHARS), path };
}

/** What is sent when a person calls a skill by name: all of it, so that the model need not look for it. */
export function renderSkillPrompt({ name, path }: Skill, text: string, argument: string): string {
  const { body } = parseFrontMatter(text);
  const folder = path.slice(0, path.lastIndexOf('/'));
  const task = argument === '' ? `Do what the skill ${name} says.` : argument;
  return `${task}\n\n<skill name="${name}" folder="${folder}">\n${body.trim()}\n</skill>`;
}
