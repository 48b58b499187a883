import type { Lifecycle } from '../../core/ports.ts';

/** A hook's wish to stop, as each agent of a session hears it. */
export interface PassedStop {
  readonly forMain: Lifecycle;
  readonly forSubAgents: Lifecycle;
}

/** What stops a sub-agent stops all of them, and then their parent. */
export function passStop(lifecycle: Lifecycle): PassedStop {
  let passed: string | null = null;
  const others: Omit<Lifecycle, 'takeStop'> = {
    sessionStarts: (source, run) => lifecycle.sessionStarts(source, run),
    promptGiven: (prompt, run) => lifecycle.promptGiven(prompt, run),
    runEnds: (isGoingOn, run) => lifecycle.runEnds(isGoingOn, run),
  };
  return {
    forMain: {
      ...others,
      takeStop: () => {
        const reason = passed ?? lifecycle.takeStop();
        passed = null;
        return reason;
      },
    },
    forSubAgents: {
      ...others,
      takeStop: () => {
        passed ??= lifecycle.takeStop();
        return passed;
      },
    },
  };
}
