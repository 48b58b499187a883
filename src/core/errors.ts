/** What a provider or the network did to a request. */
export type ProviderErrorKind =
  | 'key_rejected'
  | 'quota'
  | 'rate_limit'
  | 'overloaded'
  | 'server'
  | 'bad_request'
  | 'context_overflow'
  | 'unreachable'
  | 'incomplete'
  | 'protocol'
  | 'malformed_call'
  | 'not_recorded'
  | 'aborted';

/** `message` carries the provider's own words where it sent any. `status` is null where no HTTP answer came. */
export interface ProviderError {
  readonly kind: ProviderErrorKind;
  readonly message: string;
  readonly status: number | null;
}

/** Stable names for what a user can mend; each has an entry in docs/errors.md. */
export type ErrorCode =
  | 'misuse'
  | 'no_model'
  | 'model_key_rejected'
  | 'model_quota'
  | 'model_overloaded'
  | 'model_unreachable'
  | 'model_bad_request'
  | 'model_context_full'
  | 'model_stream_broken'
  | 'model_replay_unknown'
  | 'cassette_unusable'
  | 'replay_impossible'
  | 'config_unreadable'
  | 'session_missing'
  | 'session_ambiguous'
  | 'session_taken'
  | 'session_unreadable'
  | 'session_write_failed'
  | 'folder_missing'
  | 'turn_limit'
  | 'hook_refused'
  | 'sandbox_missing'
  | 'tool_bug'
  | 'internal';

/** An error in its three parts: what happened, why (inside `message`), and what to do next. */
export interface ErrorRecord {
  readonly code: ErrorCode;
  readonly message: string;
  readonly remedy: string;
}

/** An error that the user can mend. */
export class AgentError extends Error implements ErrorRecord {
  readonly code: ErrorCode;
  readonly remedy: string;

  constructor(record: ErrorRecord, options?: ErrorOptions) {
    super(record.message, options);
    this.name = 'AgentError';
    this.code = record.code;
    this.remedy = record.remedy;
  }
}

/** The words of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The system error code of what was thrown (`ENOENT`, `EACCES`), or null. */
export function systemCodeOf(thrown: unknown): string | null {
  if (!(thrown instanceof Error) || !('code' in thrown)) return null;
  return typeof thrown.code === 'string' ? thrown.code : null;
}

const PROVIDER_REMEDIES: Record<ProviderErrorKind, { code: ErrorCode; remedy: string }> = {
  key_rejected: {
    code: 'model_key_rejected',
    remedy: 'Check the key in your environment, or choose another model with --model.',
  },
  quota: { code: 'model_quota', remedy: 'Check the plan and billing of this account, or choose another model with --model.' },
  rate_limit: { code: 'model_overloaded', remedy: 'Wait a little, then go on with --continue.' },
  overloaded: { code: 'model_overloaded', remedy: 'Wait a little, then go on with --continue.' },
  server: { code: 'model_overloaded', remedy: 'Wait a little, then go on with --continue.' },
  bad_request: { code: 'model_bad_request', remedy: 'Check the model name and base URL; the session is kept for --continue.' },
  context_overflow: { code: 'model_context_full', remedy: 'Start a new session, or ask for a smaller step.' },
  unreachable: { code: 'model_unreachable', remedy: 'Check the network and the base URL, then go on with --continue.' },
  incomplete: { code: 'model_stream_broken', remedy: 'The connection broke in mid-answer; go on with --continue.' },
  protocol: { code: 'model_stream_broken', remedy: 'The server sent what its protocol does not allow; go on with --continue.' },
  malformed_call: {
    code: 'model_stream_broken',
    remedy: 'The model garbled its tool calls several times; ask again, or choose another model.',
  },
  not_recorded: {
    code: 'model_replay_unknown',
    remedy: 'Give the same prompts in the same files, or record the cassette anew with --record.',
  },
  aborted: { code: 'model_stream_broken', remedy: 'Go on with --continue.' },
};

/** What a person reads of a provider's error. */
export function recordOfProviderError(error: ProviderError): ErrorRecord {
  const status = error.status === null ? '' : ` (HTTP ${error.status})`;
  return { ...PROVIDER_REMEDIES[error.kind], message: `${error.message}${status}` };
}
