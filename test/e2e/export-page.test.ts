import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hostileRecords, HOSTILE, writeSession } from './hostile-session.ts';
import { exportSession } from '../../src/app/export-session.ts';
import { userFolders } from '../../src/app/user-folders.ts';
import { createScratch, type Scratch } from './run-wield.ts';

const SURVEY = readFileSync(join(import.meta.dirname, 'page-survey.js'), 'utf8');
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path));

// Skipped where there is no browser: what is tested here is what one does with the page.
describe.skipIf(CHROMIUM === undefined)('the page of a session, in a browser', () => {
  let browser: Browser;
  let scratch: Scratch;
  let page: Page;
  const requests: string[] = [];
  const faults: string[] = [];

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] });
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    scratch = createScratch({ 'a.txt': 'alpha\nbeta\n' });
    page = await browser.newPage({ colorScheme: 'light', reducedMotion: 'reduce' });
    requests.length = 0;
    faults.length = 0;
    page.on('console', (message) => faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('dialog', (dialog) => {
      faults.push(dialog.message());
      void dialog.dismiss();
    });
    await page.route(
      (url) => url.protocol !== 'file:' && url.protocol !== 'data:',
      (route) => {
        requests.push(route.request().url());
        return route.abort();
      },
    );
  });
  afterEach(async () => {
    await page.close();
    scratch.remove();
  });

  async function open(id: string): Promise<void> {
    const folders = userFolders({ HOME: scratch.home });
    const request = { sessionId: id, format: 'html', cwd: scratch.root, folders, environment: {} } as const;
    writeFileSync(scratch.path('page.html'), (await exportSession(request)).text);
    await page.goto(pathToFileURL(scratch.path('page.html')).href);
  }

  test('it shows a session, folds, searches, changes its colours, and goes along the timeline by keys; no request leaves it', async () => {
    writeSession(scratch, 'plain', plainRecords(scratch.root));
    await open('plain');
    expect(await page.textContent('h1')).toBe('Make beta a gamma');
    expect(await page.locator('.call').count()).toBe(3);
    expect(await page.locator('#c2 .diff').innerText()).toContain('+gamma');
    expect(await page.locator('#c3').getAttribute('class')).toContain('failed');
    expect(await page.locator('#c2 .badge').allInnerTexts()).toEqual(['a person allowed it']);
    expect(await page.locator('.permission').allInnerTexts()).toContain('Denied by a hook: it is friday');

    expect(await isOpen('#c1')).toBe(false);
    await page.click('[data-fold=open]');
    expect(await isOpen('#c1')).toBe(true);
    await page.click('[data-fold=close]');
    expect(await isOpen('#c1')).toBe(false);

    await page.keyboard.press('/');
    await page.keyboard.type('NEEDLE');
    await expect.poll(() => page.textContent('.matches')).toBe('2 matches');
    await page.keyboard.press('Enter');
    expect(await page.textContent('.matches')).toBe('1 of 2');
    expect(await isOpen('#c1')).toBe(true);
    await page.keyboard.press('Escape');
    expect(await page.textContent('.matches')).toBe('');

    const light = await paper();
    await page.click('[data-theme-choice=dark]');
    const dark = await paper();
    expect(dark).not.toBe(light);
    await page.click('[data-theme-choice=auto]');
    expect(await paper()).toBe(light);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await paper()).toBe(dark);

    await page.locator('.span[tabindex="0"]').focus();
    expect(await page.textContent('.readout')).toBe('Model, turn 1 · 2.0 s');
    await page.keyboard.press('ArrowRight');
    expect(await page.textContent('.readout')).toBe('ReadFile · a.txt · 1.0 s');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('location.hash')).toBe('#c1');
    expect(await isOpen('#c1')).toBe(true);
    expect([requests, faults]).toEqual([[], []]);
  });

  test('nothing of a hostile session acts: no script, no request, no link out, no markup but ours', async () => {
    const change = { path: `/${HOSTILE.replaceAll('\n', ' ')}`, before: null, after: { kind: 'link', target: HOSTILE } };
    const journal = [{ type: 'effect', id: 1, turn: 1, toolUseId: 'c', by: HOSTILE, changes: [change] }];
    writeSession(scratch, 'hostile', hostileRecords(scratch.root), journal);
    await open('hostile');
    const found: unknown = await page.evaluate(SURVEY);
    expect(found).toEqual({
      acted: false,
      scripts: 1,
      elements: [],
      bold: 0,
      handlers: [],
      links: [],
      pictures: [],
      refresh: 0,
      hidden: false,
      isSaid: true,
    });
    expect([requests, faults, page.url()]).toEqual([[], [], pathToFileURL(scratch.path('page.html')).href]);
  });

  test('at the width of a phone nothing sticks out, and a script that is not ours would be refused', async () => {
    writeSession(scratch, 'plain', plainRecords(scratch.root));
    await page.setViewportSize({ width: 390, height: 800 });
    await open('plain');
    await page.click('[data-fold=open]');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.evaluate(
      "const s = document.createElement('script'); s.textContent = 'window.acted = 1'; void document.body.append(s)",
    );
    expect(await page.evaluate("'acted' in window")).toBe(false);
    expect(faults.join()).toContain('Content Security Policy');
  });

  async function isOpen(fold: string): Promise<boolean> {
    return (await page.locator(`${fold}[open]`).count()) === 1;
  }

  function paper(): Promise<unknown> {
    return page.evaluate('getComputedStyle(document.body).backgroundColor');
  }
});

function plainRecords(cwd: string): readonly object[] {
  const usage = { inputTokens: 900, outputTokens: 100, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: null };
  const call = (id: string, name: string, input: object): object => ({ type: 'tool_use', id, wireId: null, name, input });
  const result = (toolUseId: string, text: string, isError = false): object => ({
    type: 'tool_result',
    toolUseId,
    content: [{ type: 'text', text }],
    isError,
  });
  const path = `${cwd}/a.txt`;
  const content = [
    { type: 'text', text: 'I **look** first.' },
    call('a', 'ReadFile', { path }),
    call('b', 'EditFile', { path, old_string: 'beta', new_string: 'gamma' }),
    call('c', 'Bash', { command: 'rm -rf /' }),
  ];
  const long = Array.from({ length: 200 }, (_line, i) => `${i}\t${i === 150 ? 'the needle' : 'alpha'}`).join('\n');
  const decided = { type: 'permission_decided', by: 'user', decision: 'allow', because: 'the person said so' };
  return [
    { type: 'session', version: 1, id: 'plain', cwd, model: 'm', createdAt: new Date(1000).toISOString(), at: 1000 },
    { type: 'run_start', at: 1000 },
    { type: 'message_added', at: 1000, message: { role: 'user', content: [{ type: 'text', text: 'Make beta a gamma' }] } },
    { type: 'message_added', at: 3000, message: { role: 'assistant', content, state: 'complete', provider: 'p', model: 'm' } },
    { type: 'tool_time', toolUseId: 'a', durationMs: 1000, at: 4000 },
    { ...decided, toolUseId: 'b', at: 9000 },
    { type: 'tool_time', toolUseId: 'b', durationMs: 10, at: 9010 },
    { ...decided, toolUseId: 'c', by: 'hook', decision: 'deny', because: 'it is friday', at: 9020 },
    {
      type: 'message_added',
      at: 9030,
      message: { role: 'user', content: [result('a', long), result('b', 'Edited, needle'), result('c', 'denied', true)] },
    },
    { type: 'turn_end', stopReason: 'tool_use', usage, cost: 0.25, at: 9040 },
    { type: 'run_end', outcome: 'done', at: 9050 },
  ];
}
