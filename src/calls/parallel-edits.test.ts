import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createProject, createTestAgent, resultsOf, runToEnd } from '../../test/agent-harness.ts';
import { createScriptedProvider } from '../providers/scripted.ts';

const FILES = ['a.txt', 'b.txt'] as const;

type Step =
  | { readonly kind: 'read'; readonly file: string }
  | { readonly kind: 'edit'; readonly file: string; readonly letter: string };

/** Calls of one message: reads and edits of two files, each edit of a letter of its own. */
const steps = fc
  .array(fc.record({ kind: fc.constantFrom('read', 'edit'), file: fc.constantFrom(...FILES) }), { minLength: 2, maxLength: 10 })
  .map((drafts) =>
    drafts.map(
      (draft, i): Step =>
        draft.kind === 'read'
          ? { kind: 'read', file: draft.file }
          : { kind: 'edit', file: draft.file, letter: 'abcdefghij'[i] ?? 'a' },
    ),
  );

test('any message of parallel reads and edits equals the calls one after the other, and no update is lost', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (calls) => {
      const project = createProject({ 'a.txt': 'abcdefghij\n', 'b.txt': 'abcdefghij\n' });
      try {
        const provider = createScriptedProvider([
          { calls: calls.map((step) => callOf(step, project.path(step.file))) },
          { text: 'done' },
        ]);
        const results = resultsOf(await runToEnd(createTestAgent(project, provider), 'go'));
        const serial = runSerially(calls);
        expect(results.map(({ text, isError }, i) => (calls[i]?.kind === 'read' ? text : isError))).toEqual(serial.answers);
        for (const file of FILES) expect(readFileSync(project.path(file), 'utf8')).toBe(serial.files[file]);
      } finally {
        project.remove();
      }
    }),
    { numRuns: 60 },
  );
});

function callOf(step: Step, path: string): { name: string; input: object } {
  if (step.kind === 'read') return { name: 'ReadFile', input: { path } };
  return { name: 'EditFile', input: { path, old_string: step.letter, new_string: step.letter.toUpperCase() } };
}

/** What the calls come to one after the other. */
function runSerially(calls: readonly Step[]): { answers: unknown[]; files: Record<string, string> } {
  const files: Record<string, string> = { 'a.txt': 'abcdefghij\n', 'b.txt': 'abcdefghij\n' };
  const answers = calls.map((step) => {
    const text = files[step.file] ?? '';
    if (step.kind === 'read') return `1\t${text.trimEnd()}`;
    files[step.file] = text.replace(step.letter, step.letter.toUpperCase());
    return false;
  });
  return { answers, files };
}
