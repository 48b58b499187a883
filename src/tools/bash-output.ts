import { defineTool } from '../core/define-tool.ts';
import type { Job } from '../core/ports.ts';
import type { Tool } from '../core/tool.ts';
import { fail, succeed } from '../core/tool-result.ts';
import { describeJob, JOB_INPUT, JOB_KEYS, unknownJob } from './job-answer.ts';

const DESCRIPTION = `Returns what a background command has written since it was last read, and whether it still runs.
Use it for a job that Bash started with run_in_background. It does not wait: look again after other work. To end a job use BashKill.
Over 10,000 characters the middle is left out and all of it goes to a file that the answer names.`;

/** Reads background commands. */
export function createBashOutputTool(): Tool<{ readonly job_id: string }, Job> {
  return defineTool({
    name: 'BashOutput',
    description: DESCRIPTION,
    inputSchema: JOB_INPUT,
    category: 'shell',
    aliases: { snakeCase: 'command_output', keys: JOB_KEYS },
    isReadOnly: true,
    isDestructive: false,
    footprint: ({ job_id: id }) => ({ extent: 'listed', reads: [], writes: [{ kind: 'job', id }] }),
    subject: ({ job_id: id }) => id,
    execute: async ({ jobs }, { job_id: id }) => {
      const output = await jobs.readNew(id);
      if (output === null) return fail(unknownJob(id, jobs));
      const text = output.text === '' ? 'Nothing new.' : `<output>\n${output.text.replace(/\n$/, '')}\n</output>`;
      return succeed(`${text}\n${describeJob(output.job)}`, output.job);
    },
  });
}
