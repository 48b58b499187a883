import { AgentError } from '../core/errors.ts';
import { type ModelFacts, type Provider, UNKNOWN_MODEL } from '../core/model.ts';

export interface ChosenModel {
  readonly provider: Provider;
  readonly model: string;
  readonly facts: ModelFacts;
  /** Why this one, for people. */
  readonly because: string;
  readonly isDemo: boolean;
  /** True where a prompt asks the demo for its tour, which works on a copy of its own. */
  wantsTour(prompt: string): boolean;
}

const DEFAULT_ANTHROPIC_MODEL = 'claude-opus-5-5';
const ANTHROPIC_URL = 'https://api.anthropic.com';

/** Chooses by name, then by a key in the environment, then the demo. Errors: AgentError `no_model`. */
export async function chooseModel(wanted: string | null, environment: NodeJS.ProcessEnv): Promise<ChosenModel> {
  const key = environment['ANTHROPIC_API_KEY'] ?? '';
  if (wanted === 'demo') return demo('it was asked for');
  if (wanted !== null) return named(wanted, key, environment);
  if (key !== '')
    return anthropic(environment['ANTHROPIC_MODEL'] ?? DEFAULT_ANTHROPIC_MODEL, key, environment, 'ANTHROPIC_API_KEY is set');
  return demo('no key was found (ANTHROPIC_API_KEY)');
}

async function named(wanted: string, key: string, environment: NodeJS.ProcessEnv): Promise<ChosenModel> {
  const slash = wanted.indexOf('/');
  const vendor = slash === -1 ? (wanted.startsWith('claude') ? 'anthropic' : null) : wanted.slice(0, slash);
  const model = wanted.slice(slash + 1);
  if (vendor !== 'anthropic' || model === '') {
    throw new AgentError({
      code: 'no_model',
      message: `There is no model "${wanted}" here.`,
      remedy: 'Use --model anthropic/NAME with ANTHROPIC_API_KEY set, or --model demo.',
    });
  }
  if (key === '') {
    throw new AgentError({
      code: 'no_model',
      message: `${wanted} needs a key, and ANTHROPIC_API_KEY is not set.`,
      remedy: 'Set ANTHROPIC_API_KEY, or use --model demo.',
    });
  }
  return anthropic(model, key, environment, 'it was asked for');
}

async function anthropic(model: string, apiKey: string, environment: NodeJS.ProcessEnv, because: string): Promise<ChosenModel> {
  const baseUrl = environment['ANTHROPIC_BASE_URL'] ?? ANTHROPIC_URL;
  if (!URL.canParse(baseUrl) || !/^https?:/.test(baseUrl)) {
    throw new AgentError({
      code: 'misuse',
      message: `ANTHROPIC_BASE_URL is no URL: ${baseUrl}`,
      remedy: 'Give it as http(s)://host[:port].',
    });
  }
  const { createAnthropicProvider } = await import('../providers/anthropic/provider.ts');
  return {
    provider: createAnthropicProvider({ apiKey, baseUrl }),
    model,
    facts: UNKNOWN_MODEL,
    because,
    isDemo: false,
    wantsTour: () => false,
  };
}

async function demo(because: string): Promise<ChosenModel> {
  const { createDemoProvider, isTourRequest } = await import('../providers/demo.ts');
  return { provider: createDemoProvider(), model: 'demo', facts: UNKNOWN_MODEL, because, isDemo: true, wantsTour: isTourRequest };
}
