import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { ModelSurvey } from '../../src/app/survey-models.ts';
import { createScratch, runWield, type Scratch } from './run-wield.ts';

let scratch: Scratch;
afterEach(() => scratch.remove());

/** Whatever runs on the machine of the tests is not looked at. */
const NOBODY_HERE = Object.fromEntries(
  ['OLLAMA', 'LMSTUDIO', 'LLAMACPP', 'VLLM'].map((id) => [`${id}_BASE_URL`, 'http://127.0.0.1:9/v1']),
);

function writeUserSettings(settings: object): void {
  const path = join(scratch.home, '.config/wield/settings.json');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(settings));
}

async function survey(env: Readonly<Record<string, string>>): Promise<ModelSurvey> {
  const { code, stdout } = await runWield(scratch, ['models', '--json'], { env: { ...NOBODY_HERE, ...env } });
  expect(code).toBe(0);
  return JSON.parse(stdout) as ModelSurvey;
}

describe('wield models', () => {
  test('with nothing set says what to do', async () => {
    scratch = createScratch();
    const { code, stdout, stderr } = await runWield(scratch, ['models'], { env: NOBODY_HERE });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Without --model: demo, because no key was found.');
    expect(stdout).toContain('set one of the variables above, as in export ANTHROPIC_API_KEY=');
    expect(stdout).toMatch(/^ {2}anthropic +ANTHROPIC_API_KEY is not set$/m);
    expect(stdout).toMatch(/^ {4}claude-opus-5-5 +1M +\$4 \/ \$20$/m);
    expect(stdout).toContain('Choose with --model VENDOR/NAME');
  });

  test('names the variables that are set and never shows what is in them', async () => {
    scratch = createScratch();
    const env = { OPENAI_API_KEY: 'sk-secret-1', MY_KEY: 'sk-secret-2' };
    writeUserSettings({
      providers: {
        mine: {
          baseUrl: 'https://me:sk-secret-3@llm.example.com/v1',
          format: 'openai-chat',
          apiKeyEnv: 'MY_KEY',
          models: { big: {} },
        },
      },
    });
    const text = await runWield(scratch, ['models'], { env: { ...NOBODY_HERE, ...env } });
    expect(text.stdout).toMatch(/^ {2}openai +OPENAI_API_KEY is set$/m);
    expect(text.stdout).toContain('  mine https://llm.example.com/v1 (openai-chat, MY_KEY is set)\n    big\n');
    const { vendors, own, default: usual } = await survey(env);
    expect(usual).toEqual({ model: 'openai/gpt-6.1-sol', because: 'OPENAI_API_KEY is set' });
    expect(vendors.filter(({ keySet }) => keySet !== null).map(({ id, keySet }) => [id, keySet])).toEqual([
      ['openai', 'OPENAI_API_KEY'],
    ]);
    expect(own).toEqual([
      {
        id: 'mine',
        format: 'openai-chat',
        baseUrl: 'https://llm.example.com/v1',
        keyVariable: 'MY_KEY',
        isKeySet: true,
        models: ['big'],
      },
    ]);
    expect(text.stdout + JSON.stringify([vendors, own])).not.toContain('secret');
  });

  test('lists the servers of this machine, and what they call themselves is shown as text', async () => {
    scratch = createScratch();
    const server = createServer(
      (_request, response) => void response.end('{"models":[{"name":"llama3:8b"},{"name":"\\u001b[2Jx"}]}'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    try {
      const look = async (): Promise<string> =>
        (await runWield(scratch, ['models'], { env: { ...NOBODY_HERE, OLLAMA_BASE_URL: baseUrl } })).stdout;
      // On a busy machine one look may be over before the server answers.
      await expect.poll(look, { timeout: 20_000 }).toContain(`  ollama ${baseUrl}\n    llama3:8b\n    \\x1b[2Jx\n`);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test('the model of the settings is the one without --model', async () => {
    scratch = createScratch();
    writeUserSettings({ model: 'groq/x' });
    expect((await survey({ OPENAI_API_KEY: 'k' })).default).toMatchObject({
      model: 'groq/x',
      because: expect.stringContaining('settings.json says so'),
    });
  });
});

test('a mistyped vendor and a server that does not run are told with what to do', async () => {
  scratch = createScratch();
  const typo = await runWield(scratch, ['-p', 'x', '--model', 'antropic/claude-opus-5-5']);
  expect(typo).toMatchObject({ code: 3, stdout: '' });
  expect(typo.stderr).toContain('Did you mean anthropic?');
  const gone = await runWield(scratch, ['-p', 'x', '--model', 'ollama/m'], { env: { OLLAMA_BASE_URL: 'http://127.0.0.1:9/v1' } });
  expect(gone).toMatchObject({ code: 7, stdout: '' });
  expect(gone.stderr).toContain('error model_unreachable: Ollama does not run: nothing listens at 127.0.0.1:9.');
  expect(gone.stderr).toContain('ollama serve');
});
