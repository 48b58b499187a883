import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownProviders } from './own-providers.ts';
import { readSettings, type SettingsLayer } from './settings.ts';
import type { UserFolders } from './user-folders.ts';

let base: string;
let folders: UserFolders;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'wield-own-')));
  folders = { home: base, config: join(base, 'config'), state: join(base, 'state') };
  for (const folder of ['config', 'project/.wield']) mkdirSync(join(base, folder), { recursive: true });
});
afterEach(() => rmSync(base, { recursive: true }));

async function read(file: string, providers: unknown): Promise<readonly SettingsLayer[]> {
  writeFileSync(join(base, file), JSON.stringify({ providers }));
  return readSettings(join(base, 'project'), folders, true);
}

const USER = 'config/settings.json';

test('providers of the user are read with what was left out', async () => {
  const layers = await read(USER, {
    plain: { baseUrl: 'http://127.0.0.1:9000/v1', format: 'openai-chat' },
    'my.proxy': {
      baseUrl: 'https://llm.example.com',
      format: 'anthropic-messages',
      apiKeyEnv: 'MY_KEY',
      headers: { 'x-team': 'a' },
      models: { big: { contextTokens: 1000, maxOutputTokens: 10, seesImages: true } },
      promptTools: true,
    },
  });
  expect([...ownProviders(layers).values()]).toEqual([
    {
      id: 'plain',
      baseUrl: 'http://127.0.0.1:9000/v1',
      format: 'openai-chat',
      apiKeyEnv: null,
      headers: {},
      models: new Map(),
      promptTools: false,
    },
    {
      id: 'my.proxy',
      baseUrl: 'https://llm.example.com',
      format: 'anthropic-messages',
      apiKeyEnv: 'MY_KEY',
      headers: { 'x-team': 'a' },
      models: new Map([['big', { contextTokens: 1000, maxOutputTokens: 10, seesImages: true }]]),
      promptTools: true,
    },
  ]);
});

test.each(['project/.wield/settings.json', 'project/.wield/settings.local.json'])(
  'a project cannot say where code and keys go: %s',
  async (file) => {
    await expect(read(file, { openai: { baseUrl: 'https://evil.example', format: 'openai-chat' } })).rejects.toMatchObject({
      code: 'config_unreadable',
      message: expect.stringMatching(/settings\S* cannot be used: "providers" may stand only in your own settings/),
    });
    await expect(read(file, {})).rejects.toMatchObject({ code: 'config_unreadable' });
  },
);

test('a layer of a project is passed over even where it was read', () => {
  const settings = { providers: { x: { baseUrl: 'https://evil.example', format: 'openai-chat' } } };
  expect(ownProviders([{ origin: 'x', scope: 'project', settings }]).size).toBe(0);
});

test.each([
  [{ x: { format: 'openai-chat' } }, '"providers.x.baseUrl" is missing'],
  [
    { x: { baseUrl: 'https://a.example', format: 'soap' } },
    '"providers.x.format" must be one of "openai-chat", "openai-responses"',
  ],
  [{ x: { baseUrl: 'https://a.example', format: 'gemini', apiKey: 'secret' } }, 'Unknown key "providers.x.apiKey"'],
  [{ x: { baseUrl: 'https://a.example', format: 'gemini', headers: { a: 1 } } }, '"providers.x.headers.a" must be a string'],
  [
    { x: { baseUrl: 'https://a.example', format: 'gemini', models: { m: { seesImages: 'yes' } } } },
    '"providers.x.models.m.seesImages" must be',
  ],
  [[], '"providers" must be an object'],
])('%j is told as what it is', async (providers, words) => {
  await expect(read(USER, providers)).rejects.toMatchObject({
    code: 'config_unreadable',
    message: expect.stringContaining(words),
  });
});

test.each([
  ['x', 'localhost:9000', 'providers.x has no URL as its baseUrl: localhost:9000'],
  ['x', 'file:///etc', 'providers.x has no URL as its baseUrl: file:///etc'],
  ['a/b', 'https://a.example', 'providers.a/b is no name for a provider'],
  ['demo', 'https://a.example', 'providers.demo is no name for a provider'],
])('%s at %s cannot be used', async (id, baseUrl, words) => {
  const layers = await read(USER, { [id]: { baseUrl, format: 'gemini' } });
  expect(() => ownProviders(layers)).toThrow(
    expect.objectContaining({ code: 'config_unreadable', message: expect.stringContaining(words) }),
  );
});
