import { symlinkSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createProject, type TestProject } from '../../test/agent-harness.ts';
import { findBelow } from './find-below.ts';

let project: TestProject;
beforeEach(() => {
  project = createProject({ 'a/.env': '', 'a/b/.env': '', 'a/.git/.env': '', 'a/node_modules/x/.env': '', 'c/d': '' });
});
afterEach(() => project.remove());

const isSecret = (path: string): boolean => path.endsWith('/.env');

test('what is wanted is found, the nearest first; what is not of the project is not looked at, and links are not followed', async () => {
  symlinkSync(project.path('c'), project.path('a/link'));
  const links: string[] = [];
  const look = await findBelow(project.path('a'), (path, isLink) => {
    if (isLink) links.push(path);
    return isSecret(path);
  });
  expect(look).toEqual({ found: [project.path('a/.env'), project.path('a/b/.env')], isWhole: true });
  expect(links).toEqual([project.path('a/link')]);
});

test('a folder that was asked for is looked at whatever its name, and a file holds nothing', async () => {
  expect((await findBelow(project.path('a/node_modules'), isSecret)).found).toEqual([project.path('a/node_modules/x/.env')]);
  expect(await findBelow(project.path('c/d'), isSecret)).toEqual({ found: [], isWhole: true });
});

test('too much is said to be too much', async () => {
  expect(await findBelow(project.root, () => false, { maxEntries: 3 })).toEqual({ found: [], isWhole: false });
});

test('where links are followed, so they are here: out of skipped folders and in circles', async () => {
  symlinkSync('../../..', project.path('a/node_modules/x/up'));
  symlinkSync('../../c', project.path('a/node_modules/x/c'));
  symlinkSync('../a/b', project.path('c/far'));
  const look = await findBelow(project.path('c'), isSecret, { followsLinks: true });
  expect(look).toEqual({ found: [project.path('a/b/.env')], isWhole: true });
  const { found } = await findBelow(project.path('a'), isSecret, { followsLinks: true });
  expect(found).toContain(project.path('a/node_modules/x/.env'));
});
