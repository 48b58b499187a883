import { AgentError } from '../core/errors.ts';

/** The folder that the command was started in. Errors: AgentError `folder_missing` where it was deleted meanwhile. */
export function workingFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    const record = {
      code: 'folder_missing',
      message: 'The folder that this was started in is gone.',
      remedy: 'Go to a folder that exists, or name one with --cwd.',
    } as const;
    throw new AgentError(record, { cause });
  }
}
