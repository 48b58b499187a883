/** Milliseconds of a clock that nobody sets, for spans. The global `performance` would load a module of Node for it. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
