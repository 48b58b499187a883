import { appendFileSync, chmodSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGitProject, type GitProject, runGitTool, type ToolAnswer } from '../../test/git-project.ts';
import { createGitDiffTool } from './git-diff.ts';
import { createGitStatusTool } from './git-status.ts';

// Each way to run a program through a repository, as met in the wild. What plain git falls for is checked too, or the test could not fail.

let project: GitProject;
beforeEach(() => {
  project = createGitProject({ 'a.txt': 'one\n', 'b.txt': 'same\n' });
});
afterEach(() => project.remove());

/** Contents and times change, so that git must look into both files. */
function change(folder = project.root): void {
  writeFileSync(join(folder, 'a.txt'), 'two\n');
  const yesterday = new Date(Date.now() - 86_400_000);
  utimesSync(join(folder, 'b.txt'), yesterday, yesterday);
}

function plainGit(folder = project.root): void {
  for (const args of [['status'], ['diff']]) {
    try {
      project.git(args, folder);
    } catch {
      // A program that was run may well have spoilt it.
    }
  }
}

async function bothTools(cwd = project.root): Promise<ToolAnswer[]> {
  const status = await runGitTool(createGitStatusTool(), {}, { cwd });
  const diff = await runGitTool(createGitDiffTool(), {}, { cwd });
  const staged = await runGitTool(createGitDiffTool(), { staged: true }, { cwd });
  const base = await runGitTool(createGitDiffTool(), { base: 'HEAD', path: join(cwd, 'a.txt') }, { cwd });
  return [status, diff, staged, base];
}

function attributes(line: string): void {
  project.write('.gitattributes', `${line}\n`);
  project.git(['add', '.gitattributes']);
  project.git(['commit', '-q', '-m', 'attributes']);
}

function hook(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'post-index-change'), `#!/bin/sh\n${project.canary('canary')} </dev/null\n`);
  chmodSync(join(folder, 'post-index-change'), 0o755);
}

/** A remote that git would fetch a missing object from. */
function promise(settings: Readonly<Record<string, string>>): void {
  const blob = project.git(['rev-parse', 'HEAD:a.txt']).trim();
  rmSync(project.path(`.git/objects/${blob.slice(0, 2)}/${blob.slice(2)}`));
  const all = {
    'core.repositoryFormatVersion': '1',
    'extensions.partialClone': 'origin',
    'remote.origin.promisor': 'true',
    ...settings,
  };
  for (const [key, value] of Object.entries(all)) project.git(['config', key, value]);
}

const config = (key: string, value: string): void => void project.git(['config', key, value]);

const ATTACKS: Readonly<Record<string, { readonly arm: (script: string) => void; readonly isMetByPlainGit: boolean }>> = {
  'core.fsmonitor': { arm: (script) => config('core.fsmonitor', script), isMetByPlainGit: true },
  'diff.external': { arm: (script) => config('diff.external', script), isMetByPlainGit: true },
  'a textconv': {
    arm: (script) => {
      config('diff.x.textconv', script);
      attributes('*.txt diff=x');
    },
    isMetByPlainGit: true,
  },
  'a diff driver': {
    arm: (script) => {
      config('diff.x.command', script);
      attributes('*.txt diff=x');
    },
    isMetByPlainGit: true,
  },
  'a clean filter': {
    arm: (script) => {
      attributes('*.txt filter=x');
      config('filter.x.clean', script);
    },
    isMetByPlainGit: true,
  },
  'a filter process that is required': {
    arm: (script) => {
      attributes('*.txt filter=x');
      config('filter.x.process', script);
      config('filter.x.required', 'true');
    },
    isMetByPlainGit: true,
  },
  'a filter with odd letters in its name': {
    arm: (script) => {
      attributes('*.txt filter=X.y.clean');
      config('filter.X.y.clean.clean', script);
    },
    isMetByPlainGit: true,
  },
  'a filter that attributes outside of the tree choose': {
    arm: (script) => {
      writeFileSync(join(project.base, 'attributes'), '*.txt filter=x\n');
      config('core.attributesFile', join(project.base, 'attributes'));
      config('filter.x.clean', script);
    },
    isMetByPlainGit: true,
  },
  'a filter in an included file': {
    arm: (script) => {
      attributes('*.txt filter=x');
      writeFileSync(project.path('.git/more'), `[filter "x"]\n\tclean = ${script}\n`);
      config('include.path', 'more');
    },
    isMetByPlainGit: true,
  },
  'a filter in a file that is included on a condition': {
    arm: (script) => {
      attributes('*.txt filter=x');
      writeFileSync(project.path('.git/more'), `[filter "x"]\n\tclean = ${script}\n`);
      config('includeIf.onbranch:main.path', 'more');
    },
    isMetByPlainGit: true,
  },
  'a filter in the configuration of the work tree': {
    arm: (script) => {
      attributes('*.txt filter=x');
      config('extensions.worktreeConfig', 'true');
      project.git(['config', '--worktree', 'filter.x.clean', script]);
    },
    isMetByPlainGit: true,
  },
  'a hook': { arm: () => hook(project.path('.git/hooks')), isMetByPlainGit: true },
  'core.hooksPath': {
    arm: () => {
      hook(join(project.base, 'hooks'));
      config('core.hooksPath', join(project.base, 'hooks'));
    },
    isMetByPlainGit: true,
  },
  'an object that is fetched by a program': {
    arm: (script) => promise({ 'remote.origin.url': project.base, 'remote.origin.uploadpack': script }),
    isMetByPlainGit: true,
  },
  'an object that is fetched through ext::': {
    arm: (script) =>
      promise({ 'remote.origin.url': `ext::${script}`, 'protocol.ext.allow': 'always', 'protocol.allow': 'always' }),
    isMetByPlainGit: true,
  },
  'an object that is fetched through ssh': {
    arm: (script) => promise({ 'remote.origin.url': 'ssh://example.org/x', 'core.sshCommand': script }),
    isMetByPlainGit: true,
  },
  pagers: {
    arm: (script) => {
      for (const key of ['core.pager', 'pager.status', 'pager.diff', 'pager.config', 'core.editor', 'core.askPass'])
        config(key, script);
    },
    isMetByPlainGit: false,
  },
  aliases: {
    arm: (script) => {
      for (const name of ['status', 'diff', 'ls-files', 'rev-parse', 'config']) config(`alias.${name}`, `!${script}`);
    },
    isMetByPlainGit: false,
  },
};

test.each(Object.entries(ATTACKS))('%s runs nothing', async (name, { arm, isMetByPlainGit }) => {
  arm(project.canary('canary'));
  change();
  if (isMetByPlainGit) {
    plainGit();
    expect(project.ran(['canary'])).toEqual(['canary']);
    rmSync(join(project.base, 'canary.ran'));
    change();
  }
  const answers = await bothTools();
  expect(project.ran(['canary'])).toEqual([]);
  // Without the object there is no diff to show; everything else is answered as if nothing were configured.
  expect(answers.map(({ isError }) => isError)).toEqual(
    name.startsWith('an object') ? [false, true, false, true] : [false, false, false, false],
  );
});

test.each(['a=b', 'ü\xff'])('a filter that cannot be switched off is refused: %s', async (name) => {
  attributes(`*.txt filter=${name === 'a=b' ? name : 'x'}`);
  const bytes = Buffer.from(`[filter "${name}"]\n\tclean = ${project.canary('canary')}\n`, name === 'a=b' ? 'utf8' : 'latin1');
  appendFileSync(project.path('.git/config'), bytes);
  change();
  const [status, diff] = await bothTools();
  expect(project.ran(['canary'])).toEqual([]);
  expect([status?.isError, diff?.isError]).toEqual([true, true]);
  expect(status?.text).toBe(
    `git cannot open the repository of ${project.root}: its configuration has filters that cannot be switched off`,
  );
});

test('files that only a filter makes equal are said to look modified', async () => {
  attributes('*.txt filter=x');
  config('filter.x.clean', 'tr a-z A-Z');
  project.write('a.txt', 'TWO\n');
  project.git(['add', 'a.txt']);
  const [status, diff] = await bothTools();
  const note = 'No filter is run here (x), so these may only look modified:';
  change();
  const [later] = await bothTools();
  expect(status?.text).not.toContain(note);
  expect(diff?.text).toContain(`${note} a.txt.`);
  expect(later?.text).toContain(`${note} a.txt.`);
});

test('what a submodule configures runs nothing either, and its changes are seen', async () => {
  const inner = createGitProject({ 'a.txt': 'one\n', 'b.txt': 'same\n', '.gitattributes': '*.txt filter=x\n' });
  try {
    project.git(['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'sub']);
    project.git(['commit', '-q', '-m', 'submodule']);
    const script = project.canary('canary');
    project.git(['config', 'filter.x.clean', script], project.path('sub'));
    project.git(['config', 'core.fsmonitor', script], project.path('sub'));
    config('diff.submodule', 'diff');
    config('status.submoduleSummary', 'true');
    change(project.path('sub'));
    plainGit();
    expect(project.ran(['canary'])).toEqual(['canary']);
    rmSync(join(project.base, 'canary.ran'));
    change(project.path('sub'));
    const [status, diff] = await bothTools();
    expect(project.ran(['canary'])).toEqual([]);
    expect(status?.text).toContain('Not staged (1):\n  submodule, 1 changed file in it: sub');
    expect(diff?.text).toContain('\n  submodule, 1 changed file in it: sub');
    project.git(['submodule', '--quiet', 'deinit', '--force', 'sub']);
    project.write('a.txt', 'two\n');
    const [absent] = await bothTools();
    expect(absent?.text).toContain('Not staged (1):\n  modified: a.txt');
    expect(absent?.text).not.toContain('submodule');
  } finally {
    inner.remove();
  }
});

test('a bare repository that came with the files is not used', async () => {
  const bare = project.path('fixtures/x.git');
  project.git(['init', '-q', '--bare', bare]);
  project.git(['config', 'core.bare', 'false'], bare);
  project.git(['config', 'core.worktree', project.root], bare);
  project.git(['config', 'core.fsmonitor', project.canary('canary')], bare);
  plainGit(bare);
  expect(project.ran(['canary'])).toEqual(['canary']);
  rmSync(join(project.base, 'canary.ran'));
  const answers = await bothTools(bare);
  expect(project.ran(['canary'])).toEqual([]);
  expect(new Set(answers.map(({ text }) => text.replace(`${bare}/a.txt`, bare)))).toEqual(
    new Set([
      `${bare} lies in a bare repository or in a .git folder, where no files are checked out. Work in a folder that has them.`,
    ]),
  );
});

test('a configuration cannot make another folder the work tree', async () => {
  const secret = join(project.base, 'secret.txt');
  writeFileSync(secret, 'secret');
  config('core.worktree', project.base);
  const answers = await bothTools();
  expect(answers.map(({ isError }) => isError)).toEqual([true, true, true, true]);
  expect(answers[0]?.text).toBe(
    `The configuration of this repository (core.worktree) says that its files are in ${project.base}, not beside .git, so it was not looked at. Tell the person.`,
  );
});

test('the GIT_ variables of whoever started wield lead nowhere', async () => {
  change();
  const script = project.canary('canary');
  const environment = {
    PATH: process.env['PATH'],
    GIT_DIR: '/nowhere',
    GIT_WORK_TREE: '/nowhere',
    GIT_INDEX_FILE: '/nowhere',
    GIT_EXTERNAL_DIFF: script,
    GIT_PAGER: script,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.fsmonitor',
    GIT_CONFIG_VALUE_0: script,
    GIT_CONFIG_PARAMETERS: `'core.fsmonitor=${script}'`,
    GIT_TRACE: '1',
  };
  const status = await runGitTool(createGitStatusTool(), {}, { cwd: project.root, environment });
  const diff = await runGitTool(createGitDiffTool(), {}, { cwd: project.root, environment });
  expect(project.ran(['canary'])).toEqual([]);
  expect(status.text).toContain('Not staged (1):\n  modified: a.txt');
  expect(diff.text).toContain('-one\n+two');
});
