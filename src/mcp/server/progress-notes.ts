/** What a progress notification carries besides its token. */
export interface ProgressNote {
  /** Counts up. */
  readonly progress: number;
  readonly message: string;
}

/** Sends one note at a time and of those that come meanwhile only the last, so that a flood waits for its reader. */
export function latestProgress(send: (note: ProgressNote) => Promise<void>): (message: string) => void {
  let count = 0;
  let waiting: string | null = null;
  let isSending = false;
  const sendAll = async (): Promise<void> => {
    isSending = true;
    while (waiting !== null) {
      const message = waiting;
      waiting = null;
      count++;
      // Who cannot be told has gone, and its call is ended by that.
      await send({ progress: count, message }).catch(() => undefined);
    }
    isSending = false;
  };
  return (message) => {
    waiting = message;
    if (!isSending) void sendAll();
  };
}
