import { describe, expect, test } from 'vitest';
import type { RuleOffer } from '../core/permission.ts';
import { answerOf, type PermissionRequest, questionLines } from './permission-question.ts';

const exact: RuleOffer = {
  behavior: 'allow',
  tool: 'Bash',
  specifier: 'git push origin main',
  scope: 'session',
  origin: 'this session',
  covers: ['git push origin main'],
};
const wide: RuleOffer = { ...exact, specifier: 'git push:*' };
const request: PermissionRequest = {
  type: 'permission_request',
  seq: 1,
  turn: 1,
  agentId: 'main',
  requestId: 'ask_1',
  toolUseId: 'c1',
  name: 'Bash',
  subject: 'ls && git push origin main',
  details: ['command: ls && git push origin main'],
  parts: [
    { text: 'ls', decision: 'allow', cause: 'reads', because: 'ls only reads' },
    { text: 'git push origin main', decision: 'ask', cause: 'network', because: 'git push uses the network\u001b[2J' },
  ],
  offers: [exact, wide],
};

describe('the question', () => {
  test('names the part that asks, each rule, what it covers and where it is kept', () => {
    expect(questionLines(request)).toEqual([
      'May Bash run?',
      '  command: ls && git push origin main',
      String.raw`  because git push origin main: git push uses the network\x1b[2J`,
      '  y = yes, this once; Enter = no',
      '  a, p, u = yes, and the rule Bash(git push origin main)',
      '      a for this session',
      '      p for this project, kept in .wield/settings.local.json',
      '      u everywhere, kept in your own settings',
      '  a2, p2, u2 = yes, and the rule Bash(git push:*)',
      '      which covers here: git push origin main',
    ]);
  });

  test('names rules that are kept together as one offer, and keeps both where it says', () => {
    const network = { ...request.offers[0], tool: 'Network' } as const;
    const { covers: _, ...besides } = { ...exact, ...network };
    const offer: RuleOffer = { ...exact, covers: ['git push origin main', 'network'], besides: [besides] };
    expect(questionLines({ ...request, offers: [offer] })).toEqual(
      expect.arrayContaining([
        '  a, p, u = yes, and the rules Bash(git push origin main) and Network(git push origin main)',
        '      which covers here: git push origin main · network',
      ]),
    );
    const { covers: __, ...rule } = exact;
    expect(answerOf('p', { offers: [offer] })).toEqual({
      type: 'allow',
      scope: 'project',
      rule: { ...rule, scope: 'project' },
      besides: [{ ...rule, tool: 'Network', scope: 'project' }],
    });
  });

  test('of very many parts names some and counts the rest', () => {
    const part = { text: 'x', decision: 'ask', cause: 'runs', because: 'it runs' } as const;
    const lines = questionLines({ ...request, parts: Array.from({ length: 30 }, () => part) });
    expect(lines.filter((line) => line.startsWith('  because'))).toHaveLength(12);
    expect(lines).toContain('  and 18 more parts that ask');
  });
});

describe('the answer', () => {
  const { covers: _, ...rule } = wide;
  test.each([
    ['', { type: 'deny' }],
    [null, { type: 'deny' }],
    ['n', { type: 'deny' }],
    ['use npm instead', { type: 'deny', reason: 'use npm instead' }],
    ['y', { type: 'allow', scope: 'once' }],
    ['是', { type: 'allow', scope: 'once' }],
    ['p2', { type: 'allow', scope: 'project', rule: { ...rule, scope: 'project' } }],
    ['a3', { type: 'deny', reason: 'a3' }],
  ])('%j', (typed, answer) => {
    expect(answerOf(typed, request)).toEqual(answer);
  });

  test('a letter without an offer keeps nothing and allows nothing', () => {
    expect(answerOf('a', { offers: [] })).toEqual({ type: 'deny', reason: 'a' });
  });
});
