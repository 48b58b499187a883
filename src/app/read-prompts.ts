import { AgentError } from '../core/errors.ts';
import { fillPrompt, parsePromptCommand } from '../skills/prompt-command.ts';
import { parseSkill, renderSkillPrompt, type Skill } from '../skills/skill.ts';
import type { OwnPrompt, OwnPrompts, PromptFile } from './prompt-file.ts';
import { readConfigFile } from './read-config-file.ts';

/** Reads files that were found; of several with one name the last counts. A file that cannot be used is a line to say, and no reason to stop. */
export async function readPrompts(commands: readonly PromptFile[], skills: readonly PromptFile[]): Promise<OwnPrompts> {
  const unusable: string[] = [];
  const prompts = new Map<string, OwnPrompt>();
  const bySkill = new Map<string, Skill>();
  for (const file of skills) {
    const text = await textOf(file);
    const skill = typeof text === 'string' ? parseSkill(file.path, file.relative.split('/')[0] ?? '', text) : text;
    if ('fault' in skill) unusable.push(`Not loaded: ${file.path} (${skill.fault})`);
    else {
      bySkill.set(skill.name, skill);
      prompts.set(skill.name, {
        name: skill.name,
        summary: `skill: ${skill.description}`,
        expand: async (argument) => renderSkillPrompt(skill, await textOrThrow(file), argument),
      });
    }
  }
  for (const file of commands) {
    const text = await textOf(file);
    const command = typeof text === 'string' ? parsePromptCommand(file.path, file.relative, text) : text;
    if (command === null) continue;
    if ('fault' in command) unusable.push(`Not loaded: ${file.path} (${command.fault})`);
    else
      prompts.set(command.name, {
        name: command.name,
        summary: command.description,
        expand: async (argument) => fillPrompt(await textOrThrow(file), argument),
      });
  }
  return { prompts: [...prompts.values()], skills: [...bySkill.values()], unusable };
}

async function textOf({ path, within }: PromptFile): Promise<string | { readonly fault: string }> {
  const file = await readConfigFile(path, within);
  if (file === null) return { fault: 'it is gone' };
  return 'text' in file ? file.text.toWellFormed() : file;
}

async function textOrThrow(file: PromptFile): Promise<string> {
  const text = await textOf(file);
  if (typeof text === 'string') return text;
  throw new AgentError({
    code: 'config_unreadable',
    message: `${file.path} cannot be used: ${text.fault}.`,
    remedy: 'Mend the file, or move it away.',
  });
}
