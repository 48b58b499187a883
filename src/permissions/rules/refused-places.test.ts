import { afterEach, beforeEach, expect, test } from 'vitest';
import { createProject, type TestProject } from '../../../test/agent-harness.ts';
import type { Decision, PermissionMode } from '../../core/permission.ts';
import type { Tool } from '../../core/tool.ts';
import { createAllTools } from '../../tools/builtin.ts';
import { createPolicy } from '../policy.ts';
import { parseRule } from './rules.ts';

let project: TestProject;
beforeEach(() => {
  project = createProject({ 'src/a.ts': 'a', 'd1/a.ts': 'a', 'x.txt': 'x', Makefile: 'all:\n' });
});
afterEach(() => project.remove());

const tools = createAllTools();
const bash = tools.find(({ name }) => name === 'Bash') as Tool;

/** What holds even where permissions are bypassed, and a rule lets all these programs act. */
function decideWith(...rules: readonly string[]): (command: string) => Promise<string> {
  return decideIn('bypassPermissions', rules);
}

function decideIn(
  mode: PermissionMode,
  rules: readonly string[],
  allowed: readonly string[] = [],
): (command: string) => Promise<string> {
  const read = (behavior: Decision) => (text: string) => parseRule(text, { behavior, scope: 'flag', origin: 'a test' }, tools);
  const parsed = [...rules.map(read('deny')), ...allowed.map(read('allow'))];
  const policy = createPolicy({
    mode,
    cwd: project.root,
    home: project.path('home'),
    roots: [project.root],
    readableRoots: [],
    rules: parsed.filter((rule) => 'tool' in rule),
    environment: process.env,
    sandbox: { isAvailable: true },
  });
  return async (command) => `${command}: ${(await policy.judge(bash, { command })).decision}`;
}

async function decisions(decide: (command: string) => Promise<string>, commands: readonly string[]): Promise<string[]> {
  return Promise.all(commands.map(decide));
}

const each = (commands: readonly string[], decision: string): string[] => commands.map((command) => `${command}: ${decision}`);

test('a rule that refuses edits holds for what takes a folder, names the file in a word, or hides it', async () => {
  const decide = decideWith('Edit(src/**)');
  const held = [
    'rm -rf src',
    'mv src s2',
    'touch src/*',
    "sed -i 's/a/b/' src/a.ts",
    'cd src && sed -i s/a/b/ a.ts',
    'find src -delete',
    'find src -exec rm {} +',
    'sort -o src/a.ts x.txt',
    'sort --output=src/a.ts x.txt',
    'uniq x.txt src/a.ts',
    'dd if=x.txt of=src/a.ts',
    'git checkout src/a.ts',
    'git checkout .',
    'tool -osrc/a.ts',
    `tool -c 'x("src/a.ts")'`,
    'sed -i s/a/b/ $FILE',
    'cd $PLACE && sed -i s/a/b/ a.ts',
  ];
  expect((await decisions(decide, held)).filter((line) => line.endsWith('allow'))).toEqual([]);
  const free = ['rm -rf d1', 'mv d1 d2', 'cat src/a.ts', 'make all', 'sed -i s/a/b/ x.txt', 'cat $FILE', 'npm test'];
  expect(await decisions(decide, free)).toEqual(each(free, 'allow'));
});

test('a rule that refuses reads does too', async () => {
  const decide = decideWith('Read(src/**)');
  const held = [
    'head {src,d1}/a.ts',
    'cat $FILE',
    'tar c src',
    'awk 1 src/a.ts',
    'dd if=src/a.ts',
    'grep -r x .',
    'cp -r src out',
    'cat src/a.ts',
  ];
  expect((await decisions(decide, held)).filter((line) => line.endsWith('allow'))).toEqual([]);
  const free = ['ls src', 'cat x.txt', 'make all', 'touch x'];
  expect(await decisions(decide, free)).toEqual(each(free, 'allow'));
});

test('places of the system can be refused', async () => {
  expect(await decideWith('Read(/etc/**)')('cat /etc/hostname')).toBe('cat /etc/hostname: deny');
  expect(await decideWith('Read(src/**)')('cat /etc/hostname')).toBe('cat /etc/hostname: allow');
});

test('an exact rule lets a command pass that may touch such a place, and a beginning does not', async () => {
  const decide = decideIn('default', ['Edit(src/**)'], ['Bash(eslint src)', 'Bash(prettier:*)', 'Bash(rm -r src)']);
  expect(await decide('eslint src')).toBe('eslint src: allow');
  expect(await decide('prettier src')).toBe('prettier src: ask');
  expect(await decide('prettier d1')).toBe('prettier d1: allow');
  expect(await decide('rm -r src')).toBe('rm -r src: ask');
});
