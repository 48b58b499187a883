import { tmpdir } from 'node:os';
import type { AgentOptions } from '../../agent/create-agent.ts';
import { DEFAULT_PATIENCE } from '../../agent/retry.ts';
import { AgentError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json-value.ts';
import { UNKNOWN_MODEL, type Provider } from '../../core/model.ts';
import { placesOf } from '../../core/steady-text.ts';
import { isSecretHeader } from '../../host/http/secrets.ts';
import { type Cassette, readCassette } from '../../providers/cassette.ts';
import { replayingProvider } from '../../providers/cassette-player.ts';
import { recordingProvider } from '../../providers/cassette-recorder.ts';
import type { ChosenModel } from '../choose-model.ts';
import { type Endpoint, openProvider } from '../open-provider.ts';
import type { OwnProvider } from '../own-providers.ts';
import { secretsIn } from '../known-secrets.ts';
import type { UserFolders } from '../user-folders.ts';

/** What `--record` and `--replay` ask for. */
export interface TapeRequest {
  readonly record: string | null;
  readonly replay: string | null;
  /** Null gives everything at once. */
  readonly replaySpeed: number | null;
}

/** Where a session stands, and what its environment keeps secret. */
export interface TapePlace {
  /** A real path. */
  readonly cwd: string;
  readonly folders: UserFolders;
  readonly environment: NodeJS.ProcessEnv;
  readonly own: ReadonlyMap<string, OwnProvider>;
}

/** The model of a cassette, for which no key is needed. Errors: AgentError `cassette_unusable`. */
export async function modelOfCassette(path: string): Promise<ChosenModel> {
  const cassette = readCassette(path);
  const { model, provider, facts } = cassette.header;
  const isDemo = provider.id === 'demo';
  const silent: Provider = { ...provider, stream: () => notPlayed() };
  return {
    provider: silent,
    endpoint: null,
    model,
    facts: facts ?? UNKNOWN_MODEL,
    because: `${path} stands in for it`,
    isDemo,
    wantsTour: isDemo ? (await import('../../providers/demo.ts')).isTourRequest : () => false,
  };
}

/** The provider of a model with what was asked for: it answers from a cassette, or into one. Errors: AgentError `cassette_unusable`. */
export async function openTape(
  { record, replay, replaySpeed }: TapeRequest,
  model: ChosenModel,
  place: TapePlace,
): Promise<Pick<AgentOptions, 'provider' | 'patience'>> {
  if (replay !== null) {
    const provider = await playCassette(readCassette(replay), place, replaySpeed);
    return { provider, ...(replaySpeed === null ? { patience: { ...DEFAULT_PATIENCE, baseDelayMs: 0 } } : {}) };
  }
  return { provider: record === null ? model.provider : recordModel(model, record, place) };
}

async function playCassette(
  cassette: Cassette,
  { cwd, folders, environment, own }: TapePlace,
  speed: number | null,
): Promise<Provider> {
  const { endpoint } = cassette.header;
  const reader = endpoint === null ? null : await openProvider(endpointOf(endpoint));
  return replayingProvider(cassette, { places: here(cwd, folders), secrets: secretsIn(environment, own), speed, reader });
}

function recordModel({ provider, model, endpoint, facts }: ChosenModel, path: string, place: TapePlace): Provider {
  const { cwd, folders, environment, own } = place;
  return recordingProvider(provider, {
    path,
    model,
    facts,
    // What is hidden in the words of a model without tools depends on its system prompt: only its events are the same elsewhere.
    endpoint: endpoint === null || endpoint.promptTools ? null : withoutKeys(endpoint),
    places: here(cwd, folders),
    secrets: secretsIn(environment, own),
  });
}

function here(cwd: string, { home }: UserFolders): ReturnType<typeof placesOf> {
  return placesOf({ cwd, home, temp: tmpdir() });
}

function withoutKeys({ apiKey: _key, headers: _headers, quirks, ...endpoint }: Endpoint): JsonObject {
  const url = new URL(endpoint.baseUrl);
  const query = Object.entries(quirks.query ?? {}).filter(([name]) => !isSecretHeader(name));
  return {
    ...endpoint,
    baseUrl: `${url.origin}${url.pathname}`,
    quirks: { ...quirks, ...(quirks.query === undefined ? {} : { query: Object.fromEntries(query) }) },
  };
}

/** Its shape is ours: the header of a cassette was written by `withoutKeys`. */
function endpointOf(endpoint: JsonObject): Endpoint {
  const { id, format, baseUrl, quirks } = endpoint;
  const isWhole = typeof id === 'string' && typeof format === 'string' && typeof baseUrl === 'string' && URL.canParse(baseUrl);
  if (!isWhole || typeof quirks !== 'object')
    throw new AgentError({
      code: 'cassette_unusable',
      message: 'The first line of the cassette does not say how to read it.',
      remedy: 'Record it anew with --record FILE.',
    });
  return { promptTools: false, seesImages: null, ...endpoint, apiKey: null, headers: {} } as unknown as Endpoint;
}

async function* notPlayed(): AsyncGenerator<never> {
  throw new Error('a cassette answers only in a folder');
}
