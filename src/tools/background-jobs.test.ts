import { afterEach, expect, test } from 'vitest';
import { createProject, createTestAgent, resultsOf, runToEnd, type TestProject } from '../../test/agent-harness.ts';
import { createScriptedProvider } from '../providers/scripted.ts';

let project: TestProject;
afterEach(() => project.remove());

test('a server is started, read while other calls run, and ended', async () => {
  project = createProject();
  const provider = createScriptedProvider([
    { calls: [{ name: 'Bash', input: { command: 'echo up; sleep 300', run_in_background: true } }] },
    { calls: [{ name: 'Bash', input: { command: 'sleep 0.3; echo beside it' } }] },
    {
      calls: [
        { name: 'BashOutput', input: { job_id: 'job_1' } },
        { name: 'command_output', input: { id: 'job_7' } },
      ],
    },
    { calls: [{ name: 'BashKill', input: { job_id: 'job_1' } }] },
    { text: 'done' },
  ]);
  const results = resultsOf(await runToEnd(createTestAgent(project, provider), 'go'));
  expect(results.map(({ text }) => text)).toEqual([
    'Started job_1. BashOutput {job_id: "job_1"} reads what it writes, BashKill ends it; it ends with the session.',
    '<output>\nbeside it\n</output>\n<exit_code>0</exit_code>',
    '<output>\nup\n</output>\njob_1 (echo up; sleep 300) is running.',
    'There is no job "job_7". Known: job_1 (echo up; sleep 300) is running.',
    'job_1 (echo up; sleep 300) was ended.',
  ]);
});

test('reading and ending a job asks nobody; starting one does', async () => {
  project = createProject();
  const provider = createScriptedProvider([
    {
      calls: [
        { name: 'BashOutput', input: { job_id: 'job_1' } },
        { name: 'BashKill', input: { job_id: 'job_1' } },
        { name: 'Bash', input: { command: 'touch x', run_in_background: true } },
      ],
    },
    { text: 'done' },
  ]);
  const events = await runToEnd(createTestAgent(project, provider, { mode: 'default' }), 'go');
  expect(events.flatMap((event) => (event.type === 'permission_decided' ? [`${event.name} ${event.decision}`] : []))).toEqual([
    'BashOutput allow',
    'BashKill allow',
    'Bash deny',
  ]);
});
