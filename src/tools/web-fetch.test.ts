import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createProject,
  createTestAgent,
  resultsOf,
  runToEnd,
  type TestAgentOptions,
  type TestProject,
} from '../../test/agent-harness.ts';
import type { AgentEvent } from '../core/agent-event.ts';
import type { PermissionRule } from '../core/permission.ts';
import { createWebAccess } from '../host/web/web-access.ts';
import { createScriptedProvider } from '../providers/scripted.ts';
import { createWebFetchTool } from './web-fetch.ts';

let project: TestProject;
let server: Server;
let port = 0;
const seen: string[] = [];

const PAGES: Readonly<Record<string, readonly [status: number, type: string, body: string]>> = {
  '/': [200, 'text/html', '<title>Docs</title><p>Read <a href="/more">more</a>.'],
  '/app': [200, 'text/html', '<div id="root"></div><script src="x.js"></script>'],
  '/long': [200, 'text/plain', `${'line\n'.repeat(20_000)}last words`],
  '/private': [403, 'text/plain', 'Log in first.'],
  '/broken': [503, 'text/plain', ''],
  '/picture': [200, 'image/png', ''],
};

beforeEach(async () => {
  project = createProject();
  seen.length = 0;
  server = createServer((request, response) => {
    seen.push(`${request.headers.host?.split(':')[0]}${request.url}`);
    const [status, type, body] = PAGES[request.url ?? ''] ?? [404, 'text/html', '<h1>Not here</h1>'];
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  project.remove();
});

/** Loopback stands for the web here, and only here. */
const web = createWebAccess({
  isAllowed: (address) => address === '127.0.0.1',
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
});

const at = (host: string, path: string): string => `http://${host}:${port}${path}`;

/** Fetches each of them, and gives what the model gets. */
async function fetchAll(urls: readonly string[], options: TestAgentOptions = {}, onEvent?: (event: AgentEvent) => void) {
  const calls = urls.map((url) => ({ name: 'WebFetch', input: { url } }));
  const agent = createTestAgent(project, createScriptedProvider([{ calls }, { text: 'done' }]), { web, ...options });
  return resultsOf(await runToEnd(agent, 'go', onEvent));
}

describe('what comes back', () => {
  test('is the page as text, with its address', async () => {
    const text = `# Docs

Read [more](${at('one.test', '/more')}).`;
    expect(await fetchAll([at('one.test', '/')])).toEqual([
      {
        text: `${text.length} characters of ${at('one.test', '/')}

${text}`,
        isError: false,
      },
    ]);
  });

  test('of a long page is its beginning, and all of it stands in a file that can be read', async () => {
    const [result] = await fetchAll([at('one.test', '/long')]);
    expect(result?.text.length).toBeLessThan(41_000);
    const path = /all of it: (\S+) …\]$/.exec(result?.text ?? '')?.[1] ?? '';
    const provider = createScriptedProvider([
      { calls: [{ name: 'Grep', input: { pattern: 'last words', path } }] },
      { text: 'done' },
    ]);
    const events = await runToEnd(createTestAgent(project, provider, { mode: 'default' }), 'go');
    expect(resultsOf(events)).toMatchObject([{ isError: false, text: expect.stringContaining('20001: last words') }]);
  });

  test.each([
    ['/app', false, /it has no text. A page that builds itself in the browser/],
    ['/nowhere', true, /answered 404: there is no such page\. Check the address.*\n\nIt says:\n# Not here$/],
    ['/private', true, /answered 403: it wants a login.*\n\nIt says:\nLog in first\.$/],
    ['/broken', true, /answered 503: its server is in trouble\. Try once more later\.$/],
    ['/picture', true, /is image\/png, not text\. Use Bash with curl -o/],
  ])('of %s says what to do', async (path, isError, words) => {
    expect(await fetchAll([at('one.test', path)])).toMatchObject([{ isError, text: expect.stringMatching(words) }]);
  });

  test.each([
    ['example.com', /is no whole address\. Write it with its scheme, such as https:/],
    ['file:///etc/passwd', /reads http and https, not file: For files use ReadFile/],
    ['https://me:secret@example.com/', /A name or password in an address is not sent/],
  ])('of the address %s is a refusal before anything is sent', async (url, words) => {
    expect(await fetchAll([url])).toMatchObject([{ isError: true, text: expect.stringMatching(words) }]);
    expect(seen).toEqual([]);
  });

  test('of a private address is a refusal, whatever the mode', async () => {
    const [result] = await fetchAll([`http://127.0.0.1:${port}/`], { web: createWebAccess() });
    expect(result).toMatchObject({
      isError: true,
      text: expect.stringContaining('127.0.0.1, and that is no public address: nothing was sent'),
    });
    expect(seen).toEqual([]);
  });
});

describe('the gate', () => {
  const rule = (behavior: PermissionRule['behavior'], specifier: string | null): PermissionRule => ({
    behavior,
    tool: 'WebFetch',
    specifier,
    scope: 'user',
    origin: 'settings.json',
  });

  test('asks for a host, offers rules for it, and a rule that is taken holds for the rest', async () => {
    const asked: AgentEvent[] = [];
    const urls = [at('one.test', '/'), at('docs.one.test', '/')];
    const calls = urls.map((url) => [{ name: 'WebFetch', input: { url } }]);
    const provider = createScriptedProvider([...calls.map((each) => ({ calls: each })), { text: 'done' }]);
    const agent = createTestAgent(project, provider, { web, mode: 'default', canAsk: true });
    await runToEnd(agent, 'go', (event) => {
      if (event.type !== 'permission_request') return;
      asked.push(event);
      const [first] = event.offers;
      agent.answer(event.requestId, { type: 'allow', scope: 'session', ...(first === undefined ? {} : { rule: first }) });
    });
    expect(asked).toMatchObject([
      {
        subject: urls[0],
        parts: [{ text: 'one.test', cause: 'network' }],
        offers: [
          { tool: 'WebFetch', specifier: 'domain:one.test' },
          { tool: 'WebFetch', specifier: null },
        ],
      },
    ]);
    expect(seen).toEqual(['one.test/', 'docs.one.test/']);
  });

  test('lets rules allow some domains and forbid others, in every mode', async () => {
    const rules = [rule('allow', 'domain:one.test'), rule('deny', 'domain:secret.one.test')];
    const urls = [at('one.test', '/'), at('secret.one.test', '/'), at('notone.test', '/')];
    for (const mode of ['default', 'plan'] as const) {
      const results = await fetchAll(urls, { mode, rules });
      expect(results.map(({ isError }) => isError)).toEqual([false, true, true]);
    }
    expect((await fetchAll(urls, { mode: 'bypassPermissions', rules })).map(({ isError }) => isError)).toEqual([
      false,
      true,
      false,
    ]);
  });

  test('is passed by nobody where there is no web', async () => {
    const calls = [{ name: 'WebFetch', input: { url: at('one.test', '/') } }];
    const events = await runToEnd(createTestAgent(project, createScriptedProvider([{ calls }, { text: 'done' }])), 'go');
    expect(resultsOf(events)).toMatchObject([{ isError: true, text: expect.stringContaining('disabled here by allowWeb') }]);
  });
});

test('its description fits its schema', () => {
  const { description, isReadOnly, isDestructive, category } = createWebFetchTool();
  expect({ isReadOnly, isDestructive, category }).toEqual({ isReadOnly: true, isDestructive: false, category: 'web' });
  expect(description.split('\n').length).toBeLessThan(40);
});
