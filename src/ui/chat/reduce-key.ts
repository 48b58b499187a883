import { type Candidates, wantedFile } from '../editor/completion.ts';
import { EMPTY_INPUT, pressKey, submitted, withText } from '../editor/input.ts';
import { droppedImage } from '../editor/dropped-path.ts';
import { cleanText, expandPastes, imageMarksIn, showPastes } from '../editor/pastes.ts';
import { type Key, keyId } from '../keys/key.ts';
import { pressInDialog } from './dialog.ts';
import { pressInPicker } from './picker.ts';
import { type ChatState, withBlock, withInserted } from './state.ts';
import type { Reduced } from './reduced.ts';
import type { Wish } from './wish.ts';

/** A second Ctrl-C within this time leaves, and a second Escape goes back. */
const TWICE_MS = 2000;
/** Columns before the text of the input. */
export const PROMPT_COLUMNS = 2;

/** The state after a key, and what the person wants with it. Pure. */
export function reduceKey(state: ChatState, key: Key, nowMs: number): Reduced {
  const id = keyId(key);
  if (state.picker !== null && state.dialog === null) return keyInPicker(state, key);
  if (id === 'ctrl+c') return interrupt(state, nowMs);
  if (id === 'ctrl+z') return { state, wishes: [{ type: 'suspend' }] };
  if (id === 'ctrl+l') return { state, wishes: [{ type: 'repaint' }] };
  if (state.dialog !== null) return keyInDialog(state, key, nowMs);
  if (state.input.search === null && state.input.completion === null) {
    const global = globalKey(state, id, nowMs);
    if (global !== null) return global;
  }
  return keyInInput(state, key);
}

function stay(state: ChatState, ...wishes: readonly Wish[]): Reduced {
  return { state, wishes };
}

/** First it takes back what is written or stops what runs; soon again it leaves. */
function interrupt(state: ChatState, nowMs: number): Reduced {
  if (state.interruptedMs !== null && nowMs - state.interruptedMs < TWICE_MS) return stay(state, { type: 'leave' });
  const hint = { text: state.say('hint_leave'), untilMs: nowMs + TWICE_MS };
  const next = { ...state, interruptedMs: nowMs, hint };
  if (state.run !== null) return stopRun(next);
  return stay({
    ...next,
    input: { ...EMPTY_INPUT, history: state.input.history, cut: state.input.buffer.text || state.input.cut },
  });
}

/** What was queued comes back into the input: nothing runs that the person may no longer want, and nothing is lost. */
function stopRun(state: ChatState): Reduced {
  const { run, queue, input, dialog } = state;
  if (run === null) return stay(state);
  const texts = [...queue.map(({ prompt }) => prompt), ...(input.buffer.text === '' ? [] : [input.buffer.text])];
  const denial: readonly Wish[] =
    dialog === null ? [] : [{ type: 'answer', requestId: dialog.request.requestId, answer: { type: 'deny' } }];
  return stay(
    {
      ...state,
      dialog: null,
      queue: [],
      run: { ...run, doing: 'stopping' },
      input: queue.length === 0 ? input : { ...withText(input, texts.join('\n')), pastes: input.pastes },
    },
    ...denial,
    { type: 'interrupt' },
  );
}

function keyInPicker(state: ChatState, key: Key): Reduced {
  const { picker } = state;
  if (picker === null) return stay(state);
  const step = pressInPicker(picker, key);
  if (step.type === 'open') return stay({ ...state, picker: step.picker });
  const closed = { ...state, picker: null, escapedMs: null };
  return step.wish === null ? stay(closed) : stay(closed, step.wish);
}

/** Where nothing runs and nothing is written, a second one soon after lists the prompts to go back to. */
function escape(state: ChatState, nowMs: number): Reduced | null {
  if (state.input.buffer.text !== '' || state.session === null) return null;
  if (state.escapedMs !== null && nowMs - state.escapedMs < TWICE_MS)
    return stay({ ...state, escapedMs: null, hint: null }, { type: 'command', name: 'rewind', argument: '' });
  return stay({ ...state, escapedMs: nowMs, hint: { text: state.say('escape_again'), untilMs: nowMs + TWICE_MS } });
}

function keyInDialog(state: ChatState, key: Key, nowMs: number): Reduced {
  const { dialog } = state;
  if (dialog === null) return stay(state);
  const step = pressInDialog(dialog, key, nowMs);
  switch (step.type) {
    case 'open':
      return stay({ ...state, dialog: step.dialog });
    case 'early':
      return stay(withInserted({ ...state, dialog: step.dialog }, cleanText(step.text)));
    case 'details':
      return stay(withBlock(state, { type: 'lines', lines: detailsOf(state) }));
    case 'answer':
      return stay({ ...state, dialog: null }, { type: 'answer', requestId: dialog.request.requestId, answer: step.answer });
  }
}

function detailsOf({ dialog, session, say }: ChatState): readonly string[] {
  if (dialog === null) return [];
  return [
    dialog.request.name,
    ...dialog.request.details.map((line) => `  ${line}`),
    ...dialog.request.parts.map(({ text, decision, because }) => `  ${decision}  ${text}  ${because}`),
    ...(session === null
      ? []
      : [`  ${say('facts_of_session', { folder: session.cwd, mode: session.mode, sandbox: session.sandbox })}`]),
  ];
}

function globalKey(state: ChatState, id: string | null, nowMs: number): Reduced | null {
  const { input, run, queue } = state;
  const isEmpty = input.buffer.text === '';
  switch (id) {
    case 'ctrl+d':
      return isEmpty ? stay(state, { type: 'leave' }) : null;
    case 'ctrl+g':
      return stay(state, { type: 'edit_text', text: expandPastes(input.buffer.text, input.pastes) });
    case 'ctrl+v':
      return stay(state, { type: 'paste_image' });
    case 'ctrl+o':
      return stay(state, { type: 'command', name: 'open', argument: '' });
    case 'escape':
      return run === null ? escape(state, nowMs) : stopRun(state);
    case 'up': {
      const last = queue.at(-1);
      if (last === undefined || !isEmpty) return null;
      return stay({ ...state, queue: queue.slice(0, -1), input: withText(input, last.prompt) });
    }
    default:
      return null;
  }
}

function keyInInput(state: ChatState, key: Key): Reduced {
  const dropped = key.type === 'paste' && state.input.search === null ? droppedImage(key.text) : null;
  if (dropped !== null && key.type === 'paste') return stay(state, { type: 'attach', path: dropped, text: key.text });
  const candidates: Candidates = { commands: state.commands, files: state.files };
  const pressed = pressKey(state.input, key, { width: Math.max(4, state.columns - PROMPT_COLUMNS - 1), candidates });
  if (pressed === null) return stay(state);
  const next = { ...state, input: pressed.input };
  if (pressed.wish !== null) return submit(next, pressed.wish);
  const wantsFiles = state.files === null && wantedFile(pressed.input.buffer) !== null;
  return wantsFiles ? stay(next, { type: 'list_files' }) : stay(next);
}

function submit(state: ChatState, wish: 'submit' | 'steer'): Reduced {
  const { input } = state;
  const prompt = expandPastes(input.buffer.text, input.pastes).trim();
  const shown = showPastes(input.buffer.text, input.pastes).trim();
  if (prompt === '') return stay(state);
  const remembered = showPastes(prompt, EMPTY_INPUT.pastes);
  const next = { ...state, input: submitted(input, remembered) };
  const remember: Wish = { type: 'remember', text: remembered };
  const command = /^\/([a-z0-9][\w:-]*)(?:\s+([\s\S]*))?$/i.exec(prompt);
  if (command !== null)
    return stay(next, remember, { type: 'command', name: (command[1] ?? '').toLowerCase(), argument: command[2] ?? '' });
  if (/^(?:exit|quit)$/.test(prompt)) return stay(next, { type: 'leave' });
  if (prompt === '?') return stay(next, { type: 'command', name: 'help', argument: '' });
  if (state.run !== null && wish === 'steer' && imageMarksIn(prompt).length === 0) {
    return stay(withBlock(next, { type: 'prompt', text: shown, mark: '»' }), remember, { type: 'steer', text: prompt });
  }
  if (state.run !== null || state.session === null)
    return stay({ ...next, queue: [...state.queue, { prompt, shown }] }, remember);
  return stay(next, remember, wishOf({ prompt, shown }));
}

/** A command of one's own behind `!`, or a prompt. */
export function wishOf({ prompt, shown }: { readonly prompt: string; readonly shown: string }): Wish {
  return prompt.startsWith('!') && prompt.length > 1
    ? { type: 'shell', command: prompt.slice(1).trim() }
    : { type: 'run', prompt, shown };
}
