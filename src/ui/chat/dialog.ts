import { isJsonObject } from '../../core/json-value.ts';
import type { PermissionAnswer } from '../../core/permission.ts';
import { editByKey } from '../editor/edit-keys.ts';
import { cleanText } from '../editor/pastes.ts';
import { bufferOf, EMPTY_BUFFER, insert, type TextBuffer } from '../editor/text-buffer.ts';
import { type Key, keyId } from '../keys/key.ts';
import { keepRule, type PermissionRequest } from '../permission-question.ts';

/** An open question to the person. */
export interface PermissionDialog {
  readonly request: PermissionRequest;
  /** The input of the call as the model gave it; null where it is not known. */
  readonly input: unknown;
  readonly openedMs: number;
  readonly phase: 'choose' | 'reason' | 'edit';
  /** What is being written: the reason, or the command. */
  readonly text: TextBuffer;
  /** Which of the rules is offered. */
  readonly offer: number;
}

/** What a key did: the dialog goes on, or there is an answer, or more is to be shown. */
export type DialogStep =
  | { readonly type: 'open'; readonly dialog: PermissionDialog }
  | { readonly type: 'answer'; readonly answer: PermissionAnswer }
  | { readonly type: 'details' };

/** Nobody reads and answers so soon: what comes then was typed for something else. */
export const DEAF_MS = 300;

export function openDialog(request: PermissionRequest, input: unknown, nowMs: number): PermissionDialog {
  return { request, input, openedMs: nowMs, phase: 'choose', text: EMPTY_BUFFER, offer: 0 };
}

export function pressInDialog(dialog: PermissionDialog, key: Key, nowMs: number): DialogStep {
  if (nowMs - dialog.openedMs < DEAF_MS) return { type: 'open', dialog };
  return dialog.phase === 'choose' ? choose(dialog, key) : write(dialog, key);
}

/** The key of the input that holds the command, so that an edited one can take its place. */
export function commandKeyOf({ request, input }: PermissionDialog): string | null {
  if (!isJsonObject(input)) return null;
  return Object.keys(input).find((key) => key === 'command' || (key === 'cmd' && input[key] === request.subject)) ?? null;
}

function choose(dialog: PermissionDialog, key: Key): DialogStep {
  const { request, offer } = dialog;
  const id = keyId(key) ?? (key.type === 'text' ? key.text.toLowerCase() : '');
  const kept = (scope: 'session' | 'project' | 'user'): DialogStep => {
    const rule = request.offers[offer];
    return rule === undefined ? { type: 'open', dialog } : { type: 'answer', answer: keepRule(rule, scope) };
  };
  switch (id) {
    case 'y':
    case '是':
    case '好':
      return { type: 'answer', answer: { type: 'allow', scope: 'once' } };
    case 's':
      return kept('session');
    case 'p':
      return kept('project');
    case 'u':
      return kept('user');
    case 'n':
    case '否':
    case '不':
    case 'enter':
    case 'escape':
      return { type: 'answer', answer: { type: 'deny' } };
    case 't':
      return { type: 'open', dialog: { ...dialog, phase: 'reason', text: EMPTY_BUFFER } };
    case 'e':
      return startEdit(dialog);
    case 'd':
      return { type: 'details' };
    case 'right':
    case 'tab':
      return { type: 'open', dialog: { ...dialog, offer: (offer + 1) % Math.max(1, request.offers.length) } };
    case 'left':
      return {
        type: 'open',
        dialog: { ...dialog, offer: (offer + request.offers.length - 1) % Math.max(1, request.offers.length) },
      };
    default:
      return { type: 'open', dialog };
  }
}

function startEdit(dialog: PermissionDialog): DialogStep {
  const key = commandKeyOf(dialog);
  if (key === null || !isJsonObject(dialog.input)) return { type: 'open', dialog };
  return { type: 'open', dialog: { ...dialog, phase: 'edit', text: bufferOf(cleanText(String(dialog.input[key]))) } };
}

function write(dialog: PermissionDialog, key: Key): DialogStep {
  if (key.type !== 'key') return { type: 'open', dialog: { ...dialog, text: insert(dialog.text, cleanText(key.text)) } };
  switch (keyId(key)) {
    case 'escape':
      return { type: 'open', dialog: { ...dialog, phase: 'choose', text: EMPTY_BUFFER } };
    case 'enter':
      return written(dialog);
    case 'shift+enter':
    case 'alt+enter':
    case 'ctrl+j':
      return { type: 'open', dialog: { ...dialog, text: insert(dialog.text, '\n') } };
    default: {
      const edited = editByKey({ buffer: dialog.text, cut: '' }, key);
      return { type: 'open', dialog: edited === null ? dialog : { ...dialog, text: edited.buffer } };
    }
  }
}

function written(dialog: PermissionDialog): DialogStep {
  const text = dialog.text.text.trim();
  if (dialog.phase === 'reason')
    return { type: 'answer', answer: text === '' ? { type: 'deny' } : { type: 'deny', reason: text } };
  const key = commandKeyOf(dialog);
  if (key === null || !isJsonObject(dialog.input) || text === '') return { type: 'answer', answer: { type: 'deny' } };
  return { type: 'answer', answer: { type: 'allow', scope: 'once', editedInput: { ...dialog.input, [key]: text } } };
}
