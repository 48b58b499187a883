import { AgentError } from '../core/errors.ts';
import { displayLine } from '../core/display-text.ts';
import { type ModelFacts, type Provider, UNKNOWN_MODEL } from '../core/model.ts';
import { discoverServers } from '../providers/discover.ts';
import type { Vendor } from '../providers/vendors.ts';
import { assertRuns, type ModelEndpoint, ownEndpoint, vendorEndpoint } from './endpoints.ts';
import { nameModel, vendorByKey } from './name-model.ts';
import { type Endpoint, openProvider } from './open-provider.ts';
import { type OwnProvider, ownProviders } from './own-providers.ts';
import type { SettingsLayer } from './settings.ts';
import { placeOf } from './vendor-environment.ts';

export interface ChosenModel {
  readonly provider: Provider;
  /** Null where nothing is asked over a network. */
  readonly endpoint: Endpoint | null;
  readonly model: string;
  readonly facts: ModelFacts;
  /** Why this one, for people. */
  readonly because: string;
  readonly isDemo: boolean;
  /** True where a prompt asks the demo for its tour, which works on a copy of its own. */
  wantsTour(prompt: string): boolean;
}

/**
 * Chooses by name, then by the first key in the environment, in the order of the vendors, then the demo. A server on this machine
 * is used only where it was asked for. Errors: AgentError `no_model`, `model_unreachable`, `misuse`, `config_unreadable`.
 */
export async function chooseModel(
  wanted: string | null,
  environment: NodeJS.ProcessEnv,
  layers: readonly SettingsLayer[] = [],
): Promise<ChosenModel> {
  if (wanted === 'demo') return demo('it was asked for');
  if (wanted !== null) return chooseNamed(wanted, environment, ownProviders(layers));
  const byKey = vendorByKey(environment);
  if (byKey === null) return demo('no key was found; wield models lists the variables');
  const { vendor, model, variable } = byKey;
  return open(await vendorEndpoint(vendor, model, environment), model, `${variable} is set`);
}

async function chooseNamed(
  wanted: string,
  environment: NodeJS.ProcessEnv,
  own: ReadonlyMap<string, OwnProvider>,
): Promise<ChosenModel> {
  const named = nameModel(wanted, { environment, own });
  const because = 'it was asked for';
  if (named.type === 'own') {
    const model = named.model ?? noModelName(named.provider.id, [...named.provider.models.keys()]);
    return open(ownEndpoint(named.provider, model, environment), model, because);
  }
  const model = named.model ?? (await localModel(named.vendor, environment));
  return open(await vendorEndpoint(named.vendor, model, environment), model, because);
}

async function open({ endpoint, facts }: ModelEndpoint, model: string, because: string): Promise<ChosenModel> {
  const provider = await openProvider(endpoint);
  return { provider, endpoint, model, facts, because, isDemo: false, wantsTour: () => false };
}

/** The one model of a server on this machine where only the server was named. */
async function localModel(vendor: Vendor, environment: NodeJS.ProcessEnv): Promise<string> {
  const { id, local } = vendor;
  if (local === undefined) return noModelName(id, []);
  const { baseUrl } = placeOf(vendor, '', environment);
  await assertRuns(vendor, baseUrl);
  const [server] = await discoverServers([{ vendor: id, baseUrl, lists: local.lists }]);
  const [first, ...more] = server?.models ?? [];
  return first !== undefined && more.length === 0 ? first : noModelName(id, server?.models ?? []);
}

function noModelName(id: string, models: readonly string[]): never {
  throw new AgentError({
    code: 'no_model',
    message: `Which model of ${id}? It has no usual one.`,
    remedy: `Use --model ${id}/NAME.${models.length === 0 ? '' : ` It has: ${displayLine(models.join(', '), 300)}`}`,
  });
}

async function demo(because: string): Promise<ChosenModel> {
  const { createDemoProvider, isTourRequest } = await import('../providers/demo.ts');
  return {
    provider: createDemoProvider(),
    endpoint: null,
    model: 'demo',
    facts: UNKNOWN_MODEL,
    because,
    isDemo: true,
    wantsTour: isTourRequest,
  };
}
