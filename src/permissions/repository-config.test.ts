import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGitProject, type GitProject } from '../../test/git-project.ts';
import { createLocalGit } from '../host/git/git.ts';
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
  expect(first).toMatchObject({ root: project.root, tracked: [project.path('sub/b.txt')] });
  project.git(['config', 'diff.external', '/x.sh']);
  expect(await danger(project.path('sub'))).toContain('diff.external');
  project.git(['config', '--unset', 'diff.external']);
  expect(await danger(project.path('sub'))).toBeNull();
  project.git(['init', '-q'], project.path('sub'));
  expect(await danger(project.path('sub'))).toContain('not the repository of the workspace');
});
