import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGitProject, type GitProject } from '../../../test/git-project.ts';
import { createLocalGit } from '../../host/git/git.ts';
import { gitDanger } from './repository-config.ts';
import { RepositoryLooks } from './repository-looks.ts';

let project: GitProject;
let looks: RepositoryLooks;
beforeEach(() => {
  project = createGitProject({ 'a.txt': 'a', 'sub/b.txt': 'b' });
  looks = new RepositoryLooks(createLocalGit({ environment: process.env, workspace: project.root }));
});
afterEach(() => project.remove());

const danger = (folder = project.root, runsNoHooks = true, roots: readonly string[] = [project.root]) =>
  looks.at(folder).then((look) => gitDanger(look, { roots, runsNoHooks }));

test('a plain repository may be looked at, from a folder in it too', async () => {
  expect(await danger()).toBeNull();
  expect(await danger(project.path('sub'))).toBeNull();
  expect(await danger(project.root, true, [project.path('sub')])).toBeNull();
  expect(await danger(project.base)).toBeNull();
});

test.each([
  ['core.fsmonitor', '/x.sh'],
  ['diff.external', '/x.sh'],
  ['diff.images.textconv', '/x.sh'],
  ['filter.a.b.clean', '/x.sh'],
  ['filter.lfs.process', '/x.sh'],
  ['core.pager', '/x.sh'],
  ['core.sshCommand', '/x.sh'],
  ['alias.st', '!/x.sh'],
  ['credential.helper', '/x.sh'],
  ['credential.https://a.b.helper', '/x.sh'],
  ['gpg.program', '/x.sh'],
  ['gpg.ssh.program', '/x.sh'],
  ['merge.ours.driver', '/x.sh'],
  ['submodule.a.update', '!/x.sh'],
  ['remote.origin.url', 'ext::/x.sh'],
])('%s is named', (key, value) => {
  const look = {
    root: '/ws',
    settings: [
      { key: 'core.bare', value: 'false' },
      { key, value },
    ],
    tracked: [],
    inner: [],
    holdsToken: false,
  };
  expect(gitDanger(look, { roots: ['/ws'], runsNoHooks: true })).toBe(
    `the configuration of the repository can run a program: ${key}`,
  );
});

test('what is included and what a work tree has of its own is looked at', async () => {
  writeFileSync(project.path('more'), '[diff]\n\texternal = /x.sh\n');
  project.git(['config', 'include.path', '../more']);
  expect(await danger()).toContain('diff.external');
  project.git(['config', '--unset', 'include.path']);
  project.git(['config', 'extensions.worktreeConfig', 'true']);
  project.git(['config', '--worktree', 'core.fsmonitor', '/x.sh']);
  expect(await danger()).toContain('core.fsmonitor');
});

test("hooks elsewhere matter to what changes something, and git's own watcher to nothing", async () => {
  project.git(['config', 'core.hooksPath', '/hooks']);
  project.git(['config', 'core.fsmonitor', 'true']);
  expect(await danger()).toBeNull();
  expect(await danger(project.root, false)).toContain('core.hookspath');
});

test('another repository is none of the workspace: nested, bare, or with its work tree elsewhere', async () => {
  mkdirSync(project.path('nested'));
  project.git(['init', '-q'], project.path('nested'));
  expect(await danger(project.path('nested'))).toContain('not the repository of the workspace');
  mkdirSync(project.path('bare'));
  project.git(['init', '-q', '--bare'], project.path('bare'));
  expect(await danger(project.path('bare'))).toContain('(bare)');
  project.git(['config', 'core.worktree', project.base]);
  expect(await danger()).toContain('(redirected)');
});

test('what was seen is kept until something there changes', async () => {
  const first = await looks.at(project.path('sub'));
  expect(await looks.at(project.path('sub'))).toBe(first);
  expect(first).toMatchObject({ root: project.root, tracked: [project.path('a.txt'), project.path('sub/b.txt')] });
  project.git(['config', 'diff.external', '/x.sh']);
  expect(await danger(project.path('sub'))).toContain('diff.external');
  project.git(['config', '--unset', 'diff.external']);
  expect(await danger(project.path('sub'))).toBeNull();
  project.git(['init', '-q'], project.path('sub'));
  expect(await danger(project.path('sub'))).toContain('not the repository of the workspace');
});

describe('a repository that stands in this one', () => {
  beforeEach(() => {
    mkdirSync(project.path('nested'));
    project.git(['init', '-q'], project.path('nested'));
    writeFileSync(project.path('nested/x'), 'x');
    project.git(['add', 'x'], project.path('nested'));
    project.git(['commit', '-q', '-m', 'x'], project.path('nested'));
    project.git(['add', 'nested']);
  });

  test('is looked at too, however often the outer one was', async () => {
    expect(await danger()).toBeNull();
    project.git(['config', 'core.fsmonitor', project.canary('watch')], project.path('nested'));
    expect(await danger()).toContain(`${project.path('nested')}, which git looks into, can run a program: core.fsmonitor`);
    expect(await danger(project.path('sub'))).toContain('core.fsmonitor');
    // This is what it is about.
    project.git(['status']);
    expect(project.ran(['watch'])).toEqual(['watch']);
  });

  test('and those in that', async () => {
    const deep = project.path('nested/deep');
    mkdirSync(deep);
    project.git(['init', '-q'], deep);
    writeFileSync(`${deep}/y`, 'y');
    project.git(['add', 'y'], deep);
    project.git(['commit', '-q', '-m', 'y'], deep);
    project.git(['add', 'deep'], project.path('nested'));
    expect(await danger()).toBeNull();
    project.git(['config', 'filter.a.clean', '/x.sh'], deep);
    expect(await danger()).toContain('filter.a.clean');
  });

  test('a submodule is such, by its configuration among those of the outer one', async () => {
    writeFileSync(project.path('.gitmodules'), '[submodule "nested"]\n\tpath = nested\n\turl = ./nested\n');
    project.git(['submodule', 'absorbgitdirs', 'nested']);
    expect(await danger()).toBeNull();
    project.git(['config', '-f', '.git/modules/nested/config', 'core.fsmonitor', '/x.sh']);
    expect(await danger()).toContain('core.fsmonitor');
  });

  test('one that is not there is none', async () => {
    rmSync(project.path('nested'), { recursive: true });
    expect(await danger()).toBeNull();
  });
});
