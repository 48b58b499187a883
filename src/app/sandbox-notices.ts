import { AgentError } from '../core/errors.ts';
import type { Sandbox } from '../host/sandbox/sandbox.ts';

/**
 * What a person is to know of in what commands run here, a line each.
 * Errors: AgentError `sandbox_missing` where a sandbox was demanded and there is none.
 */
export function sandboxNotices({ kind, why, notes }: Sandbox, isRequired: boolean): readonly string[] {
  if (kind !== 'none') return notes;
  const reason = why ?? 'Nothing here can confine commands.';
  if (isRequired) {
    throw new AgentError({
      code: 'sandbox_missing',
      message: `Commands cannot be confined here: ${reason}`,
      remedy: 'Mend that, or go on without --require-sandbox.',
    });
  }
  return [`NO SANDBOX: commands run with your rights. ${reason}`];
}
