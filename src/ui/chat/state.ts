import type { PermissionMode } from '../../core/permission.ts';
import type { ImageBlock } from '../../core/message.ts';
import type { Todo } from '../../core/todo-list.ts';
import { NO_USAGE, type Usage } from '../../core/model.ts';
import type { CommandWord } from '../editor/completion.ts';
import { EMPTY_INPUT, type Input } from '../editor/input.ts';
import { insert } from '../editor/text-buffer.ts';
import type { Theme } from '../theme.ts';
import { type Say, sayInEnglish } from '../words/say.ts';
import type { Block, FinishedCall } from './blocks.ts';
import type { PermissionDialog } from './dialog.ts';
import type { Picker } from './picker.ts';

/** What the status line tells of the session. */
export interface SessionFacts {
  readonly model: string;
  readonly mode: PermissionMode;
  readonly sandbox: string;
  readonly cwd: string;
  /** Tokens that the model can hold; null where that is not known. */
  readonly contextTokens: number | null;
  /** The model takes images. */
  readonly seesImages: boolean;
}

/** A call that runs. */
export interface LiveCall {
  readonly id: string;
  readonly name: string;
  readonly subject: string;
  readonly startedMs: number;
  /** The end of what it wrote so far. */
  readonly tail: string;
}

/** What happens while the agent works. */
export interface Run {
  readonly startedMs: number;
  readonly doing: 'waiting' | 'thinking' | 'answering' | 'calling' | 'stopping';
  readonly calls: readonly LiveCall[];
  /** What the model gave each call, by the call's id. */
  readonly inputs: ReadonlyMap<string, unknown>;
  /** Calls whose change was shown when it was asked for. */
  readonly shownBefore: ReadonlySet<string>;
  readonly refused: ReadonlySet<string>;
  readonly retry: { readonly untilMs: number; readonly cause: string } | null;
  readonly usage: Usage;
}

/** A message that waits for its turn. */
export interface Queued {
  readonly prompt: string;
  readonly shown: string;
}

/** All that the chat knows. What is drawn follows from it and the size of the screen. */
export interface ChatState {
  readonly session: SessionFacts | null;
  readonly theme: Theme;
  readonly say: Say;
  readonly columns: number;
  readonly rows: number;
  readonly input: Input;
  readonly commands: readonly CommandWord[];
  readonly files: readonly string[] | null;
  readonly run: Run | null;
  readonly queue: readonly Queued[];
  /** What was attached, by the character that stands for it in a text. */
  readonly images: ReadonlyMap<string, ImageBlock>;
  readonly dialog: PermissionDialog | null;
  /** A list that is open in place of the input. */
  readonly picker: Picker | null;
  readonly todos: readonly Todo[];
  readonly usage: Usage;
  readonly cost: number | null;
  /** Tokens of the last request and its answer. */
  readonly contextUsed: number | null;
  /** The open rows of the answer that streams. */
  readonly openRows: readonly string[];
  /** The last calls, for `/open` and Ctrl-O. */
  readonly calls: readonly FinishedCall[];
  readonly callCount: number;
  /** The last whole answer, for `/copy`. */
  readonly answer: string;
  readonly hint: { readonly text: string; readonly untilMs: number } | null;
  /** When Ctrl-C was pressed last: a second one soon after means more. */
  readonly interruptedMs: number | null;
  /** The same of Escape where nothing ran. */
  readonly escapedMs: number | null;
  /** Finished, and not yet on the screen. */
  readonly pending: readonly Block[];
  /** The type of the block that was committed last: it decides about a blank line. */
  readonly lastBlock: Block['type'] | null;
}

export function createChatState({
  columns,
  rows = 24,
  theme,
  say = sayInEnglish,
}: {
  readonly columns: number;
  readonly rows?: number;
  readonly theme: Theme;
  readonly say?: Say;
}): ChatState {
  return {
    session: null,
    theme,
    say,
    columns,
    rows,
    input: EMPTY_INPUT,
    commands: [],
    files: null,
    run: null,
    queue: [],
    images: new Map(),
    dialog: null,
    picker: null,
    todos: [],
    usage: NO_USAGE,
    cost: 0,
    contextUsed: null,
    openRows: [],
    calls: [],
    callCount: 0,
    answer: '',
    hint: null,
    interruptedMs: null,
    escapedMs: null,
    pending: [],
    lastBlock: null,
  };
}

export function startRun(nowMs: number): Run {
  return {
    startedMs: nowMs,
    doing: 'waiting',
    calls: [],
    inputs: new Map(),
    shownBefore: new Set(),
    refused: new Set(),
    retry: null,
    usage: NO_USAGE,
  };
}

/** The state with text at the caret of the input. */
export function withInserted(state: ChatState, text: string): ChatState {
  if (text === '') return state;
  return { ...state, input: { ...state.input, buffer: insert(state.input.buffer, text), browsing: null, completion: null } };
}

/** The state with one more block for the scrollback. */
export function withBlock(state: ChatState, block: Block): ChatState {
  return { ...state, pending: [...state.pending, block] };
}
