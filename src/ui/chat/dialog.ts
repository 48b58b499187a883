import { isJsonObject } from '../../core/json-value.ts';
import type { PermissionAnswer } from '../../core/permission.ts';
import { editByKey } from '../editor/edit-keys.ts';
import { cleanText } from '../editor/pastes.ts';
import { bufferOf, EMPTY_BUFFER, insert, type TextBuffer } from '../editor/text-buffer.ts';
import { decide, decideRest, type EditReview, reviewedInput, reviewOf } from './edit-review.ts';
import { type Key, keyId } from '../keys/key.ts';
import { keepRule, type PermissionRequest } from '../permission-question.ts';

/** An open question to the person. */
export interface PermissionDialog {
  readonly request: PermissionRequest;
  /** The input of the call as the model gave it; null where it is not known. */
  readonly input: unknown;
  /** The text of the file that would be written over; null where there is none, or it is no edit of a text. */
  readonly before: string | null;
  /** The whole call stands in the scrollback, since the dialog has no room for all of it. */
  readonly isAbove: boolean;
  /** What comes before was not typed for this. */
  readonly deafUntilMs: number;
  readonly phase: 'choose' | 'reason' | 'edit' | 'review';
  /** The changes of an edit, while they are gone through. */
  readonly review: EditReview | null;
  /** What is being written: the reason, or the command. */
  readonly text: TextBuffer;
  /** Which of the rules is offered. */
  readonly offer: number;
}

/** What a key did: the dialog goes on, or there is an answer, or more is to be shown. */
export type DialogStep =
  | { readonly type: 'open'; readonly dialog: PermissionDialog }
  | { readonly type: 'answer'; readonly answer: PermissionAnswer }
  | { readonly type: 'details' }
  /** It was typed before the question could be read: a text goes on where it was being written. */
  | { readonly type: 'early'; readonly dialog: PermissionDialog; readonly text: string };

/** Nobody reads and answers so soon: what comes then, and what follows it without a pause, was typed for something else. */
export const DEAF_MS = 300;

export function openDialog(
  request: PermissionRequest,
  { input, before, nowMs }: { readonly input: unknown; readonly before: string | null; readonly nowMs: number },
): PermissionDialog {
  return {
    request,
    input,
    before,
    isAbove: false,
    deafUntilMs: nowMs + DEAF_MS,
    phase: 'choose',
    review: null,
    text: EMPTY_BUFFER,
    offer: 0,
  };
}

export function pressInDialog(dialog: PermissionDialog, key: Key, nowMs: number): DialogStep {
  if (nowMs < dialog.deafUntilMs) {
    const text = key.type === 'key' ? '' : key.text;
    return { type: 'early', dialog: { ...dialog, deafUntilMs: nowMs + DEAF_MS }, text };
  }
  if (dialog.review !== null) return goThrough(dialog, dialog.review, key);
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
    case 'r': {
      const review = reviewOf(dialog.input, dialog.before);
      return { type: 'open', dialog: review === null ? dialog : { ...dialog, phase: 'review', review } };
    }
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

function goThrough(dialog: PermissionDialog, review: EditReview, key: Key): DialogStep {
  const open = (next: EditReview): DialogStep => ({ type: 'open', dialog: { ...dialog, review: next } });
  const count = review.changes.length;
  switch (keyId(key) ?? (key.type === 'text' ? key.text : '')) {
    case 'a':
    case 'y':
      return open(decide(review, 'taken'));
    case 'r':
    case 'n':
      return open(decide(review, 'left'));
    case 'A':
      return open(decideRest(review, 'taken'));
    case 'down':
    case 'right':
    case 'tab':
      return open({ ...review, at: (review.at + 1) % count });
    case 'up':
    case 'left':
      return open({ ...review, at: (review.at + count - 1) % count });
    case 'escape':
      return { type: 'open', dialog: { ...dialog, phase: 'choose', review: null } };
    case 'enter':
      return reviewed(dialog, review);
    default:
      return { type: 'open', dialog };
  }
}

/** All of them taken is the call as it was asked for. */
function reviewed({ input }: PermissionDialog, review: EditReview): DialogStep {
  const editedInput = reviewedInput(review, input);
  if (editedInput === null) return { type: 'answer', answer: { type: 'deny' } };
  const isWhole = review.verdicts.every((verdict) => verdict === 'taken');
  return { type: 'answer', answer: { type: 'allow', scope: 'once', ...(isWhole ? {} : { editedInput }) } };
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
