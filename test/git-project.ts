import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Tool, ToolContext } from '../src/core/tool.ts';
import { createLocalGit } from '../src/host/git/git.ts';

// No configuration of this machine, and a person to commit as.
const ENVIRONMENT = {
  PATH: process.env['PATH'] ?? '',
  HOME: '/nowhere',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.org',
};

/** A temporary folder with a real git repository in its folder `repo`, and room beside it. */
export interface GitProject {
  readonly base: string;
  readonly root: string;
  path(name: string): string;
  write(name: string, content: string | Uint8Array): void;
  /** Runs git in `root` or a folder of it, and returns what it writes. */
  git(args: readonly string[], folder?: string): string;
  /** Writes a script that leaves a mark when it runs, and returns its path; then it fails. */
  canary(name: string): string;
  /** The names of the canaries that ran. */
  ran(names: readonly string[]): string[];
  remove(): void;
}

export function createGitProject(files: Readonly<Record<string, string>> = {}): GitProject {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'wield-git-')));
  const root = join(base, 'repo');
  const write = (name: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  };
  const git = (args: readonly string[], folder = root): string =>
    execFileSync('git', args, { cwd: folder, env: ENVIRONMENT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  mkdirSync(root);
  git(['init', '-q', '-b', 'main']);
  for (const [name, content] of Object.entries(files)) write(name, content);
  if (Object.keys(files).length > 0) {
    git(['add', '-A']);
    git(['commit', '-q', '-m', 'first']);
  }
  return {
    base,
    root,
    path: (name) => join(root, name),
    write,
    git,
    canary: (name) => {
      const script = join(base, `${name}.sh`);
      writeFileSync(script, `#!/bin/sh\n: > '${join(base, `${name}.ran`)}'\nexit 1\n`);
      chmodSync(script, 0o755);
      return script;
    },
    ran: (names) => names.filter((name) => existsSync(join(base, `${name}.ran`))),
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

/** Runs a git tool in a folder as the agent would, without the gate. */
export async function runGitTool<I>(
  tool: Tool<I>,
  input: I,
  { cwd, environment = ENVIRONMENT }: { readonly cwd: string; readonly environment?: NodeJS.ProcessEnv },
): Promise<ToolAnswer> {
  const problem = tool.validateInput(input, { cwd });
  if (problem !== null) return { text: problem, isError: true };
  const git = createLocalGit({ environment, workspace: cwd });
  // A git tool uses nothing else of the machine.
  const context = { cwd, git, signal: new AbortController().signal } as unknown as ToolContext;
  const { content, isError } = await tool.execute(context, input);
  return { text: content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'), isError };
}
