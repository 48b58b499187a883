import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createProject, type TestProject } from '../../test/agent-harness.ts';
import { createTrustStore, trustRoot } from './trust.ts';

let project: TestProject;
beforeEach(() => {
  project = createProject({ 'repo/.git/HEAD': '', 'repo/sub/a.txt': '', 'repo/inner/.git/HEAD': '', 'plain/a.txt': '' });
});
afterEach(() => project.remove());

test('trust holds for a repository, and not for one inside of it or beside it', async () => {
  const store = createTrustStore(project.path('config/trusted.json'));
  await store.trust(project.path('repo/sub'));
  expect(await store.isTrusted(project.path('repo'))).toBe(true);
  expect(await store.isTrusted(project.path('repo/sub'))).toBe(true);
  expect(await store.isTrusted(project.path('repo/inner'))).toBe(false);
  expect(await store.isTrusted(project.path('plain'))).toBe(false);
  expect(trustRoot(project.path('plain'))).toBe(project.path('plain'));
});

test('a list that is not ours trusts nothing and says so', async () => {
  const path = project.path('trusted.json');
  writeFileSync(path, '[broken');
  await expect(createTrustStore(path).isTrusted(project.root)).rejects.toMatchObject({ code: 'config_unreadable' });
  mkdirSync(project.path('folder.json'));
  await expect(createTrustStore(project.path('folder.json')).isTrusted(project.root)).rejects.toMatchObject({
    code: 'config_unreadable',
  });
});

test('a list that cannot be written is said in words', async () => {
  const store = createTrustStore(project.path('plain/a.txt/trusted.json'));
  await expect(store.trust(project.root)).rejects.toMatchObject({ code: 'config_unreadable' });
});
