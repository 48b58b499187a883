import { displayLine } from '../../core/display-text.ts';
import { isJsonObject } from '../../core/json-value.ts';
import { partReason } from '../../core/part-reason.ts';
import type { CallAnswer, CallQuestion } from './served-tools.ts';

/** A form of the protocol: a text, and flat fields to fill in. */
export interface PermissionForm {
  readonly message: string;
  readonly requestedSchema: typeof FIELDS;
}

const MAX_REASON_CHARS = 400;
const MAX_PARTS = 12;
const ALLOW_ONCE = 'allow once';

const FIELDS = {
  type: 'object' as const,
  properties: {
    decision: { type: 'string' as const, title: 'Decision', enum: [ALLOW_ONCE, 'deny'] },
    reason: { type: 'string' as const, title: 'Why not', description: 'If you deny it: what the model should know.' },
  },
  required: ['decision'],
};

/** A question as a person gets it from their client: the whole call, what of it asks, and why. */
export function permissionForm({ name, details, parts }: CallQuestion): PermissionForm {
  const asking = parts.filter((part) => part.decision === 'ask');
  const reasons = asking
    .slice(0, MAX_PARTS)
    .map(
      (part) => `because ${displayLine(partReason(part, { count: parts.length, maxChars: MAX_REASON_CHARS }), MAX_REASON_CHARS)}`,
    );
  const left = asking.length - reasons.length;
  const lines = [
    `May ${displayLine(name)} run?`,
    ...details,
    ...reasons,
    ...(left > 0 ? [`and ${left} more parts that ask`] : []),
  ];
  return { message: lines.join('\n'), requestedSchema: FIELDS };
}

/** What came back for a form. Whatever is not a plain yes is a no. */
export function readPermission(response: unknown, fingerprint: string): CallAnswer {
  if (!isJsonObject(response) || response['action'] !== 'accept' || !isJsonObject(response['content']))
    return { type: 'deny', fingerprint };
  const { decision, reason } = response['content'];
  if (decision === ALLOW_ONCE) return { type: 'allow', fingerprint };
  return typeof reason === 'string' && reason.trim() !== ''
    ? { type: 'deny', fingerprint, reason: displayLine(reason, MAX_REASON_CHARS) }
    : { type: 'deny', fingerprint };
}
