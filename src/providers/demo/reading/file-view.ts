/** What a ReadFile answer shows of a file. Line numbers are 1-based; `total` counts the lines of the whole file as far as the answer tells. */
export interface FileView {
  readonly lines: readonly string[];
  readonly firstLine: number;
  readonly total: number;
  readonly isWhole: boolean;
}

/** Reads `N<TAB>text` lines and the note that says how many lines remain. */
export function parseFileView(text: string): FileView {
  const lines: string[] = [];
  const notes: string[] = [];
  let firstLine = 1;
  for (const row of text.split('\n')) {
    const numbered = /^\s*(\d+)\t(.*)$/s.exec(row);
    if (numbered === null) {
      notes.push(row);
      continue;
    }
    if (lines.length === 0) firstLine = Number(numbered[1]);
    lines.push(numbered[2] ?? '');
  }
  const lastLine = lines.length === 0 ? 0 : firstLine + lines.length - 1;
  const remaining = remainingIn(notes.join('\n'));
  return { lines, firstLine, total: lastLine + remaining, isWhole: firstLine === 1 && remaining === 0 };
}

/** A line of the file, or an empty one where the view does not show it. */
export function lineAt(view: FileView, line: number): string {
  return view.lines[line - view.firstLine] ?? '';
}

/** Lines as a numbered block. */
export function numberedLines(view: FileView, from: number, to: number): string {
  const shown: string[] = [];
  for (let line = Math.max(from, view.firstLine); line <= to && line - view.firstLine < view.lines.length; line++) {
    shown.push(`${String(line).padStart(String(to).length)}  ${lineAt(view, line)}`);
  }
  return shown.join('\n');
}

function remainingIn(notes: string): number {
  const more =
    /(\d[\d,]*)\s+(?:more|further|remaining)\s+lines?/i.exec(notes) ?? /(\d[\d,]*)\s+lines?\s+(?:more|remain|left)/i.exec(notes);
  if (more?.[1] !== undefined) return Number(more[1].replaceAll(',', ''));
  return /\boffset\b/i.test(notes) ? 1 : 0;
}
