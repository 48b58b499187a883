import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGitProject, type GitProject } from '../../../test/git-project.ts';
import type { PermissionPolicy } from '../../core/policy.ts';
import type { Tool } from '../../core/tool.ts';
import { createAllTools } from '../../tools/builtin.ts';
import { gitContent } from './git-content.ts';
import { createPolicy } from '../policy.ts';

let project: GitProject;
let policy: PermissionPolicy;
beforeEach(() => {
  project = createGitProject({ 'a.txt': 'a', 'src/b.txt': 'b' });
  policy = createPolicy({
    mode: 'default',
    cwd: project.root,
    home: `${project.base}/home`,
    roots: [project.root],
    readableRoots: [],
    rules: [],
    environment: process.env,
    sandbox: { isAvailable: true },
  });
});
afterEach(() => project.remove());

const tools = createAllTools();

async function decide(command: string, name = 'Bash'): Promise<string> {
  const tool = tools.find((one) => one.name === name) as Tool;
  const { decision, parts } = await policy.judge(tool, name === 'Bash' ? { command } : { path: project.path(command) });
  const causes = parts.filter((part) => part.decision === 'ask').map(({ cause }) => cause);
  return causes.length === 0 ? decision : `${decision} ${causes.includes('secret') ? 'secret' : causes[0]}`;
}

async function decideAll(commands: readonly string[]): Promise<readonly string[]> {
  return Promise.all(commands.map(async (command) => `${command}: ${await decide(command)}`));
}

const each = (commands: readonly string[], decision: string): string[] => commands.map((command) => `${command}: ${decision}`);

describe('a secret that is tracked', () => {
  beforeEach(() => {
    project.write('.env', 'KEY=1');
    project.git(['add', '-f', '.env']);
    project.git(['commit', '-q', '-m', 'secret']);
  });

  test('is shown from every folder of the repository', async () => {
    const commands = [
      'git show HEAD',
      'cd src && git show HEAD',
      'git -C src log -p',
      'cd src && git diff HEAD~1',
      'git status -v',
    ];
    expect(await decideAll(commands)).toEqual(each(commands, 'ask secret'));
  });

  test('is not shown by what shows names', async () => {
    const commands = ['git status --short', 'git log --oneline -5', 'git branch', 'git ls-files', 'git log --stat'];
    expect(await decideAll(commands)).toEqual(each(commands, 'allow'));
  });

  test('and is gone since, is shown by what shows old commits', async () => {
    project.git(['rm', '-q', '--cached', '.env']);
    project.git(['commit', '-q', '-m', 'gone']);
    const past = [
      'git log -p',
      'git show HEAD~1',
      'git show HEAD',
      'git grep KEY HEAD~1',
      'git diff HEAD~1',
      'cd src && git log -p',
    ];
    expect(await decideAll(past)).toEqual(each(past, 'ask secret'));
    const present = ['git diff', 'git grep KEY', 'git log --oneline', 'git status'];
    expect(await decideAll(present)).toEqual(each(present, 'allow'));
  });
});

test('without secrets in it the past of a repository is read', async () => {
  const commands = ['git log -p', 'git show HEAD', 'git diff HEAD', 'git log -p -- src'];
  expect(await decideAll(commands)).toEqual(each(commands, 'allow'));
});

test('where there is no repository, git diff reads the folders that it is given', async () => {
  project.write('x/.env', 'KEY=1');
  project.write('y/a.txt', '');
  rmSync(project.path('.git'), { recursive: true });
  const commands = ['git diff x y', 'git diff --stat x y', 'git diff ./x y/../y'];
  expect(await decideAll(commands)).toEqual(each(commands, 'ask secret'));
  expect(await decide('git status')).toBe('allow');
});

describe('the configuration of git', () => {
  const shows = ['cat .git/config', 'git config --list', 'git remote -v', 'grep -r url .', 'head -5 .git/config'];

  test.each([
    ['remote.origin.url', 'https://me:s3cret@example.org/a.git'],
    ['remote.origin.url', 'https://ghp_0123456789abcdefghij@example.org/a.git'],
    ['http.https://example.org/.extraheader', 'Authorization: Basic eDp5'],
    ['url.https://me:s3cret@example.org/.insteadOf', 'https://example.org/'],
  ])('is secret where a token is in it: %s %s', async (key, value) => {
    project.git(['config', key, value]);
    expect(await decideAll(shows)).toEqual(each(shows, 'ask secret'));
    expect(await decide('.git/config', 'ReadFile')).toBe('ask secret');
    expect(await decide('git status')).toBe('allow');
  });

  test('is none otherwise', async () => {
    project.git(['config', 'remote.origin.url', 'https://me@example.org/a.git']);
    expect(await decideAll(shows)).toEqual(each(shows, 'allow'));
    expect(await decide('.git/config', 'ReadFile')).toBe('allow');
  });
});

test('a search that would meet a secret is led to the tool that leaves it out', async () => {
  writeFileSync(project.path('.env'), 'KEY=1');
  const because = async (command: string) =>
    (await policy.judge(tools.find(({ name }) => name === 'Bash') as Tool, { command })).because;
  expect(await because('grep -r KEY .')).toContain('; the Grep tool leaves such files out');
  expect(await because('cat .*')).not.toContain('Grep');
});

test('a secret that was committed and reset away in the middle of a session is seen', async () => {
  expect(await decide('git show HEAD')).toBe('allow');
  project.write('.env', 'KEY=1');
  project.git(['add', '-f', '.env']);
  project.git(['commit', '-q', '-m', 'secret']);
  project.git(['reset', '-q', '--hard', 'HEAD~1']);
  const commands = ['git show ORIG_HEAD', 'git show HEAD@{1}', 'git log -p -g'];
  expect(await decideAll(commands)).toEqual(each(commands, 'ask secret'));
});

test('a past that cannot be looked through asks, and is looked at again the next time', async () => {
  project.write('.env', 'KEY=1');
  project.git(['add', '-f', '.env']);
  project.git(['commit', '-q', '-m', 'secret']);
  project.git(['rm', '-q', '.env']);
  project.git(['commit', '-q', '-m', 'gone']);
  const tree = project.git(['rev-parse', 'HEAD~1^{tree}']).trim();
  const object = project.path(`.git/objects/${tree.slice(0, 2)}/${tree.slice(2)}`);
  renameSync(object, `${object}.away`);
  const show = { command: 'git show HEAD' };
  const bash = tools.find(({ name }) => name === 'Bash') as Tool;
  const { because, offers } = await policy.judge(bash, show);
  expect(because).toContain('the past of the repository is too long');
  expect(offers.map(({ specifier }) => specifier)).toEqual(['git show HEAD', 'git show:*']);
  renameSync(`${object}.away`, object);
  expect(await decide('git show HEAD')).toBe('ask secret');
});

test('a repository without commits has no past', async () => {
  rmSync(project.path('.git'), { recursive: true });
  project.git(['init', '-q']);
  expect(await decide('git show HEAD')).toBe('allow');
});

test('what git shows is told by its words; what is not known shows all', () => {
  const content = (command: string) =>
    gitContent({
      text: command,
      words: command.split(' ').map((word) => (word === '?' ? null : word)),
      effect: 'reads',
      because: '',
      beyondPrefix: null,
      beyondRules: null,
      reads: [],
      writes: [],
      needsNetwork: false,
      runsProjectCode: false,
      gitFolder: '/ws',
    });
  expect(['git log', 'git log --oneline -n5', 'git rev-parse HEAD', 'git status -sb'].map(content)).toEqual([
    'names',
    'names',
    'names',
    'names',
  ]);
  expect(['git diff', 'git diff -- x', 'git grep x', 'git blame', 'git status -v'].map(content)).toEqual([
    'files',
    'files',
    'files',
    'files',
    'files',
  ]);
  const all = [
    'git log -p',
    'git log ?',
    'git log -U3',
    'git show',
    'git ?',
    'git diff a b',
    'git grep x HEAD',
    'git blame x',
    'git',
  ];
  expect(all.map(content)).toEqual(all.map(() => 'history'));
});

describe('a secret that no name leads to', () => {
  const blob = (content: string): string => {
    project.write('.env', content);
    project.git(['add', '-f', '.env']);
    const id = project.git(['rev-parse', ':.env']).trim();
    project.git(['rm', '-q', '-f', '--cached', '.env']);
    rmSync(project.path('.env'));
    return id;
  };

  test('was staged and never committed: its id asks, as does whatever shows all objects', async () => {
    const id = blob('KEY=1');
    const commands = [
      `git show ${id}`,
      `git cat-file -p ${id.slice(0, 8)}`,
      `git diff HEAD ${id}`,
      'git cat-file --batch-all-objects --batch',
      'git cat-file --batch-all --batch',
      'for i in $(git fsck --lost-found); do git show $i; done',
    ];
    for (const command of commands) expect(await decide(command), command).toMatch(/^ask/);
  });

  test('came in with a merge alone', async () => {
    project.git(['checkout', '-q', '-b', 'other']);
    project.write('c.txt', 'c');
    project.git(['add', 'c.txt']);
    project.git(['commit', '-q', '-m', 'c']);
    project.git(['checkout', '-q', '-']);
    project.git(['merge', '-q', '--no-ff', '--no-commit', 'other']);
    project.write('.env', 'KEY=1');
    project.git(['add', '-f', '.env']);
    project.git(['commit', '-q', '-m', 'merge']);
    project.git(['rm', '-q', '.env']);
    project.git(['commit', '-q', '-m', 'gone']);
    expect(await decide('git log -p')).toBe('ask secret');
  });

  test('stands in a repository within, where a command goes into it', async () => {
    project.write('mod/.env', 'KEY=1');
    project.git(['init', '-q', 'mod']);
    project.git(['-C', 'mod', 'add', '-f', '.env']);
    project.git(['-C', 'mod', 'commit', '-q', '-m', 'x']);
    project.git(['add', 'mod']);
    for (const command of ['git grep --recurse-submodules KEY', 'git grep --recu KEY', 'git diff --submodule=diff'])
      expect(await decide(command), command).toMatch(/^ask/);
  });

  test('commits by their ids are shown as ever', async () => {
    const id = project.git(['rev-parse', 'HEAD']).trim();
    const commands = [`git show ${id}`, `git diff ${id.slice(0, 7)}..HEAD`, `git cat-file -p ${id}`];
    expect(await decideAll(commands)).toEqual(each(commands, 'allow'));
  });
});
