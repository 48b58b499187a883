import { AgentError } from '../core/errors.ts';
import { isLoopback } from '../host/http/loopback-json.ts';
import { mayListen } from '../providers/discover.ts';
import type { KnownModel } from '../providers/model-facts.ts';
import type { Vendor } from '../providers/vendors.ts';
import type { Endpoint } from './open-provider.ts';
import type { OwnProvider } from './own-providers.ts';
import { keyOf, placeOf } from './vendor-environment.ts';

/** An endpoint and what is known of the model there. */
export interface ModelEndpoint {
  readonly endpoint: Endpoint;
  readonly facts: KnownModel;
}

/** Where a vendor's model is asked. Errors: AgentError `no_model` without a key, `model_unreachable` without its server, `misuse`. */
export async function vendorEndpoint(vendor: Vendor, model: string, environment: NodeJS.ProcessEnv): Promise<ModelEndpoint> {
  const { baseUrl, query, isElsewhere } = placeOf(vendor, model, environment);
  const apiKey = keyOf(vendor, environment)?.value ?? null;
  if (apiKey === null && vendor.local === undefined && !isLoopback(baseUrl)) throw missingKey(`${vendor.id}/${model}`, vendor);
  await assertRuns(vendor, baseUrl);
  const { factsOf } = await import('../providers/model-facts.ts');
  const known = factsOf(vendor.id, model);
  return {
    // Someone else's server has prices of its own.
    facts: isElsewhere ? { ...known, price: null } : known,
    endpoint: {
      id: vendor.id,
      format: isElsewhere ? (vendor.formatElsewhere ?? vendor.format) : vendor.format,
      baseUrl,
      apiKey,
      headers: {},
      quirks: { ...vendor.quirks, ...(Object.keys(query).length === 0 ? {} : { query }) },
      seesImages: known.seesImages,
      promptTools: false,
    },
  };
}

/** Where a model of the user's own provider is asked. Errors: AgentError `no_model` without its key. */
export function ownEndpoint(provider: OwnProvider, model: string, environment: NodeJS.ProcessEnv): ModelEndpoint {
  const { id, format, baseUrl, headers, apiKeyEnv, promptTools } = provider;
  const keyVariables = apiKeyEnv === null ? [] : [apiKeyEnv];
  const apiKey = keyOf({ keyVariables }, environment)?.value ?? null;
  if (apiKey === null && apiKeyEnv !== null) throw missingKey(`${id}/${model}`, { keyVariables });
  const { contextTokens = null, maxOutputTokens = null, seesImages = null } = provider.models.get(model) ?? {};
  return {
    facts: { contextTokens, maxOutputTokens, seesImages, price: null },
    endpoint: { id, format, baseUrl, apiKey, headers, quirks: {}, seesImages, promptTools },
  };
}

/** Sees to it that a server on this machine runs, as far as that can be told at once. Errors: AgentError `model_unreachable`. */
export async function assertRuns({ id, name, local }: Vendor, baseUrl: string): Promise<void> {
  if (local === undefined || (await mayListen({ vendor: id, baseUrl, lists: local.lists }))) return;
  throw new AgentError({
    code: 'model_unreachable',
    message: `${name} does not run: nothing listens at ${new URL(baseUrl).host}.`,
    remedy: `Start it with: ${local.start} (wield models shows the servers that answer)`,
  });
}

function missingKey(model: string, { keyVariables, docs }: { keyVariables: readonly string[]; docs?: string }): AgentError {
  const variables = keyVariables.join(' or ');
  return new AgentError({
    code: 'no_model',
    message: `${model} needs a key, and ${variables} is not set.`,
    remedy: `Set ${variables}, or use --model demo.${docs === undefined ? '' : ` See ${docs}`}`,
  });
}
