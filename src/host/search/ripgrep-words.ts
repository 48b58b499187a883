// What rg says between the lines that it prints. Source: grep-printer 0.2 (standard printer, --stats), ripgrep 15.

/** A file with a NUL in which something matches; its path may hold line ends. */
export const BINARY_MESSAGE = /^(\.\/[\s\S]+): binary file matches \(found "\\0" byte around offset \d+\)$/;

/** How many files were searched, by the statistics at the end; null where they did not come. */
export function filesSearchedIn(text: string): number | null {
  const count = /^(\d+) files searched$/m.exec(text)?.[1];
  return count === undefined ? null : Number(count);
}

/** A path as rg was started with `./` in front. */
export function ownPath(printed: string): string {
  return printed.startsWith('./') ? printed.slice(2) : printed;
}

/** The same in bytes: how many of them stand in front. */
export function ownStart(bytes: Buffer, start: number): number {
  return bytes[start] === DOT && bytes[start + 1] === SLASH ? 2 : 0;
}
const DOT = 0x2e;
const SLASH = 0x2f;
