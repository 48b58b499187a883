import type { Skill } from '../skills/skill.ts';

/** A command of the chat that is a prompt. */
export interface OwnPrompt {
  readonly name: string;
  readonly summary: string;
  /** The prompt, read anew: it may have been edited since. Errors: AgentError, plain Error. */
  expand(argument: string): Promise<string>;
}

/** Commands and skills of a person and a project. */
export interface OwnPrompts {
  readonly prompts: readonly OwnPrompt[];
  readonly skills: readonly Skill[];
  /** A line for each file that cannot be used. */
  readonly unusable: readonly string[];
}

/** A folder to look in, and the real folder that its files must not lead out of; null where it is the user's own. */
export interface Place {
  readonly folder: string;
  readonly within: string | null;
}

/** A file in such a folder. */
export interface PromptFile extends Place {
  readonly path: string;
  /** Below its folder. */
  readonly relative: string;
}
