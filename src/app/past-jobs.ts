import type { Agent } from '../core/agent.ts';
import { displayLine } from '../core/display-text.ts';
import type { PastJob, SessionNote } from '../core/session.ts';

const MAX_COMMAND_CHARS = 200;

/** The agent, whose model is told with the first prompt which background commands ended with the process that had started them. */
export function tellingEndedJobs(agent: Agent, jobs: readonly PastJob[], note: (note: SessionNote) => void): Agent {
  let untold = jobs.filter(({ hasEnded }) => !hasEnded);
  if (untold.length === 0) return agent;
  return {
    ...agent,
    run: (prompt, signal) => {
      if (untold.length === 0) return agent.run(prompt, signal);
      const told = { type: 'text', text: textOf(untold) } as const;
      for (const { id } of untold) note({ type: 'job_ended', id });
      untold = [];
      return agent.run([...(typeof prompt === 'string' ? [{ type: 'text', text: prompt } as const] : prompt), told], signal);
    },
  };
}

function textOf(jobs: readonly PastJob[]): string {
  const lines = jobs.map(({ id, command }) => `${id}: ${displayLine(command, MAX_COMMAND_CHARS)}`);
  return `<jobs_ended>\nThese background commands cannot be reached any more: they ended with the process that had this session, or are those of the session that this one was forked from. Start again what you need.\n${lines.join('\n')}\n</jobs_ended>`;
}
