import { chooseModel } from './choose-model.ts';
import { readSettings } from './settings.ts';
import { openTrustStore } from './trust-survey.ts';
import { userFolders } from './user-folders.ts';

/** Asserts that a model can be chosen in a folder. Errors: AgentError, as a session would meet it. */
export async function findModel(name: string, cwd: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const folders = userFolders(environment);
  const state = await openTrustStore(folders).check(cwd);
  await chooseModel(name, environment, await readSettings(cwd, folders, state === 'trusted'));
}
