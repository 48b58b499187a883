import { readFileSync, statSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exportSession } from '../../src/app/export-session.ts';
import { userFolders } from '../../src/app/user-folders.ts';
import type { SessionDocument } from '../../src/sessions/export/session-document.ts';
import { hostileRecords, HOSTILE, writeSession } from './hostile-session.ts';
import { createScratch, runWield, type Scratch } from './run-wield.ts';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch({ 'a.txt': 'alpha\nbeta\n' });
});
afterEach(() => scratch.remove());

const KEY = `sk-ant-api03-${'k'.repeat(40)}`;

test('the newest session becomes a page, Markdown or JSON, each with its diff, who allowed it, when it ran, and no key', async () => {
  const prompt = `in a.txt replace "beta" with "gamma", and my key is ${KEY}`;
  const run = await runWield(scratch, ['-p', prompt, '--model', 'demo', '--permission-mode', 'acceptEdits']);
  expect(run.code).toBe(0);
  expect(readFileSync(scratch.path('a.txt'), 'utf8')).toBe('alpha\ngamma\n');

  const written = await runWield(scratch, ['sessions', 'export', '--out', 'page.html']);
  expect(written.stdout).toMatch(/^page\.html \(\d+ KB\)\n$/);
  expect(statSync(scratch.path('page.html')).mode & 0o777).toBe(0o600);
  const page = readFileSync(scratch.path('page.html'), 'utf8');
  expect(page).toContain(`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-`);
  expect(page).toContain('<span class="add">+gamma\n</span>');

  const markdown = (await runWield(scratch, ['sessions', 'export', '--markdown'])).stdout;
  expect(markdown).toContain('\n-beta\n+gamma\n```');

  const json = (await runWield(scratch, ['sessions', 'export', '--json'])).stdout;
  const document = JSON.parse(json) as SessionDocument;
  expect(document).toMatchObject({ format: 'wield-session', version: 1, cwd: scratch.root, models: ['demo'] });
  const edit = document.entries.find((entry) => entry.type === 'call' && entry.kind === 'write');
  expect(edit).toMatchObject({
    subject: 'a.txt',
    outcome: 'succeeded',
    permission: { by: 'rule', decision: 'allow' },
    changes: [{ path: 'a.txt', added: 1, removed: 1 }],
    isUndone: false,
  });
  expect(document.files).toMatchObject([{ path: 'a.txt', added: 1, removed: 1 }]);
  expect(document.timeline.isEstimated).toBe(false);
  expect(document.timeline.spans.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['model', 'write']));
  for (const text of [page, markdown, json]) expect([text.includes(KEY), /\\?\[key\\?\]/.test(text)]).toEqual([false, true]);

  expect((await runWield(scratch, ['undo'])).code).toBe(0);
  const undone = JSON.parse((await runWield(scratch, ['sessions', 'export', '--json'])).stdout) as SessionDocument;
  expect(undone.files).toEqual([]);
  expect(undone.entries.filter((entry) => entry.type === 'call' && entry.isUndone)).toHaveLength(1);
});

test('Markdown of a hostile session holds no markup of its own, and each fence is longer than what it holds', async () => {
  writeSession(scratch, 'hostile', hostileRecords(scratch.root));
  const request = { sessionId: 'hostile', cwd: scratch.root, folders: userFolders({ HOME: scratch.home }), environment: {} };
  const { text: markdown } = await exportSession({ ...request, format: 'markdown' });
  const outside = withoutFences(markdown);
  expect([...outside.matchAll(/<\/?[a-z]+/gi)].map(([tag]) => tag)).toEqual(
    expect.arrayContaining(['<details', '<summary', '</summary', '</details']),
  );
  expect([...outside.matchAll(/<(?!\/?(?:details|summary)>)[A-Za-z/!?]/g)]).toEqual([]);
  expect(outside).not.toMatch(/(?<!\\)\[[^\]\n]*\]\(javascript:|(?<!\\)!\[/);
  expect(markdown.match(/<details>/g)?.length).toBe(markdown.match(/<\/details>/g)?.length);
  // oxlint-disable-next-line no-control-regex -- such characters must be gone
  expect(markdown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  const { text: json } = await exportSession({ ...request, format: 'json' });
  expect((JSON.parse(json) as SessionDocument).title).toContain(HOSTILE.slice(0, 60));
});

test('a rewind is drawn with what it left folded, and a fork with the session that it left', async () => {
  const request = branchRequest(branchRecords(scratch.root));
  const { text: page } = await exportSession({ ...request, format: 'html' });
  expect(page).toContain('<bdi>forked from <a href="wield-trunk.html">trunk</a> after prompt 1</bdi>');
  const transcript = (/<main id="transcript">([\s\S]*)<\/main>/.exec(page)?.[1] ?? '').replaceAll(
    /<span class="anchor"[^>]*><\/span>/g,
    '',
  );
  const parts = /id="p\d"|<details class="entry left"><summary>[^<]*|<\/details>|<p class="entry mark">.*?<\/p>/g;
  expect([...transcript.matchAll(parts)].map(([part]) => part)).toEqual([
    'id="p1"',
    '<p class="entry mark">Forked here from <a href="wield-trunk.html">trunk</a>; what stands above belongs to both</p>',
    '<details class="entry left"><summary>Left behind by a rewind: prompts 2 to 4',
    'id="p2"',
    'id="p3"',
    '<p class="entry mark">Went back to the end of prompt <a href="#p2">2</a></p>',
    'id="p4"',
    '</details>',
    '<p class="entry mark">Went back to the end of prompt <a href="#p1">1</a></p>',
    'id="p5"',
  ]);
  expect(page.match(/<li class="left">/g)).toHaveLength(3);

  const { text: markdown } = await exportSession({ ...request, format: 'markdown' });
  expect(markdown).toContain('Session branch · forked from trunk after prompt 1 ·');
  expect(markdown).toMatch(
    /<details><summary>Left behind by a rewind: prompts 2 to 4<\/summary>\n\n## 2\. Prompt[\s\S]*## 4\. Prompt[\s\S]*<\/details>\n\n\*Went back to the end of prompt 1\*/,
  );

  const document = JSON.parse((await exportSession({ ...request, format: 'json' })).text) as SessionDocument;
  expect(document).toMatchObject({ parent: { id: 'trunk', prompt: 1 }, title: 'first', totals: { prompts: 5 } });
  const rewound = document.entries.flatMap((entry) => (entry.type === 'prompt' ? [entry.isRewound] : []));
  expect(rewound).toEqual([false, true, true, true, false]);
});

test('a parent whose name is none of a session is shown and leads nowhere', async () => {
  const parent = { id: 'javascript:alert(1)', turn: 1, lines: 3 };
  const { text } = await exportSession({ ...branchRequest(branchRecords(scratch.root, parent)), format: 'html' });
  expect(text).toContain('forked from <bdi>javascript:alert(1)</bdi> after prompt 1');
  expect(text).not.toMatch(/href="[^"]*javascript/);
});

function branchRequest(records: readonly object[]): Omit<Parameters<typeof exportSession>[0], 'format'> {
  writeSession(scratch, 'branch', records);
  return { sessionId: 'branch', cwd: scratch.root, folders: userFolders({ HOME: scratch.home }), environment: {} };
}

/** Five prompts: the first is the parent's; after the third it goes back to the second, after the fourth to the first. */
function branchRecords(cwd: string, parent: object = { id: 'trunk', turn: 1, lines: 3 }): readonly object[] {
  const prompt = (number: number, text: string): readonly object[] => [
    { type: 'run_start', tools: [], prompt: number },
    { type: 'message_added', message: { role: 'user', content: [{ type: 'text', text }] } },
  ];
  return [
    { type: 'session', version: 1, id: 'branch', cwd, model: 'm', createdAt: new Date(1000).toISOString(), parent },
    ...prompt(1, 'first'),
    ...prompt(2, 'second'),
    ...prompt(3, 'third'),
    { type: 'rewound', toTurn: 2 },
    ...prompt(4, 'fourth'),
    { type: 'rewound', toTurn: 1 },
    ...prompt(5, 'fifth'),
  ];
}

test('a format twice, a file that cannot be written, and a session that is not there are told in a line', async () => {
  writeSession(scratch, 'hostile', hostileRecords(scratch.root));
  expect(await runWield(scratch, ['sessions', 'export', '--html', '--json'])).toMatchObject({ code: 2, stdout: '' });
  const lost = await runWield(scratch, ['sessions', 'export', '--out', 'no/such/place.html']);
  expect(lost).toMatchObject({ code: 2, stderr: expect.stringMatching(/^error misuse: The export could not be written to /) });
  const missing = await runWield(scratch, ['sessions', 'export', '../x']);
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringMatching(/^error session_missing: /) });
});

/** What a reader of Markdown takes for markup: all that stands in no fence. */
function withoutFences(text: string): string {
  const kept: string[] = [];
  let open: string | null = null;
  for (const line of text.split('\n')) {
    const fence = /^ {0,3}(`{3,}|~{3,})([^`]*)$/.exec(line)?.[1];
    if (open === null && fence === undefined) kept.push(line.replaceAll(/`[^`]*`/g, ''));
    if (open === null) open = fence ?? null;
    else if (fence?.startsWith(open) === true && line.trim() === fence) open = null;
  }
  expect(open).toBe(null);
  return kept.join('\n');
}
