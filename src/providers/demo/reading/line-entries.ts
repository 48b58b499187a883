import { type Entry, unquoted } from './entry.ts';

/** The values that lines of code or prose tell: `const port = 80;`, `Port: 80`, `| port | 80 |`. */
export function lineEntries(lines: readonly string[]): readonly Entry[] {
  return lines.flatMap((text, index) => entryOf(text, index + 1));
}

const NAME = '(?<key>[\\p{L}_$][\\p{L}\\p{N}_$. -]{0,40}?)';
const FORMS = [
  new RegExp(
    `^\\s*(?:(?:export|default|public|private|protected|static|final|const|let|var|val|readonly|pub|mut|local|my|define|#define)\\s+)*${NAME}\\s*(?::\\s*[\\w<>[\\]|.]+\\s*)?(?:=|:=)\\s*(?<raw>[^=>].*?)[;,]?\\s*(?:(?://|#).*)?$`,
    'u',
  ),
  new RegExp(
    `^\\s*(?:[-*+]\\s+)?["'\`]?(?:\\*\\*|__|\`)?${NAME}(?:\\*\\*|__|\`)?["']?\\s*(?::|：)(?:\\*\\*|__)?\\s*(?<raw>\\S.*?)[;,]?\\s*$`,
    'u',
  ),
  new RegExp(`^\\s*\\|\\s*\`?${NAME}\`?\\s*\\|\\s*\`?(?<raw>[^|\`-][^|\`]*?)\`?\\s*\\|`, 'u'),
  new RegExp(`^\\s*#define\\s+${NAME}\\s+(?<raw>\\S.*)$`, 'u'),
];

function entryOf(text: string, line: number): readonly Entry[] {
  for (const form of FORMS) {
    const found = form.exec(text)?.groups;
    if (found === undefined) continue;
    const raw = (found['raw'] ?? '').trim();
    return [{ keys: [(found['key'] ?? '').trim()], value: unquoted(raw), raw, line, isContainer: false, size: 0 }];
  }
  return [];
}
