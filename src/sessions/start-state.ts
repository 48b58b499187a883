import { isJsonObject } from '../core/json-value.ts';
import { PERMISSION_MODES, type PermissionMode, SANDBOX_MODES, type SandboxMode } from '../core/permission.ts';
import type { ToolNames } from '../core/presentation.ts';
import { isRawPath } from '../host/effects/raw-path.ts';
import type { SnapshotEntry } from '../host/effects/snapshot.ts';

export const START_VERSION = 1;

/** What a session worked with, beside the files. */
export interface StartFacts {
  readonly cwd: string;
  readonly home: string;
  readonly temp: string;
  readonly mode: PermissionMode;
  readonly toolNames: ToolNames;
  readonly addDirs: readonly string[];
  readonly sandbox: SandboxMode | null;
  readonly bashTimeoutMs: number | null;
  readonly seesImages: boolean;
  /** Language and time zone; what is not there was not set. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The files before the first call of a process. `messages` counts those of the session until then. */
export interface StartState extends StartFacts {
  readonly type: 'start';
  readonly version: typeof START_VERSION;
  readonly messages: number;
  /** The number of the prompt that the call belongs to; sessions of before 2026-12 do not say. */
  readonly prompt?: number;
  /** Null where they could not be kept; `missing` says why. */
  readonly entries: readonly SnapshotEntry[] | null;
  readonly missing: string | null;
}

const MAX_NAME_BYTES = 255;
const MAX_PATH_CHARS = 3000;
const MAX_TIMEOUT_MS = 600_000;
/** As far as a date goes. */
const MAX_TIME_MS = 8.64e15;
const LOCALE = /^(?:TZ|LANG|LANGUAGE|LC_[A-Z]+)$/;

/** Whether a variable is one of language and time zone: all of its environment that a session hands on to a replay. */
export function isLocaleVariable(name: string): boolean {
  return LOCALE.test(name);
}

/** A starting state, or null for what is none. A stranger may have written it: nothing in it leads anywhere but below its folder. */
export function startOf(value: unknown): StartState | null {
  if (!isJsonObject(value) || value['type'] !== 'start' || value['version'] !== START_VERSION) return null;
  const { cwd, home, temp, mode, toolNames, addDirs, sandbox, bashTimeoutMs, environment, entries, messages, prompt, missing } =
    value;
  const isWhole =
    [cwd, home, temp].every(isPlace) &&
    PERMISSION_MODES.some((known) => known === mode) &&
    (toolNames === 'PascalCase' || toolNames === 'snake_case') &&
    Array.isArray(addDirs) &&
    addDirs.every((folder) => typeof folder === 'string') &&
    (sandbox === null || SANDBOX_MODES.some((known) => known === sandbox)) &&
    (bashTimeoutMs === null || isCount(bashTimeoutMs, 1, MAX_TIMEOUT_MS)) &&
    isLocale(environment) &&
    isCount(messages) &&
    (prompt === undefined || isCount(prompt)) &&
    (missing === null || typeof missing === 'string') &&
    (entries === null || (Array.isArray(entries) && entries.every(isEntry)));
  // Its shape was checked here.
  return isWhole ? (value as unknown as StartState) : null;
}

/** An absolute path without a step back. */
function isPlace(value: unknown): boolean {
  if (typeof value !== 'string' || !value.startsWith('/') || value.includes('\0') || value.length > MAX_PATH_CHARS) return false;
  return value === '/' || value.slice(1).split('/').every(isName);
}

function isLocale(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  return Object.entries(value).every(
    ([name, text]) => isLocaleVariable(name) && typeof text === 'string' && !text.includes('\0'),
  );
}

/** Relative, and no way out: what a file says is going to be written. */
function isEntry(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { path, mtimeMs, state } = value;
  if (typeof path !== 'string' || !isRawPath(path) || path.length > MAX_PATH_CHARS || !path.split('/').every(isName))
    return false;
  if (typeof mtimeMs !== 'number' || !(Math.abs(mtimeMs) <= MAX_TIME_MS) || !isJsonObject(state)) return false;
  switch (state['kind']) {
    case 'file':
      return typeof state['hash'] === 'string' && isCount(state['mode'], 0, 0o7777) && isCount(state['size']);
    case 'folder':
      return isCount(state['mode'], 0, 0o7777);
    case 'link':
      return typeof state['target'] === 'string' && state['target'] !== '' && isRawPath(state['target']);
    default:
      return state['kind'] === 'uncovered' && typeof state['why'] === 'string';
  }
}

function isName(part: string): boolean {
  return part !== '' && part !== '.' && part !== '..' && Buffer.byteLength(part) <= MAX_NAME_BYTES;
}

function isCount(value: unknown, least = 0, most = Number.MAX_SAFE_INTEGER): boolean {
  return Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
}
