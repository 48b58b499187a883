import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createProject, type TestProject } from '../../../test/agent-harness.ts';
import type { PermissionRule } from '../../core/permission.ts';
import { createTrustStore } from '../../permissions/trust/trust.ts';
import { createRuleStore } from './permission-store.ts';

let outer: TestProject;
let faults: string[];
beforeEach(() => {
  outer = createProject({ 'ws/a.txt': '' });
  faults = [];
});
afterEach(() => outer.remove());

const LOCAL = 'ws/.wield/settings.local.json';
const text = (name: string) => readFileSync(outer.path(name), 'utf8');
const rule = (specifier: string, scope: PermissionRule['scope'] = 'project'): PermissionRule => ({
  behavior: 'allow',
  tool: 'Bash',
  specifier,
  scope,
  origin: 'a test',
});
async function store(isTrusted = true) {
  const folders = { home: outer.path('home'), config: outer.path('config'), state: outer.path('state') };
  const trust = createTrustStore(outer.path('config/trusted-folders.json'));
  if (isTrusted) await trust.trust(outer.path('ws'));
  const keep = createRuleStore({ cwd: outer.path('ws'), folders, trust });
  return async (one: PermissionRule) => {
    const fault = await keep(one);
    if (fault !== null) faults.push(fault);
    expect(await trust.check(outer.path('ws'))).toBe(isTrusted ? 'trusted' : 'unknown');
  };
}

test('the first rule makes the file, for its owner alone; the next joins it', async () => {
  const keep = await store();
  await Promise.all([keep(rule('npm test')), keep(rule('make')), keep(rule('npm test'))]);
  expect(JSON.parse(text(LOCAL))).toEqual({ permissions: { allow: ['Bash(npm test)', 'Bash(make)'] } });
  expect(statSync(outer.path(LOCAL)).mode & 0o777).toBe(0o600);
  await keep(rule('npm test', 'user'));
  expect(JSON.parse(text('config/settings.json'))).toEqual({ permissions: { allow: ['Bash(npm test)'] } });
  await keep(rule('x', 'session'));
  expect(text(LOCAL)).not.toContain('Bash(x)');
});

test('comments and the rest of the file stay', async () => {
  mkdirSync(outer.path('ws/.wield'));
  writeFileSync(
    outer.path(LOCAL),
    '{\n  // mine\n  "maxTurns": 3,\n  "permissions": {\n    "deny": ["Bash(rm:*)"], // never\n  },\n}\n',
  );
  await (await store())(rule('make'));
  expect(faults).toEqual([]);
  expect(text(LOCAL)).toContain('// mine');
  expect(text(LOCAL)).toContain('// never');
  expect(text(LOCAL)).toMatch(/"allow": \[\s*"Bash\(make\)"\s*\]/);
});

test.each<[string, () => void]>([
  ['a file that is no settings is left alone', () => writeFileSync(outer.path(LOCAL), '{ "permissions": ')],
  ['a list of something else too', () => writeFileSync(outer.path(LOCAL), '[]')],
])('%s, and it is said', async (_what, prepare) => {
  mkdirSync(outer.path('ws/.wield'));
  prepare();
  const before = text(LOCAL);
  await (await store())(rule('make'));
  expect(text(LOCAL)).toBe(before);
  expect(faults).toEqual([expect.stringContaining('Bash(make) holds for this session only')]);
});

test('nothing is written where it would not be read, or elsewhere through a link', async () => {
  await (await store(false))(rule('make'));
  expect(existsSync(outer.path(LOCAL))).toBe(false);
  mkdirSync(outer.path('elsewhere'));
  symlinkSync(outer.path('elsewhere'), outer.path('ws/.wield'));
  await (await store())(rule('make'));
  expect(existsSync(outer.path('elsewhere/settings.local.json'))).toBe(false);
  expect(faults).toEqual([expect.stringContaining('not trusted'), expect.stringContaining('leads out')]);
});
