import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGitProject, type GitProject } from '../../test/git-project.ts';
import type { Decision, PermissionRule } from '../core/permission.ts';
import type { Tool } from '../core/tool.ts';
import { createAllTools } from '../tools/builtin.ts';
import { createPolicy, type PolicyOptions } from './policy.ts';
import { parseRule, renderOffer, renderRule } from './rules/rules.ts';

let project: GitProject;
beforeEach(() => {
  project = createGitProject({ 'a.txt': 'a', 'package.json': '{}' });
});
afterEach(() => project.remove());

const tools = createAllTools();
const bash = tools.find(({ name }) => name === 'Bash') as Tool;

function rule(text: string, behavior: Decision = 'allow', scope: PermissionRule['scope'] = 'flag'): PermissionRule {
  const parsed = parseRule(text, { behavior, scope, origin: 'a test' }, tools);
  if ('fault' in parsed) throw new Error(parsed.fault);
  return parsed;
}

function policyWith(rules: readonly PermissionRule[] = [], more: Partial<PolicyOptions> = {}) {
  const policy = createPolicy({
    mode: 'default',
    cwd: project.root,
    home: `${project.base}/home`,
    roots: [project.root],
    readableRoots: [],
    rules,
    environment: process.env,
    sandbox: { isAvailable: true },
    ...more,
  });
  return {
    ...policy,
    see: (command: string) => policy.judge(bash, { command }),
    decide: async (command: string) => (await policy.judge(bash, { command })).decision,
  };
}

describe('what a command may reach', () => {
  const confinement = async (command: string, rules: readonly PermissionRule[] = [], more: Partial<PolicyOptions> = {}) =>
    (await policyWith(rules, more).see(command)).grant.confinement;
  const NOTHING = { writes: 'nothing', network: false, writable: [], readable: [] };
  const WORKSPACE = { ...NOTHING, writes: 'workspace' };

  test('one that reads may do that and no more, and may run beside others', async () => {
    expect(await confinement('ls && cat a.txt 2>/dev/null')).toEqual(NOTHING);
    expect(await policyWith().resolve(bash, { command: 'ls' })).toEqual({ extent: 'everything', writes: false });
    expect(await policyWith().resolve(bash, { command: 'ls > x' })).toEqual({ extent: 'everything', writes: true });
  });

  test('the network only where it is of use, or a rule gives it', async () => {
    expect(await confinement('npm test')).toEqual(WORKSPACE);
    expect(await confinement('npm install')).toEqual({ ...WORKSPACE, network: true });
    expect(await confinement('npm run fetch x', [rule('Network(npm run fetch:*)')])).toEqual({ ...WORKSPACE, network: true });
    expect(await confinement('npm install', [rule('Network(npm install)', 'deny')])).toEqual(WORKSPACE);
    expect(await policyWith([rule('Network(npm install)', 'deny')]).decide('npm install')).toBe('deny');
    expect(await policyWith([rule('Network(npm run fetch:*)')]).decide('npm run fetch x')).toBe('ask');
  });

  test('what is asked about is what a yes gives', async () => {
    project.write('.env', 'KEY=1');
    expect(await confinement('cat .env')).toEqual({ ...NOTHING, readable: [project.path('.env')] });
    expect(await confinement('touch ../x .git/config')).toEqual({
      ...WORKSPACE,
      writable: [`${project.base}/x`, project.path('.git/config')],
    });
  });

  test('without permissions, the workspace and the network', async () => {
    expect(await confinement('npm test', [], { mode: 'bypassPermissions' })).toEqual({ ...WORKSPACE, network: true });
    expect(await confinement('ls "$(', [], { mode: 'bypassPermissions' })).toEqual({ ...WORKSPACE, network: true });
  });
});

describe('what the sandbox kept a command from', () => {
  test('is asked about when it comes again, granted with a yes, and can be made a rule', async () => {
    const policy = policyWith([rule('Bash(npm test)')]);
    expect(await policy.decide('npm test')).toBe('allow');
    policy.noteDenied?.('npm test', { network: true });
    const again = await policy.see('npm test');
    expect(again).toMatchObject({ decision: 'ask', grant: { confinement: { network: true } } });
    expect(again.because).toContain('tried to reach the network');
    expect(again.offers.map(renderRule)).toEqual(['Network(npm test)']);
    for (const offer of again.offers) await policy.remember(offer);
    expect(await policy.see('npm test')).toMatchObject({ decision: 'allow', grant: { confinement: { network: true } } });
    expect(await policy.see('npm test -- x')).toMatchObject({ grant: { confinement: { network: false } } });
  });

  test('and needs a rule besides, is offered as both, which are kept together', async () => {
    const stored: string[] = [];
    const store = async (one: PermissionRule): Promise<null> => {
      stored.push(renderRule(one));
      return null;
    };
    const policy = policyWith([], { store });
    policy.noteDenied?.('npm run fetch x', { network: true });
    const asked = await policy.see('npm run fetch x');
    expect(asked.parts.map(({ text, cause }) => [text, cause])).toEqual([
      ['npm run fetch x', 'runs'],
      ['network', 'network'],
    ]);
    expect(asked.offers.map((offer) => [renderOffer(offer), offer.covers])).toEqual([
      ['Bash(npm run fetch x) and Network(npm run fetch x)', ['npm run fetch x', 'network']],
      ['Bash(npm run fetch:*) and Network(npm run fetch:*)', ['npm run fetch x', 'network']],
    ]);
    const [first] = asked.offers;
    for (const one of first === undefined ? [] : [first, ...(first.besides ?? [])])
      await policy.remember({ ...one, scope: 'project' });
    expect(stored).toEqual(['Bash(npm run fetch x)', 'Network(npm run fetch x)']);
    expect(await policy.see('npm run fetch x')).toMatchObject({ decision: 'allow', grant: { confinement: { network: true } } });
    expect(await policy.decide('npm run fetch y')).toBe('ask');
  });

  test('of several parts the whole command and the last of them', async () => {
    const policy = policyWith();
    policy.noteDenied?.('npm test && npm run x', { network: true });
    const { offers } = await policy.see('npm test && npm run x');
    expect(offers.map(renderOffer)).toEqual(['Bash(npm test && npm run x) and Network(npm run x)']);
    const refused = policyWith([rule('Network(npm run x)', 'deny')]);
    refused.noteDenied?.('npm test && npm run x', { network: true });
    expect((await refused.see('npm test && npm run x')).offers).toEqual([]);
  });

  test('is a place to write to as well', async () => {
    const policy = policyWith([rule('Bash(npm test)')]);
    policy.noteDenied?.('npm test', { writable: ['/var/cache/x'] });
    const granted = { grant: { confinement: { writable: ['/var/cache/x'] } } };
    expect(await policy.see('npm test')).toMatchObject({ decision: 'ask', offers: [], ...granted });
    // The command itself says what it was kept from, and could say anything.
    const bypassing = policyWith([], { mode: 'bypassPermissions' });
    bypassing.noteDenied?.('npm test', { writable: ['/var/cache/x'] });
    expect(await bypassing.see('npm test')).toMatchObject({ decision: 'ask', ...granted });
  });
});

describe('without a sandbox', () => {
  const without = (rules: readonly PermissionRule[], more: Partial<PolicyOptions> = {}) =>
    policyWith(rules, { sandbox: { isAvailable: Promise.resolve(false) }, ...more });

  test('a rule alone does not let a command act, unless a person accepts that or made it in this session', async () => {
    const seen = await without([rule('Bash(npm test)')]).see('npm test');
    expect(seen).toMatchObject({ decision: 'ask', parts: [{ cause: 'runs' }] });
    expect(seen.because).toContain('--accept-unsandboxed');
    expect(await without([rule('Bash(git commit:*)')]).decide('git commit -m x')).toBe('ask');
    expect(await without([rule('Bash(npm test)')], { acceptUnsandboxed: true }).decide('npm test')).toBe('allow');
    expect(await without([rule('Bash(npm test)', 'allow', 'session')]).decide('npm test')).toBe('allow');
  });

  test('reading and edits pass as ever', async () => {
    expect(await without([]).decide('ls')).toBe('allow');
    expect(await without([rule('Bash(touch:*)')]).decide('touch x')).toBe('allow');
    expect(await without([], { mode: 'acceptEdits' }).decide('touch x')).toBe('allow');
  });
});

describe('what is offered', () => {
  const offers = async (command: string, rules: readonly PermissionRule[] = []) =>
    (await policyWith(rules).see(command)).offers.map(renderRule);

  test('the part that needed it, and a beginning where that says what it does', async () => {
    expect(await offers('cd . && npm test')).toEqual(['Bash(npm test)']);
    expect(await offers('git commit -m "a b"')).toEqual(["Bash(git commit -m 'a b')", 'Bash(git commit:*)']);
    expect(await offers('npm run build x')).toEqual(['Bash(npm run build x)', 'Bash(npm run build:*)']);
    expect(await offers('echo x > y')).toEqual(['Bash(echo x > y)']);
    expect(await offers('npm test > y')).toEqual(['Bash(npm test > y)']);
    expect(await offers('npm test && npm run x')).toEqual(['Bash(npm test && npm run x)']);
    expect(await offers('npm test && npm run x', [rule('Bash(npm test)')])).toEqual([
      'Bash(npm run x)',
      'Bash(npm test && npm run x)',
    ]);
  });

  test('nothing where no rule may answer', async () => {
    for (const command of ['eval x', 'python3 -c x', 'cat /root/x', 'touch ../x', 'echo x > .git/config', 'ls "$('])
      expect([command, await offers(command)]).toEqual([command, []]);
  });

  test('an offer can be asked what it would let pass', async () => {
    const policy = policyWith();
    const [offer] = (await policy.see('ls && npm test')).offers;
    expect(offer?.covers).toEqual(['npm test']);
  });
});

describe('all below a folder', () => {
  test('is read unasked where nothing leads out of it', async () => {
    project.write('lib/a.txt', 'a');
    symlinkSync(project.path('a.txt'), project.path('lib/inside'));
    expect(await policyWith().decide('cat lib/*')).toBe('allow');
    symlinkSync(project.base, project.path('lib/outside'));
    expect(await policyWith().see('cat lib/*')).toMatchObject({ decision: 'ask', parts: [{}, { cause: 'outside' }] });
  });
});

test('what follows links reads what they lead to, also out of packages', async () => {
  project.write('node_modules/p/a.js', '');
  project.write('keep/.env', 'KEY=1');
  symlinkSync('../../keep', project.path('node_modules/p/keep'));
  project.write('src/a.ts', '');
  symlinkSync('../keep', project.path('src/keep'));
  for (const command of [
    'grep -R KEY node_modules',
    'grep -R KEY src',
    'find -L src -type f -exec cat {} +',
    'rg -L KEY src',
    'diff -r src src',
  ])
    expect([command, await policyWith().decide(command)]).toEqual([command, 'ask']);
  for (const command of ['grep -r KEY node_modules', 'grep -r KEY src', 'find src -type f -exec cat {} +'])
    expect([command, await policyWith().decide(command)]).toEqual([command, 'allow']);
});

describe('a command that means something else here', () => {
  test('a name that leads into the workspace is covered by nothing', async () => {
    mkdirSync(project.path('bin'));
    for (const name of ['ls', 'make']) {
      project.write(`bin/${name}`, '#!/bin/sh\n');
      chmodSync(project.path(`bin/${name}`), 0o755);
    }
    const environment = { PATH: `${project.path('bin')}:${process.env['PATH']}` };
    expect(await policyWith([rule('Bash(make)')]).decide('make')).toBe('allow');
    expect(await policyWith([rule('Bash(make)')], { environment }).decide('make')).toBe('ask');
    expect(await policyWith([], { environment }).decide('ls')).toBe('ask');
    expect(await policyWith([], { environment: { PATH: `bin:${process.env['PATH']}` } }).decide('ls')).toBe('ask');
  });

  test('git asks where the repository names a program, also where a rule allows it', async () => {
    expect(await policyWith().decide('git status')).toBe('allow');
    project.git(['config', 'core.fsmonitor', '/x.sh']);
    expect(await policyWith().see('git status')).toMatchObject({ decision: 'ask', offers: [] });
    expect(await policyWith([rule('Bash(git commit:*)')]).decide('git commit -m x')).toBe('ask');
    expect(await policyWith([], { mode: 'bypassPermissions' }).decide('git status')).toBe('allow');
  });

  test('a pattern of one folder reads what fits it, and what lies beside that does not matter', async () => {
    project.write('.env', 'KEY=1\n');
    project.write('certs/site.pem', 'KEY\n');
    project.write('certs/readme.md', '\n');
    symlinkSync('/etc/hostname', project.path('certs/host.txt'));
    const decided = async (command: string) => (await policyWith().see(command)).decision;
    for (const command of ['cat *.txt', 'wc -l *', 'cat certs/*.md', 'head certs/r*'])
      expect([command, await decided(command)]).toEqual([command, 'allow']);
    for (const command of ['cat .*', 'cat certs/*', 'cat certs/*.pem', 'cat */*', 'cat cert?/*.md', 'grep -r KEY *'])
      expect([command, await decided(command)]).toEqual([command, 'ask']);
  });

  test('hooks elsewhere ask once in a session: a rule that was given there knew of them', async () => {
    project.git(['config', 'core.hooksPath', '.husky/_']);
    const policy = policyWith([{ ...rule('Bash(git commit:*)'), scope: 'project' }]);
    const asked = await policy.see('git commit -m x');
    expect(asked).toMatchObject({ decision: 'ask', because: expect.stringContaining('core.hookspath') });
    for (const offer of asked.offers) await policy.remember(offer);
    expect(await policy.decide('git commit -m x')).toBe('allow');
    expect(await policy.decide('git status')).toBe('allow');
  });

  test('git asks where it would show a secret that is tracked', async () => {
    project.write('.env', 'KEY=1');
    expect(await policyWith().decide('git diff')).toBe('allow');
    expect(await policyWith().decide('git show HEAD~3:.env')).toBe('ask');
    expect(await policyWith().decide('git grep --no-index KEY')).toBe('ask');
    expect(await policyWith().decide('git grep KEY')).toBe('allow');
    project.git(['add', '-f', '.env']);
    expect(await policyWith().see('git diff')).toMatchObject({ decision: 'ask', parts: [{}, { cause: 'secret' }] });
  });
});

describe('rules that refuse', () => {
  test('hold inside wrappers, substitutions and conditions, by any path to the program', async () => {
    const policy = policyWith([rule('Bash(rm:*)', 'deny'), rule('Bash(ls:*)')]);
    for (const command of [
      'rm x',
      'ls; rm x',
      'timeout 5 rm x',
      'ls $(rm x)',
      'if true; then rm x; fi',
      '/bin/rm x',
      'env A=1 rm x',
    ])
      expect([command, await policy.decide(command)]).toEqual([command, 'deny']);
  });

  test('hold when permissions are bypassed, and what cannot be compared with them asks', async () => {
    const policy = policyWith([rule('Bash(git push:*)', 'deny')], { mode: 'bypassPermissions' });
    expect(await policy.decide('git push origin')).toBe('deny');
    expect(await policy.decide('git $VERB')).toBe('ask');
    expect(await policy.decide('ls "$(')).toBe('ask');
    expect(await policy.decide('npm test')).toBe('allow');
  });

  test('hold before the options of git, and ask behind what is not understood', async () => {
    const policy = policyWith([rule('Bash(git push:*)', 'deny')], { mode: 'bypassPermissions' });
    for (const options of ['--no-pager', '-C .', '-c a.b=c', '-P', '--git-dir=.git', '--no-pager -C . -c a.b=c'])
      expect([options, await policy.decide(`git ${options} push`)]).toEqual([options, 'deny']);
    for (const command of [
      'taskset -c 0 git push',
      'xargs -a f git push',
      'env -C . git push',
      'flock f git push',
      'trap "git push" EXIT',
      'bash <<< "git push"',
      'echo git push | sh',
      'su -c "git push"',
      'script -c "git -C . push"',
    ])
      expect([command, (await policy.decide(command)) === 'allow']).toEqual([command, false]);
    for (const command of ['git -C . status', 'echo git push', 'git commit -m "git push"', 'bash <<< "git pull"'])
      expect([command, await policy.decide(command)]).toEqual([command, 'allow']);
  });

  test('about files hold for commands too', async () => {
    const policy = policyWith([rule('Read(a.txt)', 'deny'), rule('Edit(lib/**)', 'deny')], { mode: 'acceptEdits' });
    expect(await policy.decide('cat a.txt')).toBe('deny');
    expect(await policy.decide('grep -r x .')).toBe('ask');
    expect(await policy.decide('echo x > lib/y')).toBe('deny');
    expect(await policy.decide('touch lib/y')).toBe('deny');
    expect(await policy.decide('touch y')).toBe('allow');
  });
});

test('an edit rule answers for what is written by a redirection, and not for the rest of the command', async () => {
  const policy = policyWith([rule('Edit(**)')]);
  expect(await policy.decide('echo x > y')).toBe('allow');
  expect(await policy.decide('echo x > ../y')).toBe('ask');
  expect(await policy.decide('npm test > y')).toBe('ask');
  expect(await policy.decide('rm y')).toBe('ask');
});

test('rules for longer than a session are stored', async () => {
  const stored: string[] = [];
  const store = async (one: PermissionRule): Promise<null> => {
    stored.push(`${one.scope} ${renderRule(one)}`);
    return null;
  };
  const policy = policyWith([], { store });
  for (const scope of ['session', 'project', 'user'] as const)
    await policy.remember(rule(`Bash(npm run ${scope})`, 'allow', scope));
  expect(stored).toEqual(['project Bash(npm run project)', 'user Bash(npm run user)']);
  expect(await policy.decide('npm run user && npm run session')).toBe('allow');
});

test('what is written where a copied link may stand asks, though edits are accepted', async () => {
  mkdirSync(project.path('dl'));
  symlinkSync('../../out', project.path('dl/q'));
  const policy = policyWith([], { mode: 'acceptEdits' });
  for (const command of [
    'cp -P dl/q . && echo evil > q',
    'mv dl/q . && echo evil > q',
    'cp -a dl d2; touch d2/q',
    'cp -d dl/q .',
  ])
    expect([command, await policy.decide(command)]).toEqual([command, 'ask']);
  for (const command of ['cp a.txt b.txt', 'cp a.txt b.txt && echo x > c.txt', 'mv a.txt b.txt'])
    expect([command, await policy.decide(command)]).toEqual([command, 'allow']);
});

test('a tree that may bring what is protected only in its place asks, though edits are accepted', async () => {
  mkdirSync(project.path('a/workflows'), { recursive: true });
  writeFileSync(project.path('a/workflows/x.yml'), 'on: push');
  const policy = policyWith([], { mode: 'acceptEdits' });
  for (const command of [
    'mv a .github',
    'cp -r a .github',
    'mv a .GitHub',
    'mkdir -p b/workflows && cp a.txt b/workflows/x.yml && mv b .github',
    'cp -r a sub/.github',
    'ln -s a .github',
    'git mv a .github',
  ])
    expect([command, await policy.decide(command)]).toEqual([command, 'ask']);
  for (const command of ['mv a b', 'cp -r a github', 'cp a.txt b.txt'])
    expect([command, await policy.decide(command)]).toEqual([command, 'allow']);
});

test('what the system keeps secret, and keys of services, ask to be read', async () => {
  const secrets = [
    '/etc/NetworkManager/system-connections/x',
    '/etc/wireguard/wg0.conf',
    'credentials.json',
    'service-account.json',
    '/etc/ppp/my-secrets',
    '/etc/postfix/sasl_passwd.lmdb',
    '/etc/ssh/ssh_host_new_key',
    '.jks',
    '.keystore',
    'old.Keystore',
    'terraform.tfstate',
    'k3s.yaml',
    '_netrc',
    'client_secret_1.json',
    `${project.base}/home/.config/doctl/config.yaml`,
    `${project.base}/home/.bash_history`,
  ];
  for (const path of secrets) expect([path, await policyWith().decide(`cat ${path}`)]).toEqual([path, 'ask']);
  const harmless = ['/etc/hostname', '/etc/ppp/options', 'jks', 'keystore.ts', 'secrets.ts', 'id_rsa.pub', '.env.example'];
  for (const path of harmless) expect([path, await policyWith().decide(`cat ${path}`)]).toEqual([path, 'allow']);
  const home = `${project.base}/home`;
  const read = await policyWith([], { mode: 'bypassPermissions' }).see(
    `cat ${home}/.Config/doctl/config.yaml ${home}/.psql_history`,
  );
  expect(read.parts.map(({ cause }) => cause)).toEqual(['reads', 'secret', 'secret']);
});

test('package.json asks while its scripts run unasked', async () => {
  writeFileSync(project.path('x'), '');
  const edit = policyWith([], { mode: 'acceptEdits' });
  expect(await edit.decide('touch package.json')).toBe('allow');
  const policy = policyWith([rule('Bash(npm test)')], { mode: 'acceptEdits' });
  expect(await policy.decide('touch package.json')).toBe('ask');
  expect(await policy.decide('touch x')).toBe('allow');
});
