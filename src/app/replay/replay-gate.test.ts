import { expect, test } from 'vitest';
import type { Judgement } from '../../core/permission.ts';
import type { PermissionPolicy } from '../../core/policy.ts';
import type { RecordedCall } from '../../sessions/replay-script.ts';
import { createReadFileTool } from '../../tools/read-file.ts';
import { replayPolicy } from './replay-gate.ts';

const ROOT = '/tmp/copy';

/** A gate that says the same of each call, behind a replay in which all was allowed by a rule. */
function gate(decision: Judgement['decision'], path: string): PermissionPolicy {
  const judgement = {
    decision,
    because: 'for the test',
    offers: [],
    grant: {
      footprint: { reads: [{ kind: 'file', path, deep: false }], writes: [], extent: 'listed' },
      confinement: { writes: 'nothing', network: false, writable: [], readable: ['/home/ada/.ssh/id_rsa'] },
    },
  } as unknown as Judgement;
  return { mode: 'default', judge: async () => judgement } as unknown as PermissionPolicy;
}

async function judged(decision: Judgement['decision'], path: string): Promise<Judgement> {
  const recorded = { decision: { decision: 'allow', by: 'rule', because: 'Read(**)' } } as unknown as RecordedCall;
  const policy = replayPolicy(gate(decision, path), {
    root: ROOT,
    calls: new Map([['call', recorded]]),
    mayRunCommands: async () => true,
    moved: (text) => text,
  });
  return policy.judge(createReadFileTool(), {}, null as never, 'call');
}

test('what the gate of here would ask about outside of the copy is not read, whatever a recording says', async () => {
  expect(await judged('ask', '/home/ada/.ssh/id_rsa')).toMatchObject({
    decision: 'deny',
    because: expect.stringContaining('here it would be asked, since it reads /home/ada/.ssh/id_rsa'),
  });
});

test('what lies in the copy is read as it was then, and so is what the gate of here passes', async () => {
  expect(await judged('ask', `${ROOT}/.env`)).toMatchObject({ decision: 'allow', because: 'Read(**)' });
  expect(await judged('allow', '/usr/include/stdio.h')).toMatchObject({ decision: 'allow' });
});

test('no secret is opened to a command', async () => {
  expect((await judged('allow', `${ROOT}/a`)).grant.confinement.readable).toEqual([]);
});
