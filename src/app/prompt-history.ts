import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { shortHash } from '../core/hash.ts';
import { systemCodeOf } from '../core/errors.ts';
import type { UserFolders } from './user-folders.ts';

/** What a person typed in a project, over all its sessions. */
export interface PromptHistory {
  /** Oldest first, each text once. */
  load(): Promise<readonly string[]>;
  /** Never fails: what cannot be kept is not worth an error. */
  add(text: string): void;
}

const MAX_KEPT = 1000;
const MAX_CHARS = 20_000;

/** Kept below the user's state, one JSON string a line, readable by the user alone. */
export function openPromptHistory({ state }: UserFolders, cwd: string): PromptHistory {
  const path = join(state, 'history', `${basename(cwd) || 'root'}-${shortHash(cwd)}.jsonl`);
  let last: Promise<unknown> = Promise.resolve();
  const next = (work: () => Promise<unknown>): void => {
    last = last.then(work).catch(() => undefined);
  };
  return {
    load: async () => {
      const texts = await readTexts(path);
      // A text that was typed again stands where it was typed last.
      const once = texts.filter((text, i) => texts.lastIndexOf(text) === i).slice(-MAX_KEPT);
      if (texts.length > 2 * MAX_KEPT) next(() => writeFile(path, once.map(lineOf).join(''), { mode: 0o600 }));
      return once;
    },
    add: (text) => {
      if (text.length > MAX_CHARS) return;
      next(async () => {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await appendFile(path, lineOf(text), { mode: 0o600 });
      });
    },
  };
}

function lineOf(text: string): string {
  return `${JSON.stringify(text)}\n`;
}

async function readTexts(path: string): Promise<readonly string[]> {
  try {
    return (await readFile(path, 'utf8')).split('\n').flatMap(textOfLine);
  } catch (thrown) {
    if (systemCodeOf(thrown) === 'ENOENT') return [];
    throw thrown;
  }
}

/** A torn line is left out. */
function textOfLine(line: string): readonly string[] {
  try {
    const text: unknown = JSON.parse(line);
    return typeof text === 'string' ? [text] : [];
  } catch {
    return [];
  }
}
