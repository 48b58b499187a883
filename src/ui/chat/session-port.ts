import type { Agent } from '../../core/agent.ts';
import type { AgentEvent } from '../../core/agent-event.ts';
import type { Preferences } from '../preferences.ts';
import type { SessionChoice } from '../pick-session.ts';
import type { Say } from '../words/say.ts';
import type { PastPrompt } from './rewind-picker.ts';
import type { SessionFacts } from './state.ts';
import type { RewindPart } from './wish.ts';

/** Which changes to show: those of the last turn that made any, of the whole session, or of one call. */
export type DiffChoice =
  | { readonly type: 'last' }
  | { readonly type: 'to'; readonly turn: 0 }
  | { readonly type: 'call'; readonly toolUseId: string };

/** A session as the terminal needs it. What is not there has no command. */
export interface ChatSession {
  readonly id: string;
  readonly facts: SessionFacts;
  readonly preferences?: Preferences;
  /** In the language of the person's settings. */
  readonly say?: Say;
  /** Lines to show first, styled by nobody yet. */
  readonly welcome: readonly string[];
  readonly toolNames: readonly string[];
  /** The agent that takes a prompt; another one where the prompt asks for a place of its own. */
  agentFor(prompt: string): Promise<{ readonly agent: Agent; readonly notices: readonly string[] }>;
  undo?(verb: 'undo' | 'redo'): Promise<readonly string[]>;
  /** The prompts to which it can go back, in order. */
  turns?(): Promise<readonly PastPrompt[]>;
  /** Between runs: takes conversation, files, or both back to where a turn had ended. Gives lines to show. */
  rewind?(choice: { readonly toTurn: number; readonly part: RewindPart }): Promise<readonly string[]>;
  /** A unified diff; null where nothing changed. */
  diff?(choice: DiffChoice): Promise<string | null>;
  /** A command that the person typed, behind the same gate and in the same sandbox as those of the model. */
  runCommand?(command: string, signal: AbortSignal): AsyncIterable<AgentEvent>;
  /** Names for `switchModel`. */
  models?(): Promise<readonly string[]>;
  /** The same conversation with another model. This session is closed then. Errors: AgentError, and this session stays. */
  switchModel?(name: string): Promise<ChatSession>;
  /** A new conversation in the same place. This session is closed then. */
  startAnew?(): Promise<ChatSession>;
  /** The mode and the rules, a line each. */
  permissions?(): Promise<readonly string[]>;
  /** What each MCP server is at, a line each. */
  servers?(): Promise<readonly string[]>;
  /** Between runs: puts a summary in place of the older messages. */
  compact?(signal: AbortSignal): AsyncIterable<AgentEvent>;
  /** The sessions of this folder, the newest first. */
  sessions?(): Promise<readonly SessionChoice[]>;
  /** Goes on with another session, by id or name. This one is closed then. Errors: AgentError, and this session stays. */
  resume?(session: string): Promise<ChatSession>;
  /** Writes the session to a file, or to one named after it where none is given; tells which. Errors: AgentError. */
  export?(file: string): Promise<string>;
  /** Prompts that the person and the project keep. */
  readonly prompts?: readonly {
    readonly name: string;
    readonly summary: string;
    expand(argument: string): Promise<string>;
  }[];
  /** True where a model answers, and not the demo. */
  readonly canInit?: boolean;
  close(): Promise<void>;
}
