/** A Markdown file, and the simple fields that stand between `---` lines at its top. */
export interface FrontMatter {
  readonly fields: ReadonlyMap<string, string>;
  readonly body: string;
}

const FENCED = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?:\r?\n)?---[ \t]*(?:\r?\n|$)([\s\S]*)$/;

/** Reads fields of one line, and those whose text stands indented below them. Lists and other structure are left out. */
export function parseFrontMatter(text: string): FrontMatter {
  const [, head, body] = FENCED.exec(text) ?? [];
  if (head === undefined || body === undefined) return { fields: new Map(), body: text };
  const fields = new Map<string, string>();
  let open: string | null = null;
  for (const line of head.split(/\r?\n/)) {
    const [, key, value = ''] = /^([A-Za-z][\w-]*):[ \t]*(.*)$/.exec(line) ?? [];
    if (key !== undefined) {
      open = /^(?:[>|][+-]?\d*)?$/.test(value.trim()) ? key : null;
      fields.set(key, open === null ? unquoted(value.trim()) : '');
    } else if (open !== null && /^\s+\S/.test(line)) {
      fields.set(open, `${fields.get(open) ?? ''} ${line.trim()}`.trim());
    }
  }
  return { fields, body };
}

function unquoted(value: string): string {
  if (/^"(?:[^"\\]|\\.)*"$/.test(value)) return value.slice(1, -1).replaceAll(/\\(["\\])/g, '$1');
  return /^'(?:[^']|'')*'$/.test(value) ? value.slice(1, -1).replaceAll("''", "'") : value;
}
