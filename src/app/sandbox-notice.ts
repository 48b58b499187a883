import { AgentError } from '../core/errors.ts';
import type { Sandbox } from '../host/sandbox/sandbox.ts';

/**
 * What a person is to know of a machine that confines nothing; null where commands are confined.
 * Errors: AgentError `sandbox_missing` where a sandbox was demanded.
 */
export function sandboxNotice({ kind, why }: Sandbox, isRequired: boolean): string | null {
  if (kind !== 'none') return null;
  const reason = why ?? 'Nothing here can confine commands.';
  if (isRequired) {
    throw new AgentError({
      code: 'sandbox_missing',
      message: `Commands cannot be confined here: ${reason}`,
      remedy: 'Mend that, or go on without --require-sandbox.',
    });
  }
  return `NO SANDBOX: commands run with your rights. ${reason}`;
}
