import type { IBufferCell, Terminal } from '@xterm/headless';

// The colours of the page; the rest of a terminal's 256 follow from their numbers.
const BACKGROUND = '#1e1e24';
const FOREGROUND = '#d8d8dc';
const PALETTE =
  '#3a3a44 #e06c75 #98c379 #e5c07b #61afef #c678dd #56b6c2 #d8d8dc #7f7f8c #ef8a92 #b1dc92 #f2d299 #83c3f7 #d99aeb #7bcdd7 #ffffff'.split(
    ' ',
  );
const STEPS = [0, 95, 135, 175, 215, 255];

/** The rows of a terminal from `first` on as a page: each character in its own cell, wide ones in two. */
export function screenPage(
  { buffer, cols }: Terminal,
  { first, rows }: { readonly first: number; readonly rows: number },
): string {
  const shown = Array.from({ length: rows }, (_, row) => rowOf(buffer.active.getLine(first + row), cols));
  return `<!doctype html><meta charset="utf-8"><style>
body{margin:0;background:${BACKGROUND}}
main{display:inline-block;padding:12px 16px;background:${BACKGROUND};color:${FOREGROUND};font:13px/19px "DejaVu Sans Mono","WenQuanYi Zen Hei Mono",monospace}
div{height:19px;white-space:pre}
i{display:inline-block;width:1ch;height:19px;font-style:normal;overflow:visible;vertical-align:top}
i.w{width:2ch}
</style><main>${shown.join('')}</main>`;
}

function rowOf(line: ReturnType<Terminal['buffer']['active']['getLine']>, columns: number): string {
  const cells: string[] = [];
  for (let at = 0; at < columns; at++) {
    const cell = line?.getCell(at);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const text = cell.getChars() || ' ';
    cells.push(`<i${cell.getWidth() === 2 ? ' class="w"' : ''} style="${styleOf(cell)}">${escaped(text)}</i>`);
  }
  return `<div>${cells.join('')}</div>`;
}

function styleOf(cell: IBufferCell): string {
  const front = cell.isFgDefault() ? FOREGROUND : colourOf(cell.getFgColor(), cell.isFgRGB());
  const back = cell.isBgDefault() ? null : colourOf(cell.getBgColor(), cell.isBgRGB());
  const [color, background] = cell.isInverse() ? [back ?? BACKGROUND, front] : [front, back];
  return [
    `color:${color}`,
    ...(background === null ? [] : [`background:${background}`]),
    ...(cell.isBold() ? ['font-weight:bold'] : []),
    ...(cell.isDim() ? ['opacity:.6'] : []),
    ...(cell.isItalic() ? ['font-style:italic'] : []),
    ...(cell.isUnderline() ? ['text-decoration:underline'] : []),
  ].join(';');
}

/** Source: xterm, the 256 colours: 16 of the palette, a cube of six steps a side, then greys. */
function colourOf(number: number, isRgb: boolean): string {
  if (isRgb) return `#${number.toString(16).padStart(6, '0')}`;
  if (number < 16) return PALETTE[number] ?? FOREGROUND;
  if (number >= 232)
    return `rgb(${Array(3)
      .fill(8 + 10 * (number - 232))
      .join(',')})`;
  const at = number - 16;
  return `rgb(${[Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map((step) => STEPS[step] ?? 0).join(',')})`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
