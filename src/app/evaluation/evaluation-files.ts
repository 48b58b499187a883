import { readFile } from 'node:fs/promises';
import { AgentError, messageOf } from '../../core/errors.ts';
import { type EvaluationTask, parseTasks } from '../../evaluation/task.ts';
import { parseWording, type WordingFile } from '../../evaluation/wording.ts';

/** The tasks that ship, in English and in Chinese. */
export async function shippedTasks(): Promise<readonly EvaluationTask[]> {
  const [english, chinese] = await Promise.all([
    import('../../evaluation/tasks-en.json', { with: { type: 'json' } }),
    import('../../evaluation/tasks-zh.json', { with: { type: 'json' } }),
  ]);
  return [...(await parseTasks(english.default, 'tasks-en.json')), ...(await parseTasks(chinese.default, 'tasks-zh.json'))];
}

/** Tasks of a file that a person named. Errors: AgentError `misuse`. */
export async function readTasks(path: string, shown: string): Promise<readonly EvaluationTask[]> {
  return parseTasks(await readJson(path, shown), shown);
}

/** A wording of a file that a person named. Errors: AgentError `misuse`. */
export async function readWording(path: string, shown: string): Promise<WordingFile> {
  return parseWording(await readJson(path, shown), shown);
}

async function readJson(path: string, shown: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (thrown) {
    throw new AgentError({
      code: 'misuse',
      message: `${shown} cannot be read as JSON: ${messageOf(thrown)}`,
      remedy: 'Give the path of a JSON file.',
    });
  }
}
