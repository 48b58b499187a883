import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { ToolContext } from '../core/tool.ts';
import { MemoryFiles } from '../backends/memory-files.ts';
import { createApplyPatchTool } from './apply-patch.ts';
import { createEditFileTool } from './edit-file.ts';

const RECORDS = join(import.meta.dirname, '../../../shared/cases/edits.jsonl.gz');
const ROOT = '/w';

/** Null where there is no such file. */
type RecordedFiles = Readonly<Record<string, string | null>>;
type Files = Readonly<Record<string, string>>;
interface RecordedEdit {
  readonly id: string;
  readonly kind: 'str_replace' | 'multi' | 'apply_patch';
  readonly file: string;
  readonly before: string | RecordedFiles | null;
  readonly after?: string | RecordedFiles;
  readonly intendedAfter?: string | RecordedFiles | null;
  readonly input: { readonly patch?: string; readonly edits?: readonly EditInput[] } & EditInput;
  readonly outcome: 'applied' | 'error';
  readonly error?: string;
  /** False where the agent's own tool did more than replace: it swallowed the line end behind a deletion. */
  readonly literalReplayEqual?: boolean;
  readonly strictReplay?: boolean;
}
interface EditInput {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean;
}

/** What one recorded call comes to with our tools: the files after it, or the refusal. */
async function replay(record: RecordedEdit): Promise<{ readonly files: Files } | { readonly refusal: string }> {
  const before = asFiles(record.before ?? {});
  const contents = Object.entries(before).map(([path, text]) => [`${ROOT}/${path}`, text]);
  const files = new MemoryFiles({ files: Object.fromEntries(contents), tracksSeen: false });
  const context = { cwd: ROOT, files } as unknown as ToolContext;
  for (const input of inputsOf(record)) {
    const tool = 'patch' in input ? createApplyPatchTool() : createEditFileTool();
    const problem = tool.validateInput(input as never, { cwd: ROOT });
    const run = tool.execute;
    const result = problem === null ? await run(context, input as never) : null;
    if (result === null || result.isError) return { refusal: problem ?? JSON.stringify(result?.content) };
  }
  return {
    files: asFiles(Object.fromEntries(Object.entries(files.texts()).map(([path, text]) => [path.slice(ROOT.length + 1), text]))),
  };
}

function inputsOf({ kind, input }: RecordedEdit): readonly object[] {
  if (kind === 'apply_patch') return [{ patch: input.patch }];
  const edits = kind === 'multi' ? (input.edits ?? []) : [input];
  return edits.map(({ old_string, new_string, replace_all }) => ({
    path: `${ROOT}/file.txt`,
    old_string,
    new_string,
    ...(replace_all === undefined ? {} : { replace_all }),
  }));
}

/** The files there are, in order. */
function asFiles(text: string | RecordedFiles): Files {
  const all = Object.entries(typeof text === 'string' ? { 'file.txt': text } : text);
  return Object.fromEntries(
    all.filter((entry): entry is [string, string] => entry[1] !== null).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** Codex gives every file a final line end; here whether there is one stays the file's own matter. */
function differsOnlyAtTheEnd(got: Files, wanted: Files): boolean {
  return Object.entries(wanted).every(([path, text]) => got[path] === text || `${got[path]}\n` === text);
}

const records: readonly RecordedEdit[] = existsSync(RECORDS)
  ? gunzipSync(readFileSync(RECORDS))
      .toString('utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as RecordedEdit)
  : [];

describe.skipIf(records.length === 0)('edits recorded from real sessions (skipped where ../shared/cases is absent)', () => {
  test('those that were applied give what they gave, but for the differences that are by design', async () => {
    const differing: string[] = [];
    let equal = 0;
    for (const record of records.filter(({ outcome }) => outcome === 'applied')) {
      const wanted = asFiles(record.after ?? '');
      const outcome = await replay(record);
      if ('files' in outcome && JSON.stringify(outcome.files) === JSON.stringify(wanted)) equal++;
      else differing.push(`${record.id} ${whyDifferent(record, outcome, wanted)}`);
    }
    expect(differing.filter((line) => line.endsWith('unexplained'))).toEqual([]);
    expect({ equal, byDesign: differing.length }).toEqual({ equal: 1022, byDesign: 18 });
  });

  test('those that failed reach what was meant, or are refused; nothing else is ever written', async () => {
    const counts = { reached: 0, refused: 0, wrong: 0, notToBeJudged: 0 };
    for (const record of records.filter(({ outcome }) => outcome === 'error')) {
      const outcome = record.before === null ? null : await replay(record);
      if (outcome === null) counts.notToBeJudged++;
      else if ('refusal' in outcome) counts.refused++;
      // The person or the agent stopped it, not the text: it says nothing of what was meant.
      else if (record.intendedAfter == null) counts.notToBeJudged++;
      else if (JSON.stringify(outcome.files) === JSON.stringify(asFiles(record.intendedAfter))) counts.reached++;
      else counts.wrong++;
    }
    expect(counts).toEqual({ reached: 75, refused: 56, wrong: 0, notToBeJudged: 59 });
  });
});

function whyDifferent(record: RecordedEdit, outcome: Awaited<ReturnType<typeof replay>>, wanted: Files): string {
  if ('refusal' in outcome)
    return outcome.refusal.includes('are the same') ? 'one of its edits changes nothing, which is refused' : 'unexplained';
  if (record.literalReplayEqual === false) return 'a deletion that swallowed the line end behind it';
  if (record.strictReplay === false) return 'the recording itself could not be replayed strictly';
  return differsOnlyAtTheEnd(outcome.files, wanted) ? 'a final line end that the file did not have' : 'unexplained';
}
