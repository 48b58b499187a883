import { type Entry, unquoted } from './entry.ts';

/** The values of a YAML text, by indentation. Flow style and block scalars are taken as they stand on their line. */
export function yamlEntries(lines: readonly string[]): readonly Entry[] {
  const entries: Entry[] = [];
  const open: Level[] = [];
  const counts = new Map<string, number>();
  lines.forEach((text, index) => {
    for (const node of nodesOf(text)) {
      while ((open.at(-1)?.indent ?? -1) >= node.indent) open.pop();
      const above = open.map((level) => level.key);
      const key = node.isItem ? String(nextItem(counts, above)) : node.key;
      open.push({ indent: node.indent, key });
      if (node.raw === null && node.isItem) continue;
      const raw = node.raw ?? '';
      entries.push({ keys: [...above, key], value: unquoted(raw), raw, line: index + 1, isContainer: raw === '', size: 0 });
    }
  });
  return withChildren(entries);
}

interface Level {
  readonly indent: number;
  readonly key: string;
}

interface Node {
  readonly indent: number;
  readonly key: string;
  readonly raw: string | null;
  readonly isItem: boolean;
}

const KEY_VALUE = /^(\s*)(["']?)([^\s:#"'{[][^:#"']*?)\2\s*:(?:\s+(.*))?$/;

// A line `- name: db` opens an item and, deeper, its first key.
function nodesOf(text: string): readonly Node[] {
  const item = /^(\s*)-(?:\s+(.*))?$/.exec(text);
  if (item !== null) {
    const indent = item[1]?.length ?? 0;
    const rest = item[2] ?? '';
    const inner = KEY_VALUE.test(rest) ? nodesOf(' '.repeat(indent + 2) + rest) : [];
    return [{ indent, key: '', raw: inner.length > 0 || rest === '' ? null : valueOf(rest), isItem: true }, ...inner];
  }
  const pair = KEY_VALUE.exec(text);
  if (pair === null) return [];
  return [{ indent: pair[1]?.length ?? 0, key: pair[3] ?? '', raw: valueOf(pair[4] ?? ''), isItem: false }];
}

function valueOf(text: string): string {
  const value = text.trim();
  return /^(["']).*?\1(?=\s*(?:#.*)?$)/.exec(value)?.[0] ?? value.replace(/\s+#.*$/, '').replace(/^#.*$/, '');
}

function nextItem(counts: Map<string, number>, above: readonly string[]): number {
  const place = above.join('\n');
  const next = counts.get(place) ?? 0;
  counts.set(place, next + 1);
  return next;
}

function withChildren(entries: readonly Entry[]): readonly Entry[] {
  return entries.map((entry) => {
    if (!entry.isContainer) return entry;
    const below = entries.filter(
      (other) => other.keys.length === entry.keys.length + 1 && entry.keys.every((key, at) => other.keys[at] === key),
    );
    const shown = below.map((child) => (/^\d+$/.test(child.keys.at(-1) ?? '') ? child.value : (child.keys.at(-1) ?? '')));
    return { ...entry, value: shown.join(', '), size: below.length };
  });
}
