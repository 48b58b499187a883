import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeTools } from '../src/app/compose-tools.ts';
import { DIRECT_STEPS } from '../src/app/direct-steps.ts';
import { effectsFolder } from '../src/app/user-folders.ts';
import { ToolRunner } from '../src/calls/run-tools.ts';
import type { EffectJournal } from '../src/core/ports.ts';
import { TodoList } from '../src/core/todo-list.ts';
import { UndoJournal } from '../src/sessions/undo-journal.ts';

// What keeping its effects adds to a command that changes one file, in a tree of many: with the journal and without, in turn.
const FILES = Number(process.argv[2] ?? 50_000);
const ROUNDS = Number(process.argv[3] ?? 40);
const FILES_PER_FOLDER = 20;
const WORDS = 2000;
const TARGET_MS = 60;

const base = realpathSync(mkdtempSync(join(tmpdir(), 'wield-bench-undo-')));
const root = join(base, 'project');
const folders = { home: base, config: join(base, 'config'), state: join(base, 'state') };

function fill(): number {
  const words = Array.from({ length: WORDS }, (_, i) => ((i * 2_654_435_761) % 2 ** 32).toString(36));
  let bytes = 0;
  let seed = 1;
  const next = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (let file = 0; file < FILES; file++) {
    const number = Math.floor(file / FILES_PER_FOLDER);
    const folder = join(root, `part-${number % 50}`, `folder-${number}`);
    if (file % FILES_PER_FOLDER === 0) mkdirSync(folder, { recursive: true });
    const lines = Array.from(
      { length: 10 + next(150) },
      () => `  ${words[next(WORDS)]} = ${words[next(WORDS)]}(${words[next(WORDS)]});`,
    );
    const text = lines.join('\n');
    bytes += text.length;
    writeFileSync(join(folder, `file-${file}.ts`), text);
  }
  return bytes;
}

function runnerWith(journal: EffectJournal): (command: string) => Promise<number> {
  const workbench = composeTools({
    cwd: root,
    addDirs: [],
    mode: 'bypassPermissions',
    rules: [],
    toolNames: 'PascalCase',
    bashTimeoutMs: null,
    tracksSeen: false,
    folders,
    environment: process.env,
    sessionId: 'bench',
    todos: new TodoList(),
    seesImages: false,
    sandbox: 'danger-full-access',
  });
  const runner = new ToolRunner({
    ...workbench.runnerOptions(journal),
    registry: workbench.registry,
    ask: async () => ({ type: 'allow', scope: 'once' }),
    steps: DIRECT_STEPS,
  });
  return async (command) => {
    const startedAt = performance.now();
    const round = runner.startRound(new AbortController().signal, () => undefined);
    round.add({ type: 'tool_use', id: 'call', wireId: null, name: 'Bash', input: { command } }, false);
    round.commit();
    await round.results();
    return performance.now() - startedAt;
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function megabytes(path: string): string {
  return (Number(execFileSync('du', ['-sk', path], { encoding: 'utf8' }).split('\t')[0]) / 1024).toFixed(0);
}

const openJournal = (): UndoJournal =>
  new UndoJournal({
    roots: [root],
    excluded: [],
    folder: effectsFolder(folders, root),
    logPath: join(folders.state, 'bench.effects'),
    pastTurns: 0,
    jobs: () => [],
  });

const bytes = fill();
const plain = runnerWith({ started: async () => undefined, finished: async () => undefined });
const journal = openJournal();
const kept = runnerWith(journal);
await plain('true > warm-up');
const first = await kept('echo > warm-up');
const pairs: { readonly plain: number; readonly kept: number }[] = [];
for (let i = 0; i < ROUNDS; i++) {
  const command = `echo ${i} >> part-${i % 50}/folder-${i % 50}/file-${(i % 50) * FILES_PER_FOLDER}.ts`;
  pairs.push({ plain: await plain(command), kept: await kept(command) });
}
const large = await kept('rm -rf part-7');
await journal.close();
const again = openJournal();
const reopened = await runnerWith(again)('echo > warm-up');
await again.close();

const added = median(pairs.map((pair) => pair.kept - pair.plain));
console.log(`tree: ${FILES} files, ${(bytes / 1024 ** 2).toFixed(0)} MB`);
console.log(`first command of a project: ${first.toFixed(0)} ms; of a later session: ${reopened.toFixed(0)} ms`);
console.log(
  `a command: ${median(pairs.map((pair) => pair.plain)).toFixed(1)} ms without, ${median(pairs.map((pair) => pair.kept)).toFixed(1)} ms with`,
);
console.log(`added ${added.toFixed(1)} ms (median of ${ROUNDS} pairs; target under ${TARGET_MS} ms)`);
console.log(`rm -rf of ${FILES / 50} files: ${large.toFixed(0)} ms with`);
console.log(`disk: ${megabytes(effectsFolder(folders, root))} MB (${megabytes(root)} MB is the tree)`);
rmSync(base, { recursive: true, force: true });
if (added > TARGET_MS) process.exitCode = 1;
