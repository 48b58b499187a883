import fc from 'fast-check';
import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { composeTools } from '../src/app/compose-tools.ts';
import { ToolRunner } from '../src/calls/run-tools.ts';
import { textOf } from '../src/core/message.ts';
import type { FileAccess } from '../src/core/ports.ts';
import { TodoList } from '../src/core/todo-list.ts';

/** Each name, and the file that it leads to. */
const NAMES: Readonly<Record<string, string>> = {
  'a.txt': 'a.txt',
  'b.txt': 'b.txt',
  'c.txt': 'c.txt',
  'link.txt': 'a.txt',
  'link-of-link.txt': 'a.txt',
  'folder/b.txt': 'b.txt',
};
const LINKS = { 'link.txt': 'a.txt', 'link-of-link.txt': 'link.txt', folder: '.' };
const FILES = [...new Set(Object.values(NAMES))];
const LETTERS = 'abcdef';
// The full stop stays, so that no file is ever empty.
const START = `${LETTERS}.`;

type Step = { readonly name: string } & (
  | { readonly kind: 'read' }
  | { readonly kind: 'edit'; readonly letter: string; readonly replacement: string }
  | { readonly kind: 'write'; readonly content: string }
);

const name = fc.constantFrom(...Object.keys(NAMES));
/** Reads, edits that make the file shorter, longer or neither, and rewrites, which a session refuses where it has not seen the file as it is. */
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('read'), name }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('edit'),
      name,
      letter: fc.constantFrom(...LETTERS),
      replacement: fc.constantFrom('', '1', '23', '4\n5'.repeat(9)),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('write'), name, content: fc.constantFrom(START, `${LETTERS}\n6.\n`, 'fed.') }),
  },
);
const messages = fc.array(fc.array(step, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 3 });
const delays = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 16 });

/** The property: whatever the delays, the calls of a session come to what they come to one after the other, and no change is lost. */
export const equalsSerialOrder = fc.asyncProperty(messages, delays, async (session, delaysMs) => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'wield-order-')));
  try {
    for (const file of FILES) writeFileSync(join(root, file), START);
    for (const [link, target] of Object.entries(LINKS)) symlinkSync(target, join(root, link));
    const answers = await runSession(root, session, delaysMs);
    const serial = runSerially(session.flat());
    expect(answers).toEqual(serial.answers);
    expect(Object.fromEntries(FILES.map((file) => [file, readFileSync(join(root, file), 'utf8')]))).toEqual(serial.files);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

/** What each call answers: a read its text, another whether it is an error. */
type Answer = string | boolean;

async function runSession(
  root: string,
  session: readonly (readonly Step[])[],
  delaysMs: readonly number[],
): Promise<readonly Answer[]> {
  const workbench = composeTools({
    cwd: root,
    addDirs: [],
    mode: 'acceptEdits',
    rules: [],
    toolNames: 'PascalCase',
    bashTimeoutMs: null,
    tracksSeen: true,
    folders: { home: '/nowhere', config: join(root, '.state'), state: join(root, '.state') },
    environment: process.env,
    sessionId: 'test',
    todos: new TodoList(),
    seesImages: false,
  });
  const options = workbench.runnerOptions({ started: async () => undefined, finished: async () => undefined });
  let paused = 0;
  const pause = async (): Promise<void> => {
    const delayMs = delaysMs[paused++ % delaysMs.length] ?? 0;
    if (delayMs > 0) await sleep(delayMs);
  };
  const runner = new ToolRunner({
    ...options,
    registry: workbench.registry,
    steps: { runStep: (_step, run) => run() },
    ask: null,
    contextFor: (...call) => {
      const context = options.contextFor(...call);
      return { ...context, files: withPauses(context.files, pause) };
    },
  });
  const answers: Answer[] = [];
  for (const steps of session) {
    const round = runner.startRound(new AbortController().signal, () => undefined);
    for (const [i, one] of steps.entries())
      round.add({ type: 'tool_use', id: `call_${i}`, wireId: null, ...callOf(one, join(root, one.name)) }, true);
    round.commit();
    const results = await round.results();
    answers.push(...results.map(({ content, isError }, i) => (steps[i]?.kind === 'read' ? textOf(content) : isError)));
  }
  return answers;
}

/** The same files, with time between a call's looks at them in which others may come. */
function withPauses(files: FileAccess, pause: () => Promise<void>): FileAccess {
  const paused =
    <A extends readonly unknown[], R>(act: (...input: A) => Promise<R>) =>
    async (...input: A): Promise<R> => {
      await pause();
      return act(...input);
    };
  return {
    ...files,
    stat: paused(files.stat),
    list: paused(files.list),
    read: paused(files.read),
    replace: paused(files.replace),
    transact: paused(files.transact),
  };
}

function callOf(one: Step, path: string): { readonly name: string; readonly input: object } {
  switch (one.kind) {
    case 'read':
      return { name: 'ReadFile', input: { path } };
    case 'edit':
      return { name: 'EditFile', input: { path, old_string: one.letter, new_string: one.replacement } };
    case 'write':
      return { name: 'WriteFile', input: { path, content: one.content } };
  }
}

interface ModelFile {
  readonly text: string;
  /** What the model knows it to be; null where it has not looked. */
  readonly seen: string | null;
}

/** What the calls come to one after the other. */
function runSerially(steps: readonly Step[]): { readonly answers: readonly Answer[]; readonly files: object } {
  const files = new Map<string, ModelFile>(FILES.map((file) => [file, { text: START, seen: null }]));
  const answers = steps.map((one): Answer => {
    const file = NAMES[one.name] ?? '';
    const { answer, after } = act(one, files.get(file) ?? { text: '', seen: null });
    files.set(file, after);
    return answer;
  });
  return { answers, files: Object.fromEntries([...files].map(([file, { text }]) => [file, text])) };
}

function act(one: Step, before: ModelFile): { readonly answer: Answer; readonly after: ModelFile } {
  const { text, seen } = before;
  switch (one.kind) {
    case 'read':
      return { answer: shown(text), after: { text, seen: text } };
    case 'edit': {
      if (!text.includes(one.letter)) return { answer: true, after: before };
      const edited = text.replace(one.letter, one.replacement);
      return { answer: false, after: { text: edited, seen: seen === text ? edited : seen } };
    }
    case 'write':
      return seen === text ? { answer: false, after: { text: one.content, seen: one.content } } : { answer: true, after: before };
  }
}

function shown(text: string): string {
  const lines = text.replace(/\n$/, '').split('\n');
  return lines.map((line, i) => `${i + 1}\t${line}`).join('\n');
}
