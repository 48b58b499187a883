import { type Entry, unquoted } from './entry.ts';

/** The values of `key = value` texts: TOML, INI, .env, properties. Sections are keys; a list over several lines is one value. */
export function iniEntries(lines: readonly string[]): readonly Entry[] {
  const entries: Entry[] = [];
  let section: readonly string[] = [];
  lines.forEach((text, index) => {
    const header = /^\s*\[+\s*([^\]]+?)\s*\]+/.exec(text);
    if (header !== null) {
      section = (header[1] ?? '').split('.').map((part) => unquoted(part.trim()));
      entries.push({ keys: section, value: '', raw: '', line: index + 1, isContainer: true, size: 0 });
      return;
    }
    const pair = /^\s*(?:export\s+)?(["']?[\w.$@/ -]*?\w["']?)\s*[=:]\s*(.*)$/.exec(text);
    if (pair === null || /^\s*[#;]/.test(text)) return;
    const raw = rawValue(pair[2] ?? '');
    const keys = unquoted(pair[1] ?? '').split('.');
    const shown = raw === '[' ? listFrom(lines, index + 1) : unquoted(raw);
    entries.push({ keys: [...section, ...keys], value: shown, raw, line: index + 1, isContainer: false, size: 0 });
  });
  return entries.map((entry) => (entry.isContainer ? withChildren(entry, entries) : entry));
}

function rawValue(text: string): string {
  const value = text.trim();
  return /^(["']).*?\1(?=\s*(?:[#;].*)?$)/.exec(value)?.[0] ?? value.replace(/\s+[#;].*$/, '');
}

function listFrom(lines: readonly string[], start: number): string {
  const end = lines.findIndex((text, index) => index >= start && /^\s*\]/.test(text));
  return lines
    .slice(start, end === -1 ? start : end)
    .map((text) => unquoted(text.trim().replace(/,$/, '')))
    .join(', ');
}

function withChildren(section: Entry, entries: readonly Entry[]): Entry {
  const below = entries.filter(
    (other) => other.keys.length === section.keys.length + 1 && section.keys.every((key, at) => other.keys[at] === key),
  );
  return { ...section, value: below.map((child) => child.keys.at(-1)).join(', '), size: below.length };
}
