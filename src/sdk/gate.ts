import { realPlaceOf } from '../app/real-place.ts';
import type { Backend } from '../core/backend.ts';
import { AgentError } from '../core/errors.ts';
import type { PermissionMode, PermissionRule } from '../core/permission.ts';
import type { PermissionPolicy } from '../core/policy.ts';
import type { Tool } from '../core/tool.ts';
import { createPolicy } from '../permissions/policy.ts';
import { parseRule } from '../permissions/rules/rules.ts';

/** What calls may do. Without any, what only reads in the project passes, and the rest asks. */
export interface Permissions {
  /** Default `default`. */
  readonly mode?: PermissionMode;
  /** Rules as text: `Bash(npm test)`, `Edit(src/**)`, `ReadFile`. What refuses is stronger than what allows. */
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  /** Without a sandbox, rules may allow what runs project code. Default false. */
  readonly acceptUnsandboxed?: boolean;
}

// Elsewhere there is no home of which anything would be known.
const NO_HOME = '/home/nobody';

/** The gate of a backend. Errors: AgentError `misuse` for a rule that is none. */
export function createGate(backend: Backend, permissions: Permissions, tools: readonly Tool[]): PermissionPolicy {
  const { cwd, files, machine, outputs } = backend;
  const policy = createPolicy({
    mode: permissions.mode ?? 'default',
    cwd,
    roots: [cwd],
    rules: rulesOf(permissions, tools),
    acceptUnsandboxed: permissions.acceptUnsandboxed ?? false,
    home: machine?.home ?? NO_HOME,
    readableRoots: [machine === undefined ? outputs.folder : realPlaceOf(outputs.folder)],
    ...(machine === undefined
      ? { elsewhere: files }
      : {
          ownFolders: machine.ownFolders,
          environment: machine.environment,
          sandbox: {
            get isAvailable() {
              return machine.isConfined();
            },
          },
        }),
  });
  machine?.onDenied((command, denial) => policy.noteDenied?.(command, denial));
  return policy;
}

function rulesOf(permissions: Permissions, tools: readonly Tool[]): readonly PermissionRule[] {
  return (['allow', 'ask', 'deny'] as const).flatMap((behavior) =>
    (permissions[behavior] ?? []).map((text) => {
      const rule = parseRule(text, { behavior, scope: 'session', origin: `permissions.${behavior}` }, tools);
      if (!('fault' in rule)) return rule;
      throw new AgentError({ code: 'misuse', message: rule.fault, remedy: 'Mend the rule, or take it out.' });
    }),
  );
}
