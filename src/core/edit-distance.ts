/** Levenshtein distance, one row at a time; null where it is more than `max`. */
export function editDistance(max: number, a: string, b: string): number | null {
  if (Math.abs(a.length - b.length) > max) return null;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
    }
    row = next;
  }
  const distance = row[b.length] ?? 0;
  return distance <= max ? distance : null;
}
