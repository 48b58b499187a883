const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type StopSignal = keyof typeof EXIT_CODES;

/** Runs work that a signal aborts; the same signal again leaves at once. `value` is the exit code of the signal, or null where none came. */
export async function interruptible(work: (signal: AbortSignal) => Promise<void>): Promise<{ readonly value: number | null }> {
  const abort = new AbortController();
  let value: number | null = null;
  const stop = (name: StopSignal): void => {
    if (abort.signal.aborted) process.exit(EXIT_CODES[name]);
    value = EXIT_CODES[name];
    abort.abort();
  };
  for (const name of Object.keys(EXIT_CODES)) process.on(name, stop);
  try {
    await work(abort.signal);
  } finally {
    for (const name of Object.keys(EXIT_CODES)) process.off(name, stop);
  }
  return { value };
}
