import type { Asker } from '../calls/permit-call.ts';

/** Whoever types a command has allowed what it says, but not outside of the folder that it names. */
export const allowOwnAct: Asker = async ({ judgement }) => {
  const outside = judgement.parts.find((part) => part.cause === 'outside');
  return outside === undefined
    ? { type: 'allow', scope: 'once' }
    : { type: 'deny', reason: `${outside.because}; --cwd names the workspace.` };
};
