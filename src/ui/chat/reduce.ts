import type { AgentEvent } from '../../core/agent-event.ts';
import type { ImageBlock } from '../../core/message.ts';
import { withText } from '../editor/input.ts';
import { cleanText, imageMark } from '../editor/pastes.ts';
import { type CommandWord, completionFor } from '../editor/completion.ts';
import type { Key } from '../keys/key.ts';
import type { Theme } from '../theme.ts';
import type { Say } from '../words/say.ts';
import type { Block } from './blocks.ts';
import type { Picker } from './picker.ts';
import { reduceAgentEvent, showWhole } from './reduce-agent.ts';
import { reduceKey } from './reduce-key.ts';
import { type ChatState, type SessionFacts, startRun, withBlock, withInserted } from './state.ts';
import type { Reduced } from './reduced.ts';

/** All that can happen to a chat. Times are of one clock, in milliseconds. */
export type ChatEvent =
  | { readonly type: 'key'; readonly key: Key; readonly nowMs: number }
  | {
      readonly type: 'agent';
      readonly event: AgentEvent;
      readonly nowMs: number;
      readonly patch: string | null;
      readonly before: string | null;
    }
  /** Rows of the answer: some are final, the others may still change. */
  | { readonly type: 'answer'; readonly finished: readonly string[]; readonly open: readonly string[] }
  | { readonly type: 'session'; readonly facts: SessionFacts; readonly commands: readonly CommandWord[] }
  | { readonly type: 'queued'; readonly prompt: string; readonly shown: string }
  | { readonly type: 'dequeued' }
  | { readonly type: 'run_started'; readonly block: Block | null; readonly nowMs: number }
  | { readonly type: 'run_ended' }
  | { readonly type: 'block'; readonly block: Block }
  | { readonly type: 'history'; readonly history: readonly string[] }
  | { readonly type: 'files'; readonly files: readonly string[] }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'language'; readonly say: Say }
  | { readonly type: 'theme'; readonly theme: Theme }
  /** An image, to be sent with what is being written. */
  | { readonly type: 'image'; readonly image: ImageBlock }
  /** Text at the caret. */
  | { readonly type: 'inserted'; readonly text: string }
  | { readonly type: 'pick'; readonly picker: Picker }
  | { readonly type: 'resized'; readonly columns: number; readonly rows: number }
  | { readonly type: 'committed'; readonly blocks: number }
  | { readonly type: 'hint'; readonly text: string; readonly untilMs: number };

/** What the chat is after something happened, and what it wants done. Pure. */
export function reduceChat(state: ChatState, event: ChatEvent): Reduced {
  if (event.type === 'key') return reduceKey(state, event.key, event.nowMs);
  return { state: reduceOther(state, event), wishes: [] };
}

function reduceOther(state: ChatState, event: Exclude<ChatEvent, { type: 'key' }>): ChatState {
  switch (event.type) {
    case 'agent':
      return reduceAgentEvent(withoutStaleHint(state), event.event, event);
    case 'answer': {
      const rows = event.finished;
      return { ...(rows.length === 0 ? state : withBlock(state, { type: 'answer', rows })), openRows: event.open };
    }
    case 'session':
      return { ...state, session: event.facts, commands: event.commands };
    case 'queued':
      return { ...state, queue: [...state.queue, { prompt: event.prompt, shown: event.shown }] };
    case 'dequeued':
      return { ...state, queue: state.queue.slice(1) };
    case 'run_started': {
      const started = { ...state, run: startRun(event.nowMs), interruptedMs: null };
      return event.block === null ? started : withBlock(started, event.block);
    }
    case 'run_ended':
      return { ...state, run: null, dialog: null, openRows: [], hint: null };
    case 'block':
      return withBlock(state, event.block);
    case 'history':
      return { ...state, input: { ...state.input, history: [...event.history, ...state.input.history] } };
    case 'files': {
      const candidates = { commands: state.commands, files: event.files };
      const completion = completionFor(state.input.buffer, candidates);
      return { ...state, files: event.files, input: { ...state.input, completion } };
    }
    case 'text':
      return { ...state, input: withText(state.input, event.text) };
    case 'image': {
      const mark = imageMark(state.images.size + 1);
      return { ...withInserted(state, mark), images: new Map([...state.images, [mark, event.image]]) };
    }
    case 'inserted':
      return withInserted(state, cleanText(event.text));
    case 'pick':
      return { ...state, picker: event.picker };
    case 'language':
      return { ...state, say: event.say };
    case 'theme':
      return { ...state, theme: event.theme };
    case 'resized':
      return showWhole({ ...state, columns: event.columns, rows: event.rows });
    case 'committed':
      return {
        ...state,
        pending: state.pending.slice(event.blocks),
        lastBlock: state.pending[event.blocks - 1]?.type ?? state.lastBlock,
      };
    case 'hint':
      return { ...state, hint: { text: event.text, untilMs: event.untilMs } };
  }
}

/** Whatever comes from the model ends the hint that nothing does. */
function withoutStaleHint(state: ChatState): ChatState {
  return state.hint?.untilMs === Infinity ? { ...state, hint: null } : state;
}
