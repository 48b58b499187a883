import xterm, { type Terminal as Xterm } from '@xterm/headless';

/** A terminal that remembers all that it was sent. */
export interface Screen {
  readonly terminal: Xterm;
  write(bytes: string): Promise<void>;
  /** Every line from the top of the scrollback, broken ones joined, without blanks at the end. */
  lines(): readonly string[];
  /** The rows that are seen. */
  rows(): readonly string[];
  /** The cell of the cursor. */
  cursor(): { readonly row: number; readonly column: number };
}

export function createScreen({
  columns,
  rows,
  reflowCursorLine = false,
}: {
  readonly columns: number;
  readonly rows: number;
  readonly reflowCursorLine?: boolean;
}): Screen {
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 100_000, allowProposedApi: true, reflowCursorLine });
  const buffer = () => terminal.buffer.active;
  return {
    terminal,
    write: (bytes) => new Promise((resolve) => terminal.write(bytes, resolve)),
    lines: () => {
      const lines: string[] = [];
      for (let i = 0; i < buffer().length; i++) {
        const line = buffer().getLine(i);
        const text = line?.translateToString(true) ?? '';
        if (line?.isWrapped === true) lines.push((lines.pop() ?? '') + text);
        else lines.push(text);
      }
      return lines;
    },
    rows: () =>
      Array.from(
        { length: terminal.rows },
        (_, i) =>
          buffer()
            .getLine(buffer().baseY + i)
            ?.translateToString(true) ?? '',
      ),
    cursor: () => ({ row: buffer().cursorY, column: buffer().cursorX }),
  };
}
