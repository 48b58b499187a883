import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { shortHash } from '../../src/core/hash.ts';
import type { Scratch } from './run-wield.ts';

/** Tries to be markup, to end what it stands in, to run, to load, to turn the direction, and to steer. */
export const HOSTILE = [
  '</script></style></title></textarea>--><script>window.acted=1</script>',
  '<img src=x onerror="window.acted=1"><svg onload="window.acted=1"><iframe srcdoc="<script>parent.acted=1</script>"></iframe>',
  `" onmouseover="window.acted=1" autofocus onfocus='window.acted=1' '><base href="http://127.0.0.1:9/">`,
  '<meta http-equiv="refresh" content="0;url=http://127.0.0.1:9/"><link rel=stylesheet href="http://127.0.0.1:9/a.css">',
  '[x](javascript:window.acted=1) ![i](http://127.0.0.1:9/i.png) <a href="javascript:window.acted=1">x</a> http://127.0.0.1:9/"onclick="x',
  '\u202ereversed\u202c \u2066isolated\u2069 nul\u0000 bell\u0007 \u001b[2J\u001b]0;title\u0007 \ud800 a\u200bb',
  '```\n````\n~~~\n> > > > > > > quote\n| a | <b>b</b> |\n|---|---|\n# <h1>x</h1>\n- <i>item</i>\n${7*7} {{7*7}} &lt;b&gt; \\" \\u003cscript',
].join('\n');

const NUMBERS = { inputTokens: 5, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: null };

/** Lines of a session whose every field of text is hostile, as far as a session can be read at all. */
export function hostileRecords(cwd: string): readonly object[] {
  const call = (id: string, name: string, input: unknown): object => ({ type: 'tool_use', id, wireId: null, name, input });
  const message = (role: string, content: readonly object[], more: object = {}): object => ({
    type: 'message_added',
    turn: 1,
    message: { role, content, ...more },
  });
  const text = { type: 'text', text: HOSTILE };
  const pictures = [
    {
      type: 'image',
      mediaType: 'image/svg+xml',
      data: btoa('<svg xmlns="http://www.w3.org/2000/svg" onload="window.acted=1"/>'),
    },
    { type: 'image', mediaType: 'image/png', data: `"><script>window.acted=1</script>` },
    { type: 'image', mediaType: HOSTILE, data: 'AAAA' },
  ];
  return [
    { type: 'session', version: 1, id: HOSTILE, cwd: `${cwd}${HOSTILE}`, model: HOSTILE, createdAt: HOSTILE },
    { type: 'run_start', tools: [] },
    message('user', [text, ...pictures]),
    message(
      'assistant',
      [
        { type: 'thinking', text: HOSTILE },
        text,
        call(HOSTILE, HOSTILE, { [HOSTILE]: HOSTILE }),
        call('b', 'Bash', { command: HOSTILE, description: HOSTILE }),
        call('c', 'EditFile', { path: HOSTILE, old_string: HOSTILE, new_string: `${HOSTILE}2` }),
        { type: 'tool_use', id: 'd', wireId: null, name: 'Grep', input: null, malformedInput: HOSTILE },
        call('e', 'ApplyPatch', { patch: HOSTILE }),
      ],
      { state: 'failed', provider: HOSTILE, model: HOSTILE },
    ),
    { type: 'permission_decided', toolUseId: 'b', by: HOSTILE, decision: HOSTILE, because: HOSTILE },
    { type: 'permission_decided', toolUseId: 'c', by: { a: 1 }, decision: ['x'], because: null },
    { type: 'tool_time', toolUseId: 'b', durationMs: 1e300 },
    message('user', [
      { type: 'tool_result', toolUseId: HOSTILE, content: [text, ...pictures], isError: true },
      { type: 'tool_result', toolUseId: 'b', content: [text], isError: false },
      { type: 'tool_result', toolUseId: 'c', content: [text], isError: false },
    ]),
    { type: 'todos', list: [{ id: HOSTILE, content: HOSTILE, status: 'in_progress' }] },
    { type: 'compacted', reason: HOSTILE, summary: HOSTILE, keptMessages: 1, by: HOSTILE },
    { type: 'message_replaced', reason: HOSTILE },
    { type: 'error', error: { code: HOSTILE, message: HOSTILE, remedy: HOSTILE } },
    { type: 'error', error: HOSTILE },
    { type: HOSTILE, text: HOSTILE },
    { type: 'turn_end', stopReason: HOSTILE, usage: NUMBERS, cost: 0.1 },
    { type: 'run_end', outcome: HOSTILE },
  ].map((record, i) => ({ ...record, at: 1000 + i * 500 }));
}

/** Writes a session of this folder, with a journal of its own where one is given. */
export function writeSession(scratch: Scratch, id: string, records: readonly object[], journal: readonly object[] = []): void {
  const folder = join(scratch.home, '.local/state/wield/sessions', `${basename(scratch.root)}-${shortHash(scratch.root)}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${id}.jsonl`), linesOf(records));
  if (journal.length > 0) writeFileSync(join(folder, `${id}.effects`), linesOf(journal));
}

function linesOf(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}
