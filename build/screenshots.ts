import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { anthropicAt, createScratch, type Scratch } from '../test/e2e/run-wield.ts';
import { startAnthropicServer, type WireReply } from '../test/loopback/anthropic-server.ts';
import { type PtySession, startInPty } from '../test/pty-session.ts';
import { screenPage } from './screen-page.ts';

// What the terminal looks like, from a real one: the command runs in a pseudo terminal, and what that shows is drawn as a page.
// Usage: npm run build && npm run screenshots. It needs Chromium, and a font with Chinese.
const OUT = join(import.meta.dirname, '../docs/screenshots');
const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const COLUMNS = 90;
const WAIT_MS = 15_000;

interface Scene {
  readonly name: string;
  readonly args?: readonly string[];
  readonly hasKey: boolean;
  script?(scratch: Scratch): readonly WireReply[];
  /** What is typed, and what the screen shows then. */
  readonly steps: readonly { readonly type: string; readonly sees: RegExp }[];
}

const CART = `import { priceOf } from './price.ts';

export function total(items: readonly Item[]): number {
  let sum = 0;
  for (const item of items) sum += item.price;
  return sum;
}
`;
const READY = { type: '', sees: /rules|规则/ };
const edit = (scratch: Scratch) => ({
  name: 'EditFile',
  input: {
    path: scratch.path('cart.ts'),
    old_string: '  let sum = 0;\n  for (const item of items) sum += item.price;\n  return sum;',
    new_string: '  let sum = 0;\n  for (const item of items) sum += priceOf(item) * item.count;\n  return sum;',
  },
});
const read = (scratch: Scratch) => ({ name: 'ReadFile', input: { path: scratch.path('cart.ts') } });

const SCENES: readonly Scene[] = [
  { name: 'start', hasKey: false, steps: [READY] },
  {
    name: 'tool-turn',
    hasKey: true,
    args: ['--permission-mode', 'acceptEdits'],
    script: (scratch) => [
      { calls: [read(scratch), { name: 'Grep', input: { pattern: 'price', path: scratch.root } }] },
      { calls: [edit(scratch)] },
      { text: 'Prices now count how many there are of each item:\n\n- `total` asks **priceOf**, and multiplies.' },
    ],
    steps: [READY, { type: 'count the items in the total\r', sees: /multiplies/ }],
  },
  {
    name: 'permission',
    hasKey: true,
    script: () => [{ calls: [{ name: 'Bash', input: { command: 'git fetch origin && npm publish --dry-run > ../out.txt' } }] }],
    steps: [READY, { type: 'try a release\r', sees: /Enter\)/ }],
  },
  {
    name: 'diff',
    hasKey: true,
    script: (scratch) => [{ calls: [read(scratch)] }, { calls: [edit(scratch)] }],
    steps: [READY, { type: 'count the items in the total\r', sees: /Enter\)/ }],
  },
  {
    name: 'error',
    hasKey: true,
    script: () => [{ status: 401, error: { type: 'authentication_error', message: 'invalid x-api-key' } }],
    steps: [READY, { type: 'hello\r', sees: /✗/ }],
  },
];

async function shoot(
  { name, args = [], hasKey, script, steps }: Scene,
  locale: string,
  browser: Awaited<ReturnType<typeof chromium.launch>>,
) {
  const scratch = createScratch({ 'cart.ts': CART, 'price.ts': 'export const priceOf = (item: Item) => item.price;\n' });
  const server = await startAnthropicServer(script?.(scratch) ?? []);
  const env = { LANG: `${locale}.UTF-8`, ...(hasKey ? anthropicAt(server.url) : {}) };
  const session = startInPty(scratch, args, { columns: COLUMNS, rows: 40, env });
  try {
    for (const { type, sees } of steps) {
      session.type(type);
      await shows(session, sees);
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
    const { terminal } = session.screen;
    const used = session.screen.rows().findLastIndex((row) => row !== '') + 1;
    const page = await browser.newPage({ deviceScaleFactor: 1 });
    await page.setContent(screenPage(terminal, { first: terminal.buffer.active.baseY, rows: used }));
    await page.locator('main').screenshot({ path: join(OUT, `${name}-${locale.slice(0, 2)}.png`) });
    await page.close();
  } finally {
    session.kill('SIGKILL');
    await server.close();
    scratch.remove();
  }
}

async function shows({ screen }: PtySession, wanted: RegExp): Promise<void> {
  const endMs = performance.now() + WAIT_MS;
  while (!wanted.test(screen.lines().join('\n'))) {
    if (performance.now() > endMs) throw new Error(`The screen never showed ${wanted}:\n${screen.lines().join('\n')}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

mkdirSync(OUT, { recursive: true });
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-lcd-text'] });
try {
  for (const locale of ['en_US', 'zh_CN']) for (const scene of SCENES) await shoot(scene, locale, browser);
} finally {
  await browser.close();
}
