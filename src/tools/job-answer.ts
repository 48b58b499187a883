import type { Job, JobTable } from '../core/ports.ts';

/** The input of the tools that deal with one job. */
export const JOB_INPUT = {
  type: 'object',
  properties: { job_id: { type: 'string', description: 'The id that Bash gave, for example "job_1".' } },
  required: ['job_id'],
  additionalProperties: false,
} as const;

/** Other spellings of its key. */
export const JOB_KEYS = { id: 'job_id', jobId: 'job_id', bash_id: 'job_id' } as const;

/** The state of a job in words. */
export function describeJob({ id, command, state, exitCode }: Job): string {
  const name = `${id} (${command.split('\n', 1)[0]})`;
  if (state === 'running') return `${name} is running.`;
  if (state === 'killed') return `${name} was ended.`;
  return exitCode === null ? `${name} could not be started.` : `${name} has exited with code ${exitCode}.`;
}

/** The error of an id that no job has. */
export function unknownJob(id: string, jobs: JobTable): string {
  const known = jobs.list();
  if (known.length === 0)
    return `There is no job "${id}": nothing was started in the background. Start it with Bash and run_in_background.`;
  return `There is no job "${id}". Known: ${known.map(describeJob).join(' ')}`;
}
