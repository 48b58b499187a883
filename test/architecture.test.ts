import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';
import { describe, expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '..', 'src');

/** What each floor may import: other floors, and packages or node:* modules. */
const FLOORS: Readonly<Record<string, { readonly floors: readonly string[]; readonly packages: readonly (string | RegExp)[] }>> =
  {
    core: { floors: [], packages: ['@cfworker/json-schema'] },
    host: { floors: ['core'], packages: [/^node:/, 'eventsource-parser', 'chardet', 'iconv-lite', 'ignore', 'htmlparser2'] },
    tools: { floors: ['core', 'host'], packages: ['node:path'] },
    providers: { floors: ['core', 'host'], packages: ['node:path', 'node:crypto'] },
    shell: { floors: ['core'], packages: ['node:path', 'unbash'] },
    permissions: { floors: ['core', 'host', 'shell'], packages: [/^node:/] },
    hooks: { floors: ['core', 'host'], packages: ['node:path'] },
    skills: { floors: ['core'], packages: [] },
    sessions: { floors: ['core', 'host'], packages: [/^node:/] },
    mcp: { floors: ['core', 'host'], packages: [/^node:/, /^@modelcontextprotocol\//] },
    backends: { floors: ['core', 'host'], packages: ['node:path', 'node:vm'] },
    calls: { floors: ['core'], packages: [] },
    agent: { floors: ['core', 'calls'], packages: [] },
    conformance: { floors: ['core', 'calls', 'providers'], packages: ['fast-check'] },
    evaluation: { floors: ['core'], packages: ['node:fs', 'node:crypto', 'node:vm'] },
    headless: { floors: ['core'], packages: [] },
    ui: {
      floors: ['core'],
      packages: ['marked', 'marked-cjk-friendly', 'lowlight', /^highlight\.js/, 'diff'],
    },
    app: {
      floors: [
        'core',
        'host',
        'tools',
        'providers',
        'permissions',
        'sessions',
        'hooks',
        'skills',
        'mcp',
        'calls',
        'agent',
        'conformance',
        'evaluation',
        'headless',
        'ui',
      ],
      packages: [/^node:/, 'jsonc-parser'],
    },
    sdk: {
      floors: ['core', 'host', 'tools', 'permissions', 'backends', 'calls', 'agent', 'headless', 'providers', 'app'],
      packages: ['node:path', 'node:crypto'],
    },
    adapters: { floors: ['core', 'mcp', 'sdk'], packages: ['node:stream', '@modelcontextprotocol/server'] },
    cli: {
      floors: ['app', 'ui', 'headless', 'mcp', 'calls', 'conformance', 'evaluation', 'permissions', 'core'],
      packages: [/^node:/, 'commander'],
    },
    'testing.ts': { floors: ['app', 'conformance', 'core'], packages: ['vitest'] },
    'index.ts': {
      floors: ['sdk', 'app', 'agent', 'calls', 'tools', 'providers', 'backends', 'core'],
      packages: [],
    },
  };

/** Of host, tools may use only what is pure. */
const PURE_HOST = ['host/text/text-file.ts'];
const LOADS_A_PERSONS_FILE: ReadonlySet<string> = new Set(['app/conformance/module-tools.ts']);
const MAX_LINES = 400;
const MAX_MEDIAN = 120;
const MAX_P90 = 250;

interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

const sources = sourcesBelow(SRC);

describe('the floors', () => {
  test('imports point down only', () => {
    const wrong = sources.flatMap((file) =>
      file.imports.filter((target) => !isAllowed(file.path, target)).map((target) => `${file.path} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test('there is no cycle, type imports included', () => {
    expect(cycles()).toEqual([]);
  });

  test('a tool does not import a tool, and a wire format does not import a wire format', () => {
    const wrong = sources.flatMap((file) =>
      file.path === 'tools/builtin.ts'
        ? []
        : file.imports.filter((target) => bothDefine(file.path, target)).map((target) => `${file.path} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test('a tool is executed only from calls/', () => {
    const callers = sources
      .filter(({ path, text }) => /\.execute\(/.test(text) && !path.startsWith('calls/'))
      .map(({ path }) => path);
    expect(callers).toEqual([]);
    expect(sources.filter(({ text }) => /\.execute\(/.test(text)).map(({ path }) => path)).toEqual(['calls/execute-call.ts']);
  });
});

describe('the files', () => {
  test('none is long, and most are short', () => {
    const lengths = sources.map(({ text }) => text.split('\n').length).toSorted((a, b) => a - b);
    expect(sources.filter(({ text }) => text.split('\n').length > MAX_LINES).map(({ path }) => path)).toEqual([]);
    expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(MAX_MEDIAN);
    expect(lengths[Math.floor(lengths.length * 0.9)]).toBeLessThanOrEqual(MAX_P90);
  });

  test('no name says nothing', () => {
    expect(sources.map(({ path }) => path).filter((path) => /util|helper|common|misc|shared/i.test(path))).toEqual([]);
  });

  test('process.cwd() and process.exit stand in cli alone, and nothing is exported by default', () => {
    const outside = sources.filter(({ path }) => !path.startsWith('cli/'));
    expect(outside.filter(({ text }) => /process\.(?:cwd\(\)|exit\()|console\./.test(text)).map(({ path }) => path)).toEqual([]);
    expect(sources.filter(({ text }) => /^export default/m.test(text)).map(({ path }) => path)).toEqual([]);
  });
});

function sourcesBelow(folder: string): SourceFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => {
      const text = readFileSync(join(folder, path), 'utf8');
      return { path, text, imports: importsOf(path, text) };
    });
}

function importsOf(path: string, text: string): string[] {
  const { module } = parseSync(path, text);
  const fixed = [
    ...module.staticImports.map((entry) => entry.moduleRequest.value),
    ...module.staticExports.flatMap((entry) => entry.entries.map((item) => item.moduleRequest?.value ?? '')),
  ];
  const lazy = module.dynamicImports
    .map((entry) => text.slice(entry.moduleRequest.start, entry.moduleRequest.end))
    // A file that a person names is none of ours.
    .filter((request) => /^['"`]/.test(request) || !LOADS_A_PERSONS_FILE.has(path))
    .map((request) => request.replaceAll(/['"]/g, ''));
  return [...new Set([...fixed, ...lazy])]
    .filter((target) => target !== '' && !target.endsWith('.json'))
    .map((target) => (target.startsWith('.') ? relative(SRC, resolve(SRC, dirname(path), target)) : target));
}

function isAllowed(from: string, target: string): boolean {
  const floor = FLOORS[floorOf(from)];
  if (floor === undefined) return false;
  const isOurs = sources.some(({ path }) => path === target);
  if (!isOurs) return floor.packages.some((allowed) => (typeof allowed === 'string' ? allowed === target : allowed.test(target)));
  if (floorOf(from) === 'tools' && floorOf(target) === 'host') return PURE_HOST.includes(target);
  return floorOf(from) === floorOf(target) || floor.floors.includes(floorOf(target));
}

function floorOf(path: string): string {
  return path.split('/')[0] ?? '';
}

function bothDefine(from: string, target: string): boolean {
  const isTool = (path: string): boolean =>
    path.startsWith('tools/') && /\bdefineTool\(\{/.test(sources.find((file) => file.path === path)?.text ?? '');
  return (isTool(from) && isTool(target)) || areTwoFormats(formatOf(from), formatOf(target));
}

/** The folder of a wire format. */
function formatOf(path: string): string | null {
  return /^providers\/(anthropic|chat|responses|gemini)\//.exec(path)?.[1] ?? null;
}

function areTwoFormats(from: string | null, target: string | null): boolean {
  return from !== null && target !== null && from !== target;
}

function cycles(): string[] {
  const byPath = new Map(sources.map((file) => [file.path, file]));
  const state = new Map<string, 'open' | 'done'>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (state.get(path) === 'done') return;
    if (state.get(path) === 'open') {
      found.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
      return;
    }
    state.set(path, 'open');
    for (const target of byPath.get(path)?.imports ?? []) if (byPath.has(target)) visit(target, [...trail, path]);
    state.set(path, 'done');
  };
  for (const { path } of sources) visit(path, []);
  return found;
}
