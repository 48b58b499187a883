/** Deeper than any schema, input or result, and far from where a walk over it runs out of stack. */
export const MAX_JSON_DEPTH = 200;

/** True where a value that came as JSON is nested deeper than anyone should walk it. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_JSON_DEPTH) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}
