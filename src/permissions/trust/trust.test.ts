import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProject, type TestProject } from '../../../test/agent-harness.ts';
import { createTrustStore, type TrustStore, trustRoot } from './trust.ts';

let project: TestProject;
let store: TrustStore;
beforeEach(() => {
  project = createProject({ 'repo/.git/HEAD': '', 'repo/sub/a.txt': '', 'repo/inner/.git/HEAD': '', 'plain/a.txt': '' });
  store = createTrustStore(project.path('config/trusted.json'));
});
afterEach(() => project.remove());

function write(path: string, text: string): void {
  mkdirSync(project.path(path).replace(/\/[^/]*$/, ''), { recursive: true });
  writeFileSync(project.path(path), text);
}

test('trust holds for a repository, and not for one inside of it or beside it', async () => {
  await store.trust(project.path('repo/sub'));
  expect(await store.check(project.path('repo'))).toBe('trusted');
  expect(await store.check(project.path('repo/sub'))).toBe('trusted');
  expect(await store.check(project.path('repo/inner'))).toBe('unknown');
  expect(await store.check(project.path('plain'))).toBe('unknown');
  expect(trustRoot(project.path('plain'))).toBe(project.path('plain'));
});

describe('configuration that can run something', () => {
  test.each([
    'repo/.wield/settings.json',
    'repo/.wield/settings.local.json',
    'repo/.mcp.json',
    'repo/.wield/commands/deep/x.md',
    'repo/.wield/hooks/check.sh',
    'repo/sub/.wield/settings.json',
  ])('asks again when %s comes, changes or goes, and not when it is as it was', async (path) => {
    const folder = project.path('repo/sub');
    await store.trust(folder);
    write(path, 'one');
    expect(await store.check(folder)).toBe('changed');
    await store.trust(folder);
    expect(await store.check(folder)).toBe('trusted');
    write(path, 'two');
    expect(await store.check(folder)).toBe('changed');
    write(path, 'one');
    expect(await store.check(folder)).toBe('trusted');
    rmSync(project.path(path));
    expect(await store.check(folder)).toBe('changed');
  });

  test('instructions and sources may change', async () => {
    await store.trust(project.path('repo'));
    write('repo/AGENTS.md', 'be kind');
    write('repo/src/a.ts', '');
    expect(await store.check(project.path('repo'))).toBe('trusted');
  });

  test('a subfolder with settings of its own was not trusted with the root', async () => {
    write('repo/sub/.wield/settings.json', '{}');
    await store.trust(project.path('repo'));
    expect(await store.check(project.path('repo'))).toBe('trusted');
    expect(await store.check(project.path('repo/sub'))).toBe('changed');
  });

  test('a link that leads out never counts as trusted', async () => {
    write('outside.json', '{}');
    mkdirSync(project.path('repo/.wield'));
    symlinkSync(project.path('outside.json'), project.path('repo/.wield/settings.json'));
    await store.trust(project.path('repo'));
    expect(await store.check(project.path('repo'))).toBe('changed');
  });

  test('a change of our own keeps the trust', async () => {
    await store.trust(project.path('repo'));
    await store.renew(project.path('repo'), async () => write('repo/.wield/settings.local.json', '{}'));
    expect(await store.check(project.path('repo'))).toBe('trusted');
  });

  test('and makes none where there was none', async () => {
    await store.renew(project.path('repo'), async () => write('repo/.wield/settings.local.json', '{}'));
    expect(await store.check(project.path('repo'))).toBe('unknown');
    await store.trust(project.path('repo'));
    write('repo/.mcp.json', '{"evil":true}');
    await store.renew(project.path('repo'), async () => write('repo/.wield/settings.local.json', '{"a":1}'));
    expect(await store.check(project.path('repo'))).toBe('changed');
  });
});

test('what an earlier version trusted holds while there is nothing that can run', async () => {
  write('config/trusted.json', JSON.stringify({ [project.path('repo')]: { since: '2026-01-01' } }));
  expect(await store.check(project.path('repo'))).toBe('trusted');
  write('repo/.mcp.json', '{}');
  expect(await store.check(project.path('repo'))).toBe('changed');
});

test('a list that is not ours trusts nothing and says so', async () => {
  const path = project.path('trusted.json');
  writeFileSync(path, '[broken');
  await expect(createTrustStore(path).check(project.root)).rejects.toMatchObject({ code: 'config_unreadable' });
  mkdirSync(project.path('folder.json'));
  await expect(createTrustStore(project.path('folder.json')).check(project.root)).rejects.toMatchObject({
    code: 'config_unreadable',
  });
});

test('a list that cannot be written is said in words', async () => {
  const list = createTrustStore(project.path('plain/a.txt/trusted.json'));
  await expect(list.trust(project.root)).rejects.toMatchObject({ code: 'config_unreadable' });
});
