/** Asks a terminal for its background. Source: xterm control sequences, Operating System Commands, 11. */
export const ASK_BACKGROUND = '\u001b]11;?\u0007';

/** Whether a terminal's answer tells of a dark background or a light one; null for what is no such answer. */
export function backgroundOf(report: string): 'dark' | 'light' | null {
  // oxlint-disable-next-line no-control-regex -- a report begins with escape
  const colour = /^\u001b\]11;(?:rgba?:)?([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})/i.exec(report)?.slice(1);
  const parts = colour?.map((part) => Number.parseInt(part, 16) / (16 ** part.length - 1));
  if (parts === undefined) return null;
  const [red = 0, green = 0, blue = 0] = parts;
  // How bright the eye finds it. Source: ITU-R BT.709, luma coefficients
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.5 ? 'dark' : 'light';
}
