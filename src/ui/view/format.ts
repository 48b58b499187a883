/** `18 ms`, `4.2 s`, `2 m 03 s`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} m ${String(seconds % 60).padStart(2, '0')} s`;
}

/** Whole seconds, for what still counts. */
export function formatElapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} m ${String(seconds % 60).padStart(2, '0')} s`;
}

/** `940`, `8.1k`, `1.2M`. */
export function formatCount(count: number): string {
  if (count < 1000) return String(count);
  return count < 1_000_000 ? `${(count / 1000).toFixed(count < 100_000 ? 1 : 0)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

/** `$0.02`; small sums with more places, so that they are not nothing. */
export function formatCost(dollars: number): string {
  return `$${dollars.toFixed(dollars !== 0 && dollars < 0.01 ? 4 : 2)}`;
}

/** A path as it is known in this folder. */
export function relativeTo(cwd: string, path: string): string {
  if (path === cwd) return '.';
  return path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
}
