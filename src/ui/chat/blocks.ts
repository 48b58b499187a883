import type { ErrorRecord } from '../../core/errors.ts';
import type { PermissionRequest } from '../permission-question.ts';

/** What is finished and goes to the scrollback, in order. */
export type Block =
  | { readonly type: 'welcome'; readonly lines: readonly string[] }
  | { readonly type: 'prompt'; readonly text: string; readonly mark: '>' | '!' | '»' }
  /** Rows of an answer as they were rendered. */
  | { readonly type: 'answer'; readonly rows: readonly string[] }
  | { readonly type: 'call'; readonly call: FinishedCall }
  /** What is asked about, where it does not fit into the dialog. */
  | { readonly type: 'question'; readonly request: PermissionRequest; readonly input: unknown; readonly before: string | null }
  | { readonly type: 'notice'; readonly text: string }
  | { readonly type: 'error'; readonly error: ErrorRecord }
  /** What a command of the chat says. */
  | { readonly type: 'lines'; readonly lines: readonly string[] }
  | { readonly type: 'patch'; readonly patch: string };

/** A call that has its answer. */
export interface FinishedCall {
  /** Counts the calls of this chat from 1: `/open 7`. */
  readonly number: number;
  readonly name: string;
  readonly subject: string;
  readonly durationMs: number;
  readonly isError: boolean;
  /** What the model was told. */
  readonly text: string;
  /** What it changed, as a unified diff; null where nothing did or it was shown before. */
  readonly patch: string | null;
  readonly wasRefused: boolean;
}
