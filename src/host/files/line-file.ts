import { closeSync, fstatSync, openSync, readFileSync, writeSync } from 'node:fs';

/** An append-only file of one JSON value a line, mode 0600. Each line is with the system when `append` returns. */
export interface LineFile {
  /** Errors: of the system. */
  append(line: object): void;
  close(): void;
}

/** Opens it to append to; it is made where there is none. Errors: of the system. */
export function openLineFile(path: string): LineFile {
  const file = openSync(path, 'a', 0o600);
  if (!fstatSync(file).isFile()) {
    closeSync(file);
    throw new Error('it is not a regular file');
  }
  return {
    append: (line) => {
      const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    },
    close: () => closeSync(file),
  };
}

/** The lines of a file, parsed; null stands for what is no JSON. Empty lines are left out. Errors: of the system. */
export function readLineFile(path: string): readonly { readonly line: number; readonly value: unknown }[] {
  // Split at LF alone: U+2028 and the like are data.
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((text, i) => (text.trim() === '' ? [] : [{ line: i + 1, value: parsed(text) }]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
