import { describe, expect, test } from 'vitest';
import type { Decision } from '../../core/permission.ts';
import type { ShellPart } from '../../shell/report.ts';
import { createAllTools } from '../../tools/builtin.ts';
import { commandWords, quoteWords } from './command-words.ts';
import { rulesOnPart, rulesOnPlace } from './rule-match.ts';
import { readyRule, speaksOfTool } from './rule-pattern.ts';
import { parseRule, splitRules } from './rules.ts';

const tools = createAllTools();
const HEAD = { behavior: 'allow', scope: 'flag', origin: 'a test' } as const;
const PLACE = { root: '/ws', home: '/home/me' };

function ready(text: string, behavior: Decision = 'allow') {
  const rule = parseRule(text, { ...HEAD, behavior }, tools);
  if ('fault' in rule) throw new Error(rule.fault);
  return readyRule(rule, PLACE);
}

function part(words: ShellPart['words'], more: Partial<ShellPart> = {}): ShellPart {
  return {
    text: words.map((word) => word ?? '$X').join(' '),
    words,
    effect: 'acts',
    because: 'it acts',
    beyondPrefix: null,
    beyondRules: null,
    reads: [],
    writes: [],
    needsNetwork: false,
    runsProjectCode: false,
    gitFolder: null,
    ...more,
  };
}

function verdict(rule: string, behavior: Decision, one: ShellPart, command = `cd . && ${one.text}`): Decision | null {
  return rulesOnPart([ready(rule, behavior)], 'Bash', { part: one, command })[0]?.behavior ?? null;
}

describe('a rule is read, or said not to be one', () => {
  test.each([
    ['Bash', 'would allow everything'],
    ['Bash(*)', 'would allow everything'],
    ['Bash(:*)', 'would allow everything'],
    ['Bash()', 'empty pattern'],
    ["Bash(echo 'x)", 'does not close'],
    ['Bash(npm test', 'parenthesis that does not close'],
    ['Bash(npm test))', 'closes more parentheses'],
    ['Bash(touch*)', 'all that begins with touch is touch:\\*'],
    ['Bash(git pu*)', 'stands for itself'],
    ['Bash(git:* push)', 'before its end'],
    ['Bash(t\u043Euch:*)', 'only look alike'],
    ['bash', 'names no tool'],
    ['Teleport(x)', 'names no tool'],
    ['Edit(../other/**)', 'leads out of the workspace'],
    ['WebFetch(example.org)', 'domain:example.org'],
    ['mcp__a__b(x)', 'can have none'],
    ['Bash(sudo:*)', 'too wide'],
  ])('%s: %s', (text, fault) => {
    const parsed = parseRule(text, HEAD, tools);
    expect('fault' in parsed ? parsed.fault : 'none').toMatch(new RegExp(`a test\\) .*${fault}.*It matches nothing\\.$`));
  });

  test.each([
    'Bash(npm test)',
    'Bash(git diff *)',
    'Bash(echo ")")',
    'Bash(ls src/*)',
    'Bash(grep \\( x)',
    'Edit(src/**)',
    'Read(~/notes/**)',
    'WebFetch(domain:example.org)',
    'mcp__a',
    'mcp__a__*',
  ])('%s is one', (text) => expect(parseRule(text, HEAD, tools)).toMatchObject({ behavior: 'allow', scope: 'flag' }));

  test('a list is split where no parenthesis is open', () => {
    expect(splitRules('Bash(npm test)) Read')).toEqual(['Bash(npm test))', 'Read']);
    expect(splitRules('Read,Bash(npm test, Edit')).toEqual(['Read', 'Bash(npm test, Edit']);
  });

  test('to refuse everything is no fault', () => {
    expect(parseRule('Bash(*)', { ...HEAD, behavior: 'deny' }, tools)).toMatchObject({ tool: 'Bash', specifier: null });
  });
});

describe('an allow rule covers', () => {
  test.each<[string, ShellPart['words'], Partial<ShellPart>, boolean]>([
    ['Bash(npm test)', ['npm', 'test'], {}, true],
    ['Bash(npm   "test")', ['npm', 'test'], {}, true],
    ['Bash(npm test)', ['npm', 'test', '--x'], {}, false],
    ['Bash(npm test)', ['npm test'], {}, false],
    ['Bash(git diff:*)', ['git', 'diff', '--stat'], {}, true],
    ['Bash(git diff *)', ['git', 'diff'], {}, true],
    ['Bash(git diff:*)', ['git', 'difftool'], {}, false],
    ['Bash(git diff:*)', ['git', 'diff', '--output=x'], { beyondPrefix: 'it writes' }, false],
    ['Bash(git diff --output=x)', ['git', 'diff', '--output=x'], { beyondPrefix: 'it writes' }, true],
    ['Bash(npm test)', ['npm', 'test'], { text: 'A=1 npm test', beyondPrefix: 'a variable' }, false],
    ['Bash(A=1 npm test)', ['npm', 'test'], { text: 'A=1 npm test', beyondPrefix: 'a variable' }, true],
    ['Bash(eval x)', ['eval', 'x'], { beyondRules: 'code' }, false],
    ['Bash(ls:*)', ['./ls'], {}, false],
    ['Bash(ls:*)', ['/bin/ls'], {}, false],
    ['Bash(rm:*)', ['rm', null], { beyondPrefix: 'known at run time' }, false],
  ])('%s, %j %j: %s', (rule, words, more, isCovered) => {
    expect(verdict(rule, 'allow', part(words, more))).toBe(isCovered ? 'allow' : null);
  });

  test('a whole command line that a person wrote, word for word', () => {
    const one = part(['npm', 'test']);
    expect(verdict('Bash(npm test && npm run x)', 'allow', one, 'npm test && npm run x')).toBe('allow');
    expect(verdict('Bash(npm test && npm run x)', 'allow', one, 'npm test && npm run y')).toBeNull();
  });
});

describe('a deny rule needs less', () => {
  test.each<[string, ShellPart['words'], Decision | null]>([
    ['Bash(rm:*)', ['rm', '-rf', 'x'], 'deny'],
    ['Bash(rm:*)', ['/usr/bin/rm', 'x'], 'deny'],
    ['Bash(rm:*)', ['./rm', 'x'], 'deny'],
    ['Bash(git push:*)', ['git', 'push', null], 'deny'],
    ['Bash(git push:*)', ['git', null], 'ask'],
    ['Bash(git push)', ['git', 'push', 'origin'], null],
    ['Bash(rm:*)', ['rmdir', 'x'], null],
    ['Bash', ['anything'], 'deny'],
  ])('%s, %j: %s', (rule, words, expected) => {
    const more = { beyondPrefix: 'whatever', beyondRules: 'whatever' };
    expect(verdict(rule, 'deny', part(words, more))).toBe(expected);
  });
});

describe('a deny rule asks where its words may be run by something that is not understood', () => {
  const PUSH = 'Bash(git push:*)';
  test.each<[string, ShellPart['words'], Partial<ShellPart>, Decision | null]>([
    [PUSH, ['git', '-C', '.', 'push'], { plainWords: ['git', 'push'] }, 'deny'],
    [PUSH, ['git', '-c', null, 'push'], { plainWords: ['git', 'push'] }, 'deny'],
    [PUSH, ['taskset', '-c', '0', 'git', 'push'], {}, 'ask'],
    [PUSH, ['env', '-C', '.', '/usr/bin/git', '-P', 'push'], {}, 'ask'],
    [PUSH, ['trap', 'git push', 'EXIT'], { beyondRules: 'code' }, 'ask'],
    [PUSH, ['su', '-c', 'cd x;git push'], {}, 'ask'],
    [PUSH, ['git', 'submodule', 'foreach', 'git push'], { beyondRules: 'code' }, 'ask'],
    [PUSH, ['git', 'commit', '-m', 'do not git push'], {}, null],
    [PUSH, ['echo', 'git', 'push'], { effect: 'reads' }, null],
    [PUSH, ['xargs', 'push', 'git'], {}, null],
    ['Bash(rm:*)', ['flock', 'f', 'rm', 'x'], {}, 'ask'],
    ['Bash(rm:*)', ['docker', 'rm', 'x'], {}, null],
    ['Bash(rm:*)', ['npm', 'exec', 'rm', 'x'], {}, 'ask'],
  ])('%s, %j %j: %s', (rule, words, more, expected) => {
    expect(verdict(rule, 'deny', part(words, more))).toBe(expected);
    expect(verdict(rule, 'allow', part(words, more))).toBeNull();
  });

  test('also where an interpreter reads its code from elsewhere in the command', () => {
    const code = part(['bash'], { beyondRules: 'code' });
    expect(verdict(PUSH, 'deny', code, 'bash <<< "git push"')).toBe('ask');
    expect(verdict(PUSH, 'deny', code, 'bash <<< "git pull"')).toBeNull();
  });
});

describe('a rule about places', () => {
  const named = (name: string) => tools.find((tool) => tool.name === name) ?? null;
  const speaks = (rule: string, tool: string | null, path: string, access: 'read' | 'write', behavior: Decision = 'allow') =>
    rulesOnPlace([ready(rule, behavior)], {
      resource: { kind: 'file', path },
      tool: tool === null ? null : named(tool),
      access,
      isInside: path.startsWith('/ws/'),
    }).length === 1;

  test.each<[string, string | null, string, 'read' | 'write', boolean]>([
    ['Edit(src/**)', 'EditFile', '/ws/src/a/b.ts', 'write', true],
    ['Write(src/**)', 'ApplyPatch', '/ws/src/a.ts', 'write', true],
    ['Edit(./src/**)', 'WriteFile', '/ws/src/a.ts', 'write', true],
    ['Edit(src/**)', 'EditFile', '/ws/src-evil/a.ts', 'write', false],
    ['Edit(**)', 'EditFile', '/out/a.ts', 'write', false],
    ['Edit(/out/**)', 'EditFile', '/out/a.ts', 'write', true],
    ['Read(~/notes/**)', 'ReadFile', '/home/me/notes/a', 'read', true],
    ['Read(**)', 'ReadFile', '/home/me/notes/a', 'read', false],
    ['ReadFile', 'ReadFile', '/home/me/notes/a', 'read', false],
    ['Read(src/**)', 'EditFile', '/ws/src/a.ts', 'write', false],
    ['Edit(src/**)', null, '/ws/src/a.ts', 'write', true],
    ['WriteFile(src/**)', null, '/ws/src/a.ts', 'write', false],
  ])('%s, by %s, %s (%s): %s', (rule, tool, path, access, expected) => {
    expect(speaks(rule, tool, path, access)).toBe(expected);
  });

  test('a deny rule without a pattern holds outside too', () => {
    expect(speaks('ReadFile', 'ReadFile', '/out/a', 'read', 'deny')).toBe(true);
  });

  test('a rule that refuses a bare name means it at any depth, and one that allows does not', () => {
    expect(speaks('Edit(lock.json)', 'EditFile', '/ws/lock.json', 'write', 'deny')).toBe(true);
    expect(speaks('Edit(lock.json)', 'EditFile', '/ws/a/b/lock.json', 'write', 'deny')).toBe(true);
    expect(speaks('Edit(lock.json)', 'EditFile', '/ws/lock.json', 'write')).toBe(true);
    expect(speaks('Edit(lock.json)', 'EditFile', '/ws/a/lock.json', 'write')).toBe(false);
  });

  test('a domain stands for what is below it', () => {
    const hosts = ['example.org', 'docs.example.org', 'EXAMPLE.org.', 'badexample.org', 'example.org.evil.test'];
    const fetcher = { ...named('ReadFile'), name: 'WebFetch', category: 'web' } as NonNullable<ReturnType<typeof named>>;
    const matching = hosts.filter(
      (host) =>
        rulesOnPlace([ready('WebFetch(domain:example.org)')], {
          resource: { kind: 'net', host },
          tool: fetcher,
          access: 'read',
          isInside: true,
        }).length === 1,
    );
    expect(matching).toEqual(['example.org', 'docs.example.org', 'EXAMPLE.org.']);
  });

  test('rules for servers and for built-in tools never meet', () => {
    const foreign = { name: 'mcp__evil__Bash', category: 'mcp' } as const;
    const speaksOf = (text: string) => speaksOfTool(ready(text, 'deny').rule, foreign);
    expect(
      ['Bash', 'Bash(git status)', 'mcp__evil', 'mcp__evil__*', 'mcp__evil__Bash', 'mcp__ev', 'mcp__evil__Ba'].filter(speaksOf),
    ).toEqual(['mcp__evil', 'mcp__evil__*', 'mcp__evil__Bash']);
  });
});

test('words that were quoted are read back as they were', () => {
  const words = ['git', 'commit', '-m', 'it\'s (a) "thing"', '*', '', 'x:*', '$HOME', '\\'];
  expect(commandWords(quoteWords(words))).toEqual(words);
  expect(commandWords('a"b"\\ c \'d e\' ""')).toEqual(['ab c', 'd e', '']);
  expect(commandWords('"')).toBeNull();
});
