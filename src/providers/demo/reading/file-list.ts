/** What a Glob answer lists. `total` counts the files that were left out as well, as far as the answer tells. */
export interface FileList {
  readonly files: readonly string[];
  readonly total: number;
  readonly notes: readonly string[];
}

/** Reads a Glob answer: paths one a line, between a header and notes in prose. */
export function parseFileList(text: string): FileList {
  const files: string[] = [];
  const notes: string[] = [];
  let hasEnded = false;
  for (const row of text.split('\n')) {
    if (row.trim() === '') hasEnded ||= files.length > 0;
    else if (!hasEnded && !isStatement(row)) files.push(row.trim().replace(/^\.\//, ''));
    else notes.push(row);
  }
  return { files, total: files.length + leftOutOf(notes), notes };
}

// A path may hold spaces; a statement ends like a sentence or is in brackets.
function isStatement(row: string): boolean {
  return (
    /^\s*[[(]/.test(row) || /[:.)\]]\s*$/.test(row) || /^no (?:file|match)/i.test(row) || /^\d+ (?:of \d+ )?files?\b/i.test(row)
  );
}

function leftOutOf(notes: readonly string[]): number {
  const words = notes.join('\n');
  const more =
    /(\d[\d,]*)\s+(?:more|further|others?)\b/i.exec(words) ??
    /(\d[\d,]*)\s+(?:files?\s+)?(?:over the limit|not shown)/i.exec(words);
  return more?.[1] === undefined ? 0 : Number(more[1].replaceAll(',', ''));
}
