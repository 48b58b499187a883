import { spawn } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createProject, type TestProject } from '../agent-harness.ts';

/** The tree before the patch of change-tree.ts. */
export const OLD = { 'a.txt': 'a\n', 'linked.txt': 'linked\n', 'gone.txt': 'gone\n', 'old-name.txt': 'moved\n' };
/** And after it. */
export const NEW = {
  'a.txt': 'A\n',
  'added.txt': 'added\n',
  'deep/new-name.txt': 'MOVED\n',
  'linked.txt': 'LINKED, and longer than before\n',
};

/** The old tree, with a second name of linked.txt outside it. */
export function makeTree(): TestProject {
  const project = createProject(Object.fromEntries(Object.entries(OLD).map(([name, text]) => [`tree/${name}`, text])));
  mkdirSync(project.path('twins'));
  linkSync(project.path('tree/linked.txt'), project.path('twins/linked.txt'));
  return project;
}

/** The files below a folder, sorted by path. */
export function treeOf(root: string): Record<string, string> {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).toSorted();
  return Object.fromEntries(
    names.filter((name) => statSync(join(root, name)).isFile()).map((name) => [name, readFileSync(join(root, name), 'utf8')]),
  );
}

export type TreeChange = 'patch' | 'write' | 'write of a linked file' | 'recovery';

export interface RunOptions {
  /** A program that is loaded before. */
  readonly preload: 'kill-at-step.ts' | 'fail-writes.ts';
  readonly env: Readonly<Record<string, string>>;
}

export interface RunEnd {
  readonly isKilled: boolean;
  readonly stdout: string;
}

/** Runs change-tree.ts in a process of its own. */
export async function runChange(project: TestProject, what: TreeChange, { preload, env }: RunOptions): Promise<RunEnd> {
  const [before, program] = [preload, 'change-tree.ts'].map((name) => join(import.meta.dirname, name));
  const args = ['--import', before ?? '', program ?? '', project.path('tree'), project.path('journal'), what];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  const signal = await new Promise((resolve) => child.on('close', (_code, by) => resolve(by)));
  return { isKilled: signal === 'SIGKILL', stdout };
}

/** Runs it and kills it right before its nth step on the file system. */
export function runAndKill(project: TestProject, what: TreeChange, killAt: number): Promise<RunEnd> {
  return runChange(project, what, { preload: 'kill-at-step.ts', env: { KILL_AT_STEP: String(killAt) } });
}

/** What is left in the journal. */
export function journalOf(project: TestProject): string[] {
  return existsSync(project.path('journal')) ? readdirSync(project.path('journal')) : [];
}
