import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { composeTools } from '../src/app/compose-tools.ts';
import { DIRECT_STEPS } from '../src/app/direct-steps.ts';
import { effectsFolder } from '../src/app/user-folders.ts';
import { ToolRunner } from '../src/calls/run-tools.ts';
import type { AgentEventBody } from '../src/core/agent-event.ts';
import { textOf } from '../src/core/message.ts';
import type { SandboxMode } from '../src/core/permission.ts';
import { TodoList } from '../src/core/todo-list.ts';
import { UndoJournal } from '../src/sessions/undo-journal.ts';

const GIT_ENVIRONMENT = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.org',
};

export interface CallAnswer {
  readonly text: string;
  readonly isError: boolean;
  /** What the person was told before the tool began. */
  readonly toldBefore: readonly string[];
}

/** A project, and a session in it whose calls go through the gate and the journal. */
export interface UndoProject {
  readonly root: string;
  readonly journal: UndoJournal;
  readonly state: string;
  /** Where contents are kept, and the file that tells of effects. */
  readonly contents: string;
  readonly logPath: string;
  call(name: string, input: unknown): Promise<CallAnswer>;
  bash(command: string): Promise<CallAnswer>;
  write(path: string, content: string | Uint8Array): void;
  /** Ends the session and the folder. */
  close(): Promise<void>;
}

export function createUndoProject({ sandbox = 'workspace-write' }: { readonly sandbox?: SandboxMode } = {}): UndoProject {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'wield-undo-')));
  const root = join(base, 'project');
  const state = join(base, 'state');
  const folders = { home: join(base, 'home'), config: join(base, 'config'), state };
  for (const folder of [root, state, folders.home, folders.config]) mkdirSync(folder);
  const workbench = composeTools({
    cwd: root,
    addDirs: [],
    mode: 'bypassPermissions',
    rules: [],
    toolNames: 'PascalCase',
    bashTimeoutMs: null,
    tracksSeen: false,
    folders,
    environment: { ...GIT_ENVIRONMENT, HOME: folders.home },
    sessionId: 'test',
    todos: new TodoList(),
    seesImages: false,
    sandbox,
    acceptUnsandboxed: true,
  });
  const logPath = join(state, 'session.effects');
  const journal = new UndoJournal({
    roots: [root],
    excluded: [state, folders.config],
    folder: effectsFolder(folders, root),
    logPath,
    pastTurns: 0,
    jobs: () => workbench.jobs.list(),
  });
  const runner = new ToolRunner({
    ...workbench.runnerOptions(journal),
    registry: workbench.registry,
    ask: async () => ({ type: 'allow', scope: 'once' }),
    steps: DIRECT_STEPS,
  });
  let calls = 0;

  async function call(name: string, input: unknown): Promise<CallAnswer> {
    const told: string[] = [];
    let hasStarted = false;
    const emit = (event: AgentEventBody): void => {
      if (event.type === 'tool_start') hasStarted = true;
      if (event.type === 'notice' && !hasStarted) told.push(event.text);
    };
    const round = runner.startRound(new AbortController().signal, emit);
    round.add({ type: 'tool_use', id: `call_${++calls}`, wireId: null, name, input }, false);
    round.commit();
    const [result] = await round.results();
    return { text: textOf(result?.content ?? []), isError: result?.isError ?? true, toldBefore: told };
  }

  return {
    root,
    journal,
    state,
    contents: join(effectsFolder(folders, root), 'contents'),
    logPath,
    call,
    bash: (command) => call('Bash', { command }),
    write: (path, content) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    },
    close: async () => {
      await workbench.jobs.endAll();
      await journal.close();
      (await workbench.sandbox()).close();
      execFileSync('chmod', ['-R', 'u+rwX', base]);
      rmSync(base, { recursive: true, force: true });
    },
  };
}

/** What undo has to bring back: tracked, changed, staged, untracked and ignored files, odd names, links, modes, empty folders. */
export function fillWithEverything({ root, write }: UndoProject): void {
  const git = (...args: string[]): void => void execFileSync('git', args, { cwd: root, env: GIT_ENVIRONMENT, stdio: 'ignore' });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'A');
  git('config', 'user.email', 'a@example.org');
  write('.gitignore', '/build\n*.log\n.env\nnode_modules\n');
  write('README.md', '# Project\n\nOne line.\n');
  write('src/app.ts', 'export const a = 1;\nexport const b = 2;\n');
  write('src/lib/deep/er/leaf.ts', 'leaf\n');
  write('src/crlf.txt', 'one\r\ntwo\r\n');
  write('package.json', `{"name":"p","scripts":{"clean":"rm -rf build src/lib","wreck":"node wreck.js"}}\n`);
  write('wreck.js', "const fs=require('fs');fs.writeFileSync('src/app.ts','gone');fs.rmSync('docs',{recursive:true});\n");
  write('docs/a.md', 'a\n');
  write('docs/b.md', 'b\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  write('docs/a.md', 'a, second\n');
  git('commit', '-q', '-am', 'second');
  git('branch', 'other', 'HEAD~1');
  write('src/app.ts', 'export const a = 10;\nexport const b = 2;\n');
  write('staged.txt', 'staged\n');
  git('add', 'staged.txt');
  write('untracked.txt', 'never read by anybody\n');
  write('scratch/with space.txt', 'space\n');
  write('scratch/-rf', 'dash\n');
  write('scratch/*.txt', 'star\n');
  write('scratch/né.txt', 'accent\n');
  write('scratch/line\nend', 'line end\n');
  writeFileSync(Buffer.from(`${root}/scratch/bad-\xff-bytes`, 'latin1'), 'no UTF-8\n');
  write('scratch/empty', '');
  write('.env', 'KEY=1\n');
  write('build/out.js', 'built\n');
  write(
    'build/out.bin',
    Uint8Array.from({ length: 70_000 }, (_, i) => (i * 7) % 251),
  );
  write('debug.log', 'log\n');
  write('run.sh', '#!/bin/sh\nexit 0\n');
  chmodSync(join(root, 'run.sh'), 0o755);
  write('kept/read-only.txt', 'read only\n');
  chmodSync(join(root, 'kept/read-only.txt'), 0o444);
  chmodSync(join(root, 'kept'), 0o750);
  write('private', 'private\n');
  chmodSync(join(root, 'private'), 0o600);
  mkdirSync(join(root, 'empty/inner'), { recursive: true });
  symlinkSync('src/app.ts', join(root, 'link-to-file'));
  symlinkSync('src', join(root, 'link-to-folder'));
  symlinkSync('../nowhere', join(root, 'dangling'));
  write('twin-a', 'twins\n');
  linkSync(join(root, 'twin-a'), join(root, 'twin-b'));
  write('node_modules/dep/index.js', 'dep\n');
  write('big.bin', '');
  truncateSync(join(root, 'big.bin'), 11 * 1024 * 1024);
}

/** Who is not root cannot read what a command has shut. */
function readableText(path: Buffer): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return 'unreadable';
  }
}

const UNCOVERED: ReadonlySet<string> = new Set(['./node_modules', './big.bin']);

/** Each path with kind, mode and content or target, but for what undo says that it does not cover. */
export function picture(root: string): Record<string, string> {
  const seen: Record<string, string> = {};
  const visit = (path: Buffer, shown: string): void => {
    const stats = lstatSync(path);
    const mode = (stats.mode & 0o7777).toString(8);
    if (stats.isSymbolicLink()) seen[shown] = `link ${readlinkSync(path, 'latin1')}`;
    else if (!stats.isDirectory()) seen[shown] = `file ${mode} ${readableText(path)}`;
    else {
      seen[shown] = `folder ${mode}`;
      for (const name of readdirSync(path, 'buffer')) {
        const inner = `${shown}/${name.toString('latin1')}`;
        if (!UNCOVERED.has(inner)) visit(Buffer.concat([path, Buffer.from('/'), name]), inner);
      }
    }
  };
  visit(Buffer.from(root), '.');
  return seen;
}
