import { isJsonObject } from '../core/json-value.ts';
import { isLoopback, readLoopbackJson } from '../host/http/loopback-json.ts';

/** Where a model server may run on this machine. */
export interface LocalPlace {
  readonly vendor: string;
  /** With `/v1`. */
  readonly baseUrl: string;
  readonly lists: 'ollama' | 'openai';
}

/** A model server that answered. */
export interface LocalServer {
  readonly vendor: string;
  readonly baseUrl: string;
  readonly models: readonly string[];
}

/** How long a look around may take. Design notes, command line: 150 ms. */
const PATIENCE_MS = 150;
const MAX_MODELS = 200;
const MAX_NAME_CHARS = 200;

/**
 * The model servers on this machine and their models, all asked at once. What hangs, answers something else or is no place on
 * loopback is left out. No key is ever sent. Ends when the signal says so, by default after 150 ms.
 */
export async function discoverServers(
  places: readonly LocalPlace[],
  signal: AbortSignal = AbortSignal.timeout(PATIENCE_MS),
): Promise<readonly LocalServer[]> {
  const found = await Promise.all(places.map((place) => ask(place, signal)));
  return found.filter((server) => server !== null);
}

/** False where nothing listens at a place on loopback; true where something does, or is too slow to tell. */
export async function mayListen(place: LocalPlace, signal: AbortSignal = AbortSignal.timeout(PATIENCE_MS)): Promise<boolean> {
  if (!isLoopback(place.baseUrl)) return true;
  return (await readLoopbackJson(listUrl(place), signal)).type !== 'refused';
}

async function ask(place: LocalPlace, signal: AbortSignal): Promise<LocalServer | null> {
  const answer = await readLoopbackJson(listUrl(place), signal);
  const models = answer.type === 'json' ? modelsOf(answer.value, place.lists) : null;
  return models === null ? null : { vendor: place.vendor, baseUrl: place.baseUrl, models };
}

/** Ollama lists at /api/tags what is installed; its /v1/models came later. */
function listUrl({ baseUrl, lists }: LocalPlace): string {
  return lists === 'ollama' && URL.canParse(baseUrl)
    ? new URL('/api/tags', baseUrl).href
    : `${baseUrl.replace(/\/+$/, '')}/models`;
}

/** The names in an answer; null where it is not a list of models. */
function modelsOf(value: unknown, lists: LocalPlace['lists']): readonly string[] | null {
  const entries = isJsonObject(value) ? value[lists === 'ollama' ? 'models' : 'data'] : null;
  if (!Array.isArray(entries)) return null;
  const names = entries.map((entry: unknown) => (isJsonObject(entry) ? entry[lists === 'ollama' ? 'name' : 'id'] : null));
  return names.filter((name) => typeof name === 'string' && name.length <= MAX_NAME_CHARS).slice(0, MAX_MODELS) as string[];
}
