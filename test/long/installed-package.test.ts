import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'wield-package-'));
const app = join(folder, 'app');
const platform = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

const run = (file: string, args: readonly string[], cwd: string): string =>
  execFileSync(file, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
const install = (cwd: string, ...packages: string[]): string =>
  run('npm', ['install', '--no-audit', '--no-fund', '--silent', ...packages], cwd);

beforeAll(() => {
  run('npm', ['run', '--silent', 'build'], root);
  run('npm', ['pack', '--silent', '--pack-destination', folder], root);
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), '{ "name": "app", "private": true, "type": "module" }');
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  const { devDependencies: pinned } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  const beside = ['typescript', '@types/node', '@modelcontextprotocol/server'].map((name) => `${name}@${pinned[name]}`);
  install(app, join(folder, tarball), ...beside);
  cpSync(join(root, 'test/package/use.ts'), join(app, 'use.ts'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('its types hold in a strict program that checks those of libraries too', () => {
  const compilerOptions = {
    target: 'es2024',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    skipLibCheck: false,
    lib: ['es2024', 'esnext.disposable'],
    types: ['node'],
    outDir: 'out',
  };
  writeFileSync(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['use.ts'] }));
  expect(run('node_modules/.bin/tsc', ['-p', '.'], app)).toBe('');
});

describe.each(['22', '24', '26'])('on Node %s', (version) => {
  let node: string;
  beforeAll(() => {
    const own = join(folder, `node-${version}`);
    mkdirSync(own);
    writeFileSync(join(own, 'package.json'), '{ "private": true }');
    install(own, `${platform}@${version}`);
    node = join(own, 'node_modules', platform, 'bin/node');
    expect(run(node, ['--version'], app)).toMatch(new RegExp(`^v${version}\\.`));
  });

  test('each sub-path is imported, an agent runs on memory, and tools on this machine', () => {
    const rooms = ['adapters', 'backends', 'mcp', 'permissions', 'providers', 'sessions', 'tools'];
    expect(JSON.parse(run(node, ['out/use.js'], app))).toEqual({
      text: 'Port 5433.',
      read: { type: 'text', text: expect.stringContaining('use.ts:1: // What a user of the package writes') },
      names: rooms.map((room) => `${room} true`),
    });
  });

  test('the command runs', () => {
    const command = join(app, 'node_modules/wield/bin/wield.js');
    expect(run(node, [command, '--version'], app)).toMatch(/^\d+\.\d+\.\d+\n$/);
    const input = JSON.stringify({ pattern: 'shout', ignore_case: true, glob: 'use.ts' });
    expect(run(node, [command, 'tool', 'run', 'Grep', '--input', input], app)).toContain('use.ts:');
  });
});
