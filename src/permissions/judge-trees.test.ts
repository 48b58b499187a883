import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PermissionMode } from '../core/permission.ts';
import type { Tool } from '../core/tool.ts';
import { createAllTools } from '../tools/builtin.ts';
import { createPolicy } from './policy.ts';

let base: string;
let root: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'wield-trees-')));
  root = join(base, 'ws');
  mkdirSync(root);
  write('plain/src/a.txt');
  write('a.txt');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function write(name: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), '');
}

const tools = createAllTools();

/** Of the parts that ask, the reasons; none where it passes. */
async function asks(command: string, mode: PermissionMode = 'acceptEdits', toolName = 'Bash'): Promise<readonly string[]> {
  const policy = createPolicy({
    mode,
    cwd: root,
    home: join(base, 'home'),
    roots: [root],
    readableRoots: [],
    rules: [],
    environment: process.env,
    sandbox: { isAvailable: true },
  });
  const tool = tools.find(({ name }) => name === toolName) as Tool;
  const { parts } = await policy.judge(tool, toolName === 'Bash' ? { command } : { patch: command });
  return parts.filter(({ decision }) => decision === 'ask').map(({ because }) => because.replaceAll(root, '.'));
}

async function decide(commands: readonly string[], mode: PermissionMode = 'acceptEdits'): Promise<readonly string[]> {
  return Promise.all(commands.map(async (command) => `${command}: ${(await asks(command, mode)).length > 0 ? 'ask' : 'allow'}`));
}

const each = (commands: readonly string[], decision: string): string[] => commands.map((command) => `${command}: ${decision}`);

test.each(['.github/workflows/x.yml', '.vscode/tasks.json', '.envrc', 'deep/AGENTS.md', '.husky/pre-commit', '.git/config'])(
  'a tree that holds %s asks wherever it is copied or moved to, though edits are accepted',
  async (name) => {
    write(`n/${name}`);
    mkdirSync(join(root, 'there'));
    const commands = [
      'cp -r n sub',
      'cp -r n there',
      'cp -rT n sub',
      'cp -R n/. there',
      'cp -r ./n/ sub',
      'mv n sub',
      'cp -r plain n sub',
    ];
    expect(await decide(commands)).toEqual(each(commands, 'ask'));
    const harmless = ['cp -r plain sub', 'cp -r plain there', 'cp -r plain/. sub', 'mv plain sub', 'cp a.txt there'];
    expect(await decide(harmless)).toEqual(each(harmless, 'allow'));
  },
);

test('what a tree brings is told by both of its names, once', async () => {
  write('n/.vscode/tasks.json');
  expect(await asks('cp -r n sub')).toEqual([
    'it brings ./n/.vscode as ./sub/.vscode: .vscode governs tools that run later',
    'it brings ./n/.vscode as ./sub/n/.vscode: .vscode governs tools that run later',
  ]);
  write('m/.x');
  expect(await asks('cp -r m plain .github')).toEqual(['it may bring .github/workflows, which governs tools that run later']);
});

test('links and what git, rsync, install and unzip move asks too, also where permissions are bypassed', async () => {
  write('n/.vscode/tasks.json');
  const commands = [
    'cp -r n sub',
    'mv n sub',
    'git mv n sub',
    'git mv a.txt .envrc',
    'rsync -a n/ sub',
    'rsync -a a.txt .envrc',
    'ln -s n sub',
    'install a.txt .envrc',
    'unzip x.zip',
    'unzip -o x.zip -d n',
    'tar xf x.tar',
  ];
  expect(await decide(commands, 'bypassPermissions')).toEqual(each(commands, 'ask'));
  const harmless = ['git mv plain sub', 'rsync -a plain/ sub', 'unzip x.zip -d plain', 'unzip -l x.zip', 'rsync -a plain host:x'];
  expect(await decide(harmless, 'bypassPermissions')).toEqual(each(harmless, 'allow'));
});

test('a copy that would write through a link that stands in its way asks', async () => {
  writeFileSync(join(base, 'outside.txt'), 'kept');
  mkdirSync(join(root, 'sub/src'), { recursive: true });
  symlinkSync(join(base, 'outside.txt'), join(root, 'sub/src/a.txt'));
  // The control: it does write there.
  execFileSync('cp', ['-r', 'plain/src', 'sub'], { cwd: root });
  expect(readFileSync(join(base, 'outside.txt'), 'utf8')).toBe('');
  expect(await asks('cp -r plain/src sub')).toEqual(['its link ./sub/src/a.txt leads to what is not to be written']);
  expect(await asks('cp -r plain/src other')).toEqual([]);
});

test('a tree that is too large to be looked through asks', async () => {
  mkdirSync(join(root, 'big'));
  for (let i = 0; i <= 5000; i++) writeFileSync(join(root, `big/${i}`), '');
  expect(await asks('cp -r plain big')).toEqual(['it holds too many files to look through them all']);
  const brought = ['./big holds too many files to look through them all'];
  const read = 'there is too much below it to tell whether it holds secrets';
  expect(await asks('cp -r big sub')).toEqual([read, ...brought, ...brought]);
  expect(await asks('rsync -a big/ sub', 'bypassPermissions')).toEqual([...brought, ...brought]);
  expect((await asks('mv big sub')).length).toBeGreaterThan(0);
});

test('a patch that moves a file to where tools are governed asks', async () => {
  const moved = (to: string): string => `*** Begin Patch\n*** Update File: a.txt\n*** Move to: ${to}\n*** End Patch`;
  expect(await asks(moved('sub/.vscode/tasks.json'), 'acceptEdits', 'ApplyPatch')).toEqual([
    '.vscode governs tools that run later',
  ]);
  expect(await asks(moved('sub/b.txt'), 'acceptEdits', 'ApplyPatch')).toEqual([]);
  expect(existsSync(join(root, 'sub'))).toBe(false);
});
