const CLOSE_MS = 1000;

/** A session that cannot be closed in time does not hold up the end. */
export async function closeAll(sessions: readonly { close(): Promise<void> }[]): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, CLOSE_MS));
  await Promise.race([Promise.all(sessions.map((session) => session.close())), late]);
}
