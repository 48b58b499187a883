import { isJsonObject, type JsonObject } from '../../core/json-value.ts';

type Container = JsonObject | unknown[];

/** The arguments of a call that come piece by piece, each with the path where it belongs. */
export interface PartialArguments {
  readonly input: JsonObject;
  /** The path of a text that goes on, or null. */
  openPath: string | null;
  /** A piece had no sound place: the whole call is malformed. */
  isBroken: boolean;
}

/** Arguments to start with; the object is taken over. What is no object makes the call malformed. */
export function startArguments(given: unknown): PartialArguments {
  const input = given ?? {};
  return { input: isJsonObject(input) ? input : {}, openPath: null, isBroken: !isJsonObject(input) };
}

/** Puts one of `partialArgs` in its place. Source: recorded Vertex streams with streamFunctionCallArguments, 2026 */
export function addPartialArgument(args: PartialArguments, piece: JsonObject): void {
  const path = String(piece['jsonPath']);
  const keys = parsePath(path);
  const value = valueOf(piece);
  const place = keys === null || value === undefined ? null : placeOf(args.input, keys);
  if (place === null) {
    args.isBroken = true;
    return;
  }
  const known = read(place.container, place.key);
  const goesOn = args.openPath === path && typeof known === 'string' && typeof value === 'string';
  write(place.container, place.key, goesOn ? known + value : value);
  args.openPath = piece['willContinue'] === true ? path : null;
}

function valueOf(piece: JsonObject): unknown {
  if ('nullValue' in piece) return null;
  return piece['stringValue'] ?? piece['numberValue'] ?? piece['boolValue'];
}

type Key = string | number;

const STEP = /\.([^.[\]]+)|\[(\d+)\]|\[(?:'([^']*)'|"([^"]*)")\]/y;
const MAX_DEPTH = 64;
// Setting these would reach out of the object. Source: vercel/ai 5878b40
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

/** `$.a[0]['b c']` → a, 0, b c. Null where it is no such path. */
function parsePath(path: string): Key[] | null {
  const keys: Key[] = [];
  STEP.lastIndex = 1;
  while (STEP.lastIndex < path.length) {
    const match = STEP.exec(path);
    if (match === null) return null;
    const [, dotted, index, single, double] = match;
    keys.push(index === undefined ? (dotted ?? single ?? double ?? '') : Number(index));
  }
  const isSound = path.startsWith('$') && keys.length > 0 && keys.length <= MAX_DEPTH;
  return isSound && !keys.some((key) => FORBIDDEN.has(String(key))) ? keys : null;
}

interface Place {
  readonly container: Container;
  readonly key: Key;
}

/** The place that a path leads to, with the objects and arrays on the way made; null where something else is in the way. */
function placeOf(root: Container, keys: readonly Key[]): Place | null {
  let container = root;
  for (const [i, key] of keys.entries()) {
    if (!fits(container, key)) return null;
    const next = keys[i + 1];
    if (next === undefined) return { container, key };
    const known = read(container, key) ?? (typeof next === 'number' ? [] : {});
    if (typeof known !== 'object') return null;
    write(container, key, known);
    container = known as Container;
  }
  return null;
}

/** An index belongs to an array, and at most behind its end: a hole would cost memory that nobody sent. */
function fits(container: Container, key: Key): boolean {
  return Array.isArray(container) ? typeof key === 'number' && key <= container.length : typeof key === 'string';
}

function read(container: Container, key: Key): unknown {
  return Object.hasOwn(container, key) ? (container as Record<Key, unknown>)[key] : undefined;
}

function write(container: Container, key: Key, value: unknown): void {
  (container as Record<Key, unknown>)[key] = value;
}
