import { defineTool } from '../core/define-tool.ts';
import type { Job } from '../core/ports.ts';
import type { Tool } from '../core/tool.ts';
import { fail, succeed } from '../core/tool-result.ts';
import { describeJob, unknownJob } from './job-answer.ts';

const DESCRIPTION = `Ends a background command with all that it started.
Use it for a job that Bash started with run_in_background and that is no longer needed; every job ends with the session anyway. To read its output first use BashOutput.`;

const INPUT = {
  type: 'object',
  properties: { job_id: { type: 'string', description: 'The id that Bash gave, for example "job_1".' } },
  required: ['job_id'],
  additionalProperties: false,
} as const;

/** Ends background commands. */
export function createBashKillTool(): Tool<{ readonly job_id: string }, Job> {
  return defineTool({
    name: 'BashKill',
    description: DESCRIPTION,
    inputSchema: INPUT,
    category: 'shell',
    aliases: { snakeCase: 'kill_command', keys: { id: 'job_id', jobId: 'job_id', bash_id: 'job_id' } },
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
