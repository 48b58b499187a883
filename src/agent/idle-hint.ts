/** Passes events on, and calls `onIdle` once for each silence of `afterMs` between them. */
export async function* withIdleHint<T>(events: AsyncIterable<T>, afterMs: number, onIdle: () => void): AsyncGenerator<T> {
  let timer = setTimeout(onIdle, afterMs);
  try {
    for await (const event of events) {
      clearTimeout(timer);
      yield event;
      timer = setTimeout(onIdle, afterMs);
    }
  } finally {
    clearTimeout(timer);
  }
}
