const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGQUIT: 131 } as const;
type StopSignal = keyof typeof EXIT_CODES;

const STOP_SIGNALS = Object.keys(EXIT_CODES) as StopSignal[];

/** Runs work that a signal aborts; a second one leaves at once, and what runs is ended with the program. `value` is the exit code of the signal, or null where none came. */
export async function interruptible(work: (signal: AbortSignal) => Promise<void>): Promise<{ readonly value: number | null }> {
  const abort = new AbortController();
  let value: number | null = null;
  const release = onSignals(STOP_SIGNALS, (exitCode) => {
    if (abort.signal.aborted) process.exit(exitCode);
    value = exitCode;
    abort.abort();
  });
  try {
    await work(abort.signal);
  } finally {
    release();
  }
  return { value };
}

/** Calls the listener when the terminal is closed or the program is told to end; a terminal's own Ctrl-C is not among these. Returns how to stop listening. */
export function onTermination(listener: (exitCode: number) => void): () => void {
  return onSignals(['SIGTERM', 'SIGHUP', 'SIGQUIT'], listener);
}

function onSignals(names: readonly StopSignal[], listener: (exitCode: number) => void): () => void {
  const handlers = names.map((name) => ({ name, handle: () => listener(EXIT_CODES[name]) }));
  for (const { name, handle } of handlers) process.on(name, handle);
  return () => {
    for (const { name, handle } of handlers) process.off(name, handle);
  };
}
