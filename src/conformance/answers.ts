import { isJsonObject, type JsonObject } from '../core/json-value.ts';
import { type Finding, found, skip, type Verdict } from './finding.ts';
import { inWords } from './input-words.ts';
import type { Trial } from './trial.ts';

/** What the trials say of how a tool answers. Each looks at what it returned, before anything mended or bounded it. */

export function checkRuns(trials: readonly Trial[]): Verdict {
  return found(
    firstOf(trials, ({ outcome, words, input, durationMs }) => {
      if (outcome === 'broke')
        return {
          what: `${inWords(input)} makes it throw: ${inWords(words)}`,
          remedy: 'Return fail(what happened; what to do next): a throw is a bug, and a model cannot mend one.',
        };
      if (outcome !== 'late') return null;
      return {
        what: `${inWords(input)} was not answered in ${Math.round(durationMs / 1000)} s.`,
        remedy: 'Give it a deadline of its own, and answer with what there is.',
      };
    }),
  );
}

export function checkAnswer(trials: readonly Trial[]): Verdict {
  return found(
    firstOf(answered(trials), ({ raw, input }) => {
      const fault = shapeFault(raw);
      if (fault !== null)
        return {
          what: `The answer to ${inWords(input)} ${fault}.`,
          remedy: 'Return succeed(text) or fail(text); other facts belong into metadata.',
        };
      const text = textOfRaw(raw);
      if (text.trim() === '' && !hasImage(raw))
        return {
          what: `The answer to ${inWords(input)} is empty.`,
          remedy: 'Say in words that there is nothing, and where was looked.',
        };
      if (isJsonObject(raw) && raw['isError'] === false && SOUNDS_FAILED.test(text))
        return {
          what: `The answer to ${inWords(input)} tells of a failure and is not marked as one: ${inWords(text.split('\n')[0])}`,
          remedy: 'Return fail(text).',
        };
      return null;
    }),
  );
}

const SOUNDS_FAILED = /^\s*(?:(?:\w+)?error|exception|traceback|failed|fatal|错误|失败)\s*[:：]/i;

function shapeFault(raw: unknown): string | null {
  if (!isJsonObject(raw)) return 'is no result';
  if (!Array.isArray(raw['content'])) return 'has no list of content';
  if (typeof raw['isError'] !== 'boolean') return 'does not say whether it is an error';
  const extra = Object.keys(raw).find((key) => !['content', 'isError', 'metadata'].includes(key));
  if (extra !== undefined) return `has a field ${extra}, which nobody reads`;
  for (const block of raw['content'] as readonly unknown[]) {
    if (!isJsonObject(block)) return 'holds something that is no block';
    if (block['type'] === 'text' && typeof block['text'] !== 'string') return 'holds a text block without text';
    if (block['type'] !== 'text' && block['type'] !== 'image')
      return `holds a block of the unknown type ${inWords(block['type'])}`;
  }
  return null;
}

export function checkMetadata(trials: readonly Trial[]): Verdict {
  return found(
    firstOf(answered(trials), ({ raw, input }) => {
      if (!isJsonObject(raw)) return null;
      const leak = leakOf(raw);
      if (leak === null) return null;
      return {
        what: `The answer to ${inWords(input)} carries metadata: ${leak}`,
        remedy: 'Leave it in metadata, which people and programs read; tell the model in words what it needs.',
      };
    }),
  );
}

const MIN_LEAKED_KEYS = 2;

function leakOf(raw: JsonObject): string | null {
  const blocks = Array.isArray(raw['content']) ? raw['content'].filter(isJsonObject) : [];
  const carrier = blocks
    .flatMap((block) => Object.keys(block))
    .find((key) => /^(?:metadata|_meta|meta|structuredContent)$/.test(key));
  if (carrier !== undefined) return `a block has the field ${carrier}`;
  const { metadata } = raw;
  if (!isJsonObject(metadata)) return null;
  const text = textOfRaw(raw);
  const keys = Object.entries(metadata).filter(([key, value]) => isWritten(text, key, value));
  const isWhole = Object.keys(metadata).length === 1 && keys.length === 1 && text.includes(JSON.stringify(metadata));
  if (keys.length < MIN_LEAKED_KEYS && !isWhole) return null;
  return keys.map(([key]) => key).join(', ');
}

/** A field under its own name with its own value, as JSON or as a line. A word of a language alone is none. */
function isWritten(text: string, key: string, value: unknown): boolean {
  const asJson = JSON.stringify(value);
  if (asJson === undefined) return false;
  const forms = [
    `"${key}":${asJson}`,
    `"${key}": ${asJson}`,
    `${key}: ${asJson}`,
    `${key}=${asJson}`,
    `${key}: ${String(value)}`,
    `${key}=${String(value)}`,
  ];
  return forms.some((form) => text.includes(form));
}

const MAX_RAW_CHARS = 200_000;

export function checkBounded(trials: readonly Trial[]): Verdict {
  return found(
    firstOf(answered(trials), ({ raw, input }) => {
      const chars = textOfRaw(raw).length;
      if (chars <= MAX_RAW_CHARS) return null;
      return {
        what: `The answer to ${inWords(input)} has ${chars} characters.`,
        remedy: 'Bound it in the tool: a page at a time, with a last line that says how to get the rest.',
      };
    }),
  );
}

const MIN_ERROR_CHARS = 20;
const STACK_LINE = /^\s+at .+:\d+:\d+\)?$|^Traceback \(most recent call last\)/m;

export function checkErrors(trials: readonly Trial[]): Verdict {
  const errors = answered(trials).filter(({ raw }) => isJsonObject(raw) && raw['isError'] === true);
  const refusals = trials.filter(({ outcome }) => outcome === 'refused');
  if (errors.length + refusals.length === 0) return skip('none of the calls failed');
  return found(
    firstOf(errors, ({ raw, input }) => {
      const text = textOfRaw(raw).trim();
      if (STACK_LINE.test(text))
        return {
          what: `The error for ${inWords(input)} is a stack trace.`,
          remedy: 'Say what happened and what to do next; the trace belongs into metadata.',
        };
      if (text.length >= MIN_ERROR_CHARS || text === '') return null;
      return {
        what: `The error for ${inWords(input)} says no more than "${text}".`,
        remedy: 'Say what happened, why, and what to do next.',
      };
    }),
  );
}

export function textOfRaw(raw: unknown): string {
  const content = isJsonObject(raw) && Array.isArray(raw['content']) ? raw['content'].filter(isJsonObject) : [];
  return content.map(({ text }) => (typeof text === 'string' ? text : '')).join('\n');
}

function hasImage(raw: unknown): boolean {
  return (
    isJsonObject(raw) &&
    Array.isArray(raw['content']) &&
    raw['content'].some((block) => isJsonObject(block) && block['type'] === 'image')
  );
}

function answered(trials: readonly Trial[]): readonly Trial[] {
  return trials.filter(({ raw }) => raw !== undefined);
}

function firstOf(trials: readonly Trial[], look: (trial: Trial) => Finding | null): Finding | null {
  for (const trial of trials) {
    const finding = look(trial);
    if (finding !== null) return finding;
  }
  return null;
}
