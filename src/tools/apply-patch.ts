import { isAbsolute, resolve } from 'node:path';
import { defineTool } from '../core/define-tool.ts';
import { systemCodeOf } from '../core/errors.ts';
import { shortHash } from '../core/hash.ts';
import type { Change, FileAccess } from '../core/ports.ts';
import type { CallFacts, Tool, ToolContext } from '../core/tool.ts';
import { fail, succeed, type ToolResult } from '../core/tool-result.ts';
import { changeText, decodeText, splitLines } from '../host/text/text-file.ts';
import { findClosestBlock } from './closest-block.ts';
import { failForFile, notRegular } from './file-faults.ts';
import { type FilePatch, parsePatch } from './patch-format.ts';
import { applyHunks } from './patch-hunks.ts';

const DESCRIPTION = `Applies a patch to one or several files, all of it or nothing.
Use it for changes that belong together; for one place in one file EditFile says more when it fails.
The format: *** Begin Patch, then for each file *** Add File: PATH (every line begins with +), *** Update File: PATH (optionally *** Move to: PATH; hunks that begin with @@, lines with a space, - or +) or *** Delete File: PATH, then *** End Patch. @@ may name a line above the hunk, such as a function's head. Hunks of a file stand in its order.
Paths are absolute or relative to the project root. Lines that are kept stay byte for byte. Returns what was done to each file; when a hunk does not fit nothing is changed, and the answer shows the closest place.`;

const INPUT = {
  type: 'object',
  properties: { patch: { type: 'string', description: 'The patch, from *** Begin Patch to *** End Patch.' } },
  required: ['patch'],
  additionalProperties: false,
} as const;

export interface ApplyPatchMetadata {
  readonly files: readonly { readonly path: string; readonly kind: FilePatch['kind'] }[];
}

/** Changes several files at once. */
export function createApplyPatchTool(): Tool<{ readonly patch: string }, ApplyPatchMetadata> {
  return defineTool({
    name: 'ApplyPatch',
    description: DESCRIPTION,
    inputSchema: INPUT,
    category: 'file',
    aliases: { snakeCase: 'apply_patch', keys: { input: 'patch', diff: 'patch' } },
    isReadOnly: false,
    isDestructive: false,
    validateInput: ({ patch }) => patchFault(patch),
    footprint: ({ patch }, { cwd }) => {
      const paths = pathsOf(patch, cwd).map((path) => ({ kind: 'file', path }) as const);
      return { extent: 'listed', reads: paths, writes: paths };
    },
    subject: ({ patch }) => pathsOf(patch, '').join(', '),
    execute: applyPatch,
  });
}

function patchFault(patch: string): string | null {
  if (!patch.isWellFormed()) return '"patch" holds half of a character (a lone surrogate). Send whole characters.';
  const parsed = parsePatch(patch);
  return 'problem' in parsed ? `The patch cannot be read. ${parsed.problem}` : null;
}

function pathsOf(patch: string, cwd: string): string[] {
  const parsed = parsePatch(patch);
  if ('problem' in parsed) return [];
  const paths = parsed.files.flatMap((file) =>
    file.kind === 'update' && file.moveTo !== null ? [file.path, file.moveTo] : [file.path],
  );
  return [...new Set(paths.map((path) => placed(path, cwd)))];
}

function placed(path: string, cwd: string): string {
  return isAbsolute(path) || cwd === '' ? path : resolve(cwd, path);
}

/** A patch that does not fit. Nothing was changed. */
class Refusal extends Error {}

async function applyPatch(
  { files, cwd }: ToolContext,
  { patch }: { readonly patch: string },
): Promise<ToolResult<ApplyPatchMetadata>> {
  const parsed = parsePatch(patch);
  if ('problem' in parsed) return fail(parsed.problem);
  const workspace = new PatchWorkspace(files, { cwd });
  let path = '';
  try {
    for (const file of parsed.files) {
      path = placed(file.path, cwd);
      await workspace.apply(file);
    }
    await files.transact(workspace.changes());
  } catch (thrown) {
    if (thrown instanceof Refusal) return fail(`${thrown.message} No file was changed.`);
    return failForFile(files, path, thrown);
  }
  workspace.noteSeen();
  const done = parsed.files.map((file) => ({ path: placed(file.path, cwd), kind: file.kind }));
  return succeed(parsed.files.map((file) => describe(file, cwd)).join('\n'), { files: done });
}

const VERBS = { add: 'Added', delete: 'Deleted', update: 'Updated' } as const;

function describe(file: FilePatch, cwd: string): string {
  const moved = file.kind === 'update' && file.moveTo !== null ? `, moved to ${placed(file.moveTo, cwd)}` : '';
  return `${VERBS[file.kind]} ${placed(file.path, cwd)}${moved}`;
}

interface Draft {
  readonly original: { readonly bytes: Uint8Array; readonly version: string } | null;
  bytes: Uint8Array | null;
  like?: string;
}

/** The files of a patch as they will be, until all of it has been found to fit. */
class PatchWorkspace {
  readonly #files: FileAccess;
  readonly #facts: CallFacts;
  readonly #drafts = new Map<string, Draft>();

  constructor(files: FileAccess, facts: CallFacts) {
    this.#files = files;
    this.#facts = facts;
  }

  async apply(file: FilePatch): Promise<void> {
    const path = placed(file.path, this.#facts.cwd);
    const draft = await this.#draft(path);
    if (file.kind === 'add') return this.#add(path, draft, file.lines);
    if (draft.bytes === null) throw new Refusal(`${path}: there is no such file to ${file.kind}.`);
    if (file.kind === 'delete') {
      draft.bytes = null;
      return;
    }
    const bytes = await updated(path, draft.bytes, file);
    if (file.moveTo === null) draft.bytes = bytes;
    else await this.#move(path, draft, placed(file.moveTo, this.#facts.cwd), bytes);
  }

  changes(): Change[] {
    return [...this.#drafts].flatMap(([path, { original, bytes, like }]): Change[] => {
      if (original === null && bytes === null) return [];
      return [{ path, bytes, expect: original?.version ?? 'absent', ...(like === undefined ? {} : { like }) }];
    });
  }

  /** The model knows what it has written where it had seen what was there, or where nothing was. */
  noteSeen(): void {
    for (const [path, { original, bytes }] of this.#drafts) {
      const knew = original === null || this.#files.seen(path) === original.version;
      if (bytes !== null && knew) this.#files.noteSeen(path, shortHash(bytes));
    }
  }

  #add(path: string, draft: Draft, lines: readonly string[]): void {
    const isUnseen = draft.original !== null && this.#files.tracksSeen && this.#files.seen(path) !== draft.original.version;
    if (draft.bytes !== null && isUnseen)
      throw new Refusal(`${path} exists and you have not read its present content; read it first, or update it.`);
    draft.bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''), 'utf8');
  }

  async #move(from: string, draft: Draft, to: string, bytes: Uint8Array): Promise<void> {
    const target = await this.#draft(to);
    if (target.bytes !== null && to !== from) throw new Refusal(`${from} cannot move to ${to}: a file stands there.`);
    draft.bytes = null;
    target.bytes = bytes;
    target.like = from;
  }

  async #draft(path: string): Promise<Draft> {
    const known = this.#drafts.get(path);
    if (known !== undefined) return known;
    const bytes = await readOrNull(this.#files, path);
    const draft: Draft = { original: bytes === null ? null : { bytes, version: shortHash(bytes) }, bytes };
    this.#drafts.set(path, draft);
    return draft;
  }
}

async function readOrNull(files: FileAccess, path: string): Promise<Uint8Array | null> {
  try {
    const fault = notRegular(path, await files.stat(path));
    if (fault !== null) throw new Refusal(fault);
    return await files.read(path);
  } catch (thrown) {
    if (systemCodeOf(thrown) === 'ENOENT') return null;
    throw thrown;
  }
}

async function updated(path: string, bytes: Uint8Array, file: Extract<FilePatch, { kind: 'update' }>): Promise<Uint8Array> {
  if (file.hunks.length === 0) return bytes;
  const decoded = await decodeText(bytes);
  if (decoded === null) throw new Refusal(`${path} is a binary file, and a patch changes text only.`);
  const outcome = applyHunks(decoded.text, file.hunks);
  if ('failed' in outcome) {
    throw new Refusal(
      `${path}: hunk ${outcome.failed} does not fit: ${outcome.why}. ${closestWords(decoded.text, outcome.wanted)}`,
    );
  }
  const changed = await changeText(decoded, outcome.changes);
  if ('problem' in changed) throw new Refusal(`${path} cannot be changed so: ${changed.problem}.`);
  return Buffer.concat(changed.pieces);
}

function closestWords(text: string, wanted: readonly string[]): string {
  const lines = splitLines(text);
  const block = findClosestBlock(lines, wanted);
  if (block === null) return 'Nothing in the file is similar; read it again.';
  const shown = lines
    .slice(block.firstLine, block.firstLine + Math.min(block.lineCount, 8))
    .map((line, i) => `${block.firstLine + i + 1}\t${line}`);
  return `The closest place, from line ${block.firstLine + 1} on:\n${shown.join('\n')}\n`;
}
