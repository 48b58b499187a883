/** A thing that a file declares: a function, class, constant, or a heading of a text. */
export interface Declaration {
  readonly kind: 'function' | 'class' | 'type' | 'constant' | 'heading';
  readonly name: string;
  readonly line: number;
  readonly isExported: boolean;
}

/** What a file imports and declares, as far as its lines tell. */
export interface Outline {
  readonly imports: readonly string[];
  readonly declarations: readonly Declaration[];
}

/** Reads the outline of a file line by line, by the language that its name tells. */
export function outlineOf(path: string, lines: readonly string[], firstLine = 1): Outline {
  const language = languageOfFile(path);
  if (language === null) return { imports: [], declarations: [] };
  const imports = new Set<string>();
  const declarations: Declaration[] = [];
  lines.forEach((text, index) => {
    const source = language.imports.map((form) => form.exec(text)?.[1]).find((name) => name !== undefined);
    if (source !== undefined) imports.add(source);
    const declared = declarationIn(text, language);
    if (declared !== null) declarations.push({ ...declared, line: index + firstLine });
  });
  return { imports: [...imports], declarations };
}

interface LanguageForms {
  readonly files: RegExp;
  readonly imports: readonly RegExp[];
  readonly declared: readonly (readonly [Declaration['kind'], RegExp])[];
  readonly exported: RegExp;
}

const LANGUAGES: readonly LanguageForms[] = [
  {
    files: /\.[mc]?[jt]sx?$|\.(?:vue|svelte)$/,
    imports: [
      /^\s*(?:import|export)\b.*?\bfrom\s+['"]([^'"]+)['"]/,
      /^\s*\}\s*from\s+['"]([^'"]+)['"]/,
      /^\s*import\s+['"]([^'"]+)['"]/,
      /\brequire\(\s*['"]([^'"]+)['"]\s*\)/,
    ],
    declared: [
      ['function', /^(?:export\s+)?(?:default\s+)?(?:async\s+)?function\s*\*?\s*([\w$]+)/],
      [
        'function',
        /^(?:export\s+)?(?:const|let|var)\s+([\w$]+)\s*(?::[^=]+)?=\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*(?::[^=]+)?=>|[\w$]+\s*=>)/,
      ],
      ['class', /^(?:export\s+)?(?:default\s+)?(?:abstract\s+)?class\s+([\w$]+)/],
      ['type', /^(?:export\s+)?(?:declare\s+)?(?:interface|type|enum)\s+([\w$]+)/],
      ['constant', /^(?:export\s+)?(?:const|let|var)\s+([\w$]+)/],
      ['function', /^(?:module\.)?exports\.([\w$]+)\s*=/],
    ],
    exported: /^export\b/,
  },
  {
    files: /\.pyi?$/,
    imports: [/^\s*from\s+([\w.]+)\s+import\b/, /^\s*import\s+([\w.]+)/],
    declared: [
      ['function', /^(?:async\s+)?def\s+(\w+)/],
      ['class', /^class\s+(\w+)/],
      ['constant', /^([A-Z][A-Z0-9_]+)\s*(?::[^=]+)?=/],
    ],
    exported: /^(?!.*\b_)/,
  },
  {
    files: /\.rs$/,
    imports: [/^\s*(?:pub\s+)?use\s+([\w:]+)/],
    declared: [
      ['function', /^(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?(?:unsafe\s+)?fn\s+(\w+)/],
      ['class', /^(?:pub(?:\([^)]*\))?\s+)?struct\s+(\w+)/],
      ['type', /^(?:pub(?:\([^)]*\))?\s+)?(?:enum|trait|type)\s+(\w+)/],
      ['constant', /^(?:pub(?:\([^)]*\))?\s+)?(?:const|static)\s+(\w+)/],
    ],
    exported: /^pub\b/,
  },
  {
    files: /\.go$/,
    imports: [/^import\s+(?:\w+\s+)?"([^"]+)"/, /^\t(?:\w+\s+)?"([\w./-]+)"$/],
    declared: [
      ['function', /^func\s+(?:\([^)]*\)\s*)?(\w+)/],
      ['type', /^type\s+(\w+)/],
      ['constant', /^(?:const|var)\s+(\w+)/],
    ],
    exported: /^(?:func\s+(?:\([^)]*\)\s*)?|type\s+|const\s+|var\s+)[A-Z]/,
  },
  {
    files: /\.(?:java|kt|cs|swift|scala|php|rb|c|h|cc|cpp|hpp)$/,
    imports: [
      /^\s*(?:import|using|use|require|include|require_relative)\s+['"<]?([\w./:\\]+)/,
      /^\s*#include\s+[<"]([^>"]+)[>"]/,
    ],
    declared: [
      [
        'class',
        /^\s*(?:(?:public|private|protected|final|abstract|static|open|data|sealed)\s+)*(?:class|struct|object|module)\s+(\w+)/,
      ],
      ['type', /^\s*(?:(?:public|private|protected)\s+)*(?:interface|enum|protocol|trait)\s+(\w+)/],
      [
        'function',
        /^\s*(?:(?:public|private|protected|static|final|override|async|virtual|inline|suspend|open)\s+)*(?:func|fun|def|function|fn)\s+([\w.]+)/,
      ],
      [
        'function',
        /^(?:\s{0,4}(?:public|private|protected|static)\b[\w<>[\],\s*]*?|[A-Za-z_][\w\s*]*?[\s*])(\w+)\([^;]*\)\s*(?:\{|throws\b.*)?$/,
      ],
    ],
    exported: /\bpublic\b/,
  },
  {
    files: /\.(?:md|mdx|markdown|rst|adoc)$|readme$/i,
    imports: [],
    declared: [['heading', /^#{1,4}\s+(.+?)\s*#*$/]],
    exported: /(?!)/,
  },
  {
    files: /\.(?:sh|bash|zsh)$/,
    imports: [/^\s*(?:source|\.)\s+(\S+)/],
    declared: [['function', /^\s*(?:function\s+)?(\w+)\s*\(\)/]],
    exported: /(?!)/,
  },
  { files: /makefile$|\.mk$/i, imports: [/^include\s+(\S+)/], declared: [['function', /^([\w.-]+)\s*:(?!=)/]], exported: /(?!)/ },
  {
    files: /\.(?:html?|xhtml)$/,
    imports: [/<script[^>]*\bsrc=["']([^"']+)/, /<link[^>]*\bhref=["']([^"']+)/],
    declared: [['heading', /<(?:title|h[1-3])[^>]*>([^<]+)/]],
    exported: /(?!)/,
  },
];

function languageOfFile(path: string): LanguageForms | null {
  return LANGUAGES.find((language) => language.files.test(path)) ?? null;
}

function declarationIn(text: string, language: LanguageForms): Omit<Declaration, 'line'> | null {
  for (const [kind, form] of language.declared) {
    const name = form.exec(text)?.[1];
    if (name !== undefined && !/^(?:if|for|while|switch|return|catch|else)$/.test(name))
      return { kind, name, isExported: language.exported.test(text) };
  }
  return null;
}
