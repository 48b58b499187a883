import { chooseModel } from '../app/choose-model.ts';
import { nameModel } from '../app/name-model.ts';
import { openProvider } from '../app/open-provider.ts';
import { ownVariables } from '../app/vendor-environment.ts';
import { UNKNOWN_MODEL, type ModelFacts, type Provider } from '../core/model.ts';
import type { WireFormat } from '../providers/vendors.ts';

/** A server of one's own, and how to speak to it. */
export interface ProviderEndpoint {
  readonly format: WireFormat;
  /** With `/v1` for the OpenAI formats, with `/v1beta` for gemini. */
  readonly baseUrl: string;
  readonly model: string;
  /** Not given: the server wants none. */
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Names it in messages. Default `custom`. */
  readonly id?: string;
  /** Default: what the wire format usually takes. */
  readonly seesImages?: boolean;
  /** The model has no tool interface: calls are asked for in its text. */
  readonly promptTools?: boolean;
  readonly facts?: Partial<ModelFacts>;
}

/** What is given in place of what the environment says. */
export interface ProviderOptions {
  /** Default: from the environment, by the vendor's own variable. */
  readonly apiKey?: string;
  /** Default: the vendor's own. */
  readonly baseUrl?: string;
  /** Default: that of this process. */
  readonly environment?: NodeJS.ProcessEnv;
}

/**
 * A provider, and the model to ask there: by name as with `--model` (`anthropic/claude-opus-5-5`, `ollama/qwen3`, `demo`), or by address.
 * Errors: AgentError `no_model`, `model_unreachable` where a server on this machine does not run, `misuse`.
 */
export async function createProvider(source: string | ProviderEndpoint, options: ProviderOptions = {}): Promise<Provider> {
  if (typeof source !== 'string') return providerAt(source);
  const { provider, model, facts } = await chooseModel(source, environmentFor(source, options));
  return { ...provider, model, facts };
}

async function providerAt(source: ProviderEndpoint): Promise<Provider> {
  const { format, baseUrl, model, apiKey = null, headers = {}, id = 'custom', seesImages = null, promptTools = false } = source;
  const provider = await openProvider({ id, format, baseUrl, apiKey, headers, quirks: {}, seesImages, promptTools });
  return { ...provider, model, facts: { ...UNKNOWN_MODEL, ...source.facts } };
}

/** What was given in so many words stands where the vendor's own variables would. */
function environmentFor(name: string, { apiKey, baseUrl, environment = process.env }: ProviderOptions): NodeJS.ProcessEnv {
  if (apiKey === undefined && baseUrl === undefined) return environment;
  const named = nameModel(name, { environment, own: new Map() });
  if (named.type === 'own') return environment;
  const [keyVariable] = named.vendor.keyVariables;
  const [urlVariable] = ownVariables(named.vendor, 'BASE_URL');
  return {
    ...environment,
    ...(apiKey === undefined || keyVariable === undefined ? {} : { [keyVariable]: apiKey }),
    ...(baseUrl === undefined || urlVariable === undefined ? {} : { [urlVariable]: baseUrl }),
  };
}
