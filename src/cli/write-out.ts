/** Writes to stdout and waits until the reader took it; a reader that has gone is no error. */
export function writeOut(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(text, () => resolve());
  });
}
