import { defineTool } from '../core/define-tool.ts';
import type { Job } from '../core/ports.ts';
import type { Tool } from '../core/tool.ts';
import { fail, succeed } from '../core/tool-result.ts';
import { describeJob, JOB_INPUT, JOB_KEYS, unknownJob } from './job-answer.ts';

const DESCRIPTION = `Ends a background command with all that it started.
Use it for a job that Bash started with run_in_background and that is no longer needed; every job ends with the session anyway. To read its output first use BashOutput.
Returns how the job ended. What it has written until then can still be read; what it has changed is not taken back. An unknown id is an error that lists the known ones.`;

/** Ends background commands. */
export function createBashKillTool(): Tool<{ readonly job_id: string }, Job> {
  return defineTool({
    name: 'BashKill',
    description: DESCRIPTION,
    inputSchema: JOB_INPUT,
    category: 'shell',
    aliases: { snakeCase: 'kill_command', keys: JOB_KEYS },
    isReadOnly: false,
    isDestructive: false,
    footprint: ({ job_id: id }) => ({ extent: 'listed', reads: [], writes: [{ kind: 'job', id }] }),
    subject: ({ job_id: id }) => id,
    execute: async ({ jobs }, { job_id: id }) => {
      const job = await jobs.kill(id);
      return job === null ? fail(unknownJob(id, jobs)) : succeed(describeJob(job), job);
    },
  });
}
