import type { ParseError } from 'jsonc-parser';
import { join } from 'node:path';
import { checkInput } from '../core/check-input.ts';
import { AgentError } from '../core/errors.ts';
import type { FromSchema } from '../core/json-schema.ts';
import { PERMISSION_MODES, SANDBOX_MODES } from '../core/permission.ts';
import { HOOKS_SCHEMA } from '../hooks/hook-settings.ts';
import { trustRoot } from '../permissions/trust/trust.ts';
import { OWN_PROVIDER_SCHEMA } from './own-providers.ts';
import { readConfigFile } from './read-config-file.ts';
import type { UserFolders } from './user-folders.ts';

const RULES = { type: 'array', items: { type: 'string' } } as const;

const PERMISSION_CASES = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      tool: { type: 'string', description: 'Bash unless given.' },
      input: { type: 'object', properties: {}, additionalProperties: true },
      command: { type: 'string', description: 'Short for the input of Bash.' },
      mode: { type: 'string', enum: PERMISSION_MODES },
      expect: { type: 'string', enum: ['allow', 'ask', 'deny'] },
    },
    required: ['expect'],
    additionalProperties: false,
  },
} as const;

/** What a settings file may say. */
export const SETTINGS_SCHEMA = {
  type: 'object',
  properties: {
    model: { type: 'string', description: 'vendor/name, or demo.' },
    permissionMode: { type: 'string', enum: PERMISSION_MODES, description: 'What is asked.' },
    sandbox: { type: 'string', enum: SANDBOX_MODES, description: 'What commands may change, where they can be confined.' },
    toolNames: { type: 'string', enum: ['PascalCase', 'snake_case'], description: 'How tools are named to the model.' },
    maxTurns: { type: 'integer', minimum: 1, description: 'Model requests in one run.' },
    bashTimeoutMs: {
      type: 'integer',
      minimum: 1,
      maximum: 600_000,
      description: 'Deadline of a command where the model names none.',
    },
    permissions: {
      type: 'object',
      properties: { allow: RULES, ask: RULES, deny: RULES, cases: PERMISSION_CASES },
      additionalProperties: false,
      description: 'Rules such as Bash(npm test), and cases that wield permissions test holds them to.',
    },
    hooks: HOOKS_SCHEMA,
    undo: { type: 'boolean', description: 'Whether what calls do to files is kept so that it can be undone. Default true.' },
    keepSessionsDays: {
      type: 'integer',
      minimum: 1,
      description: "Sessions without a name go when nobody went on with them for so long. Only in the user's file.",
    },
    theme: {
      type: 'string',
      enum: ['auto', 'dark', 'light', 'ansi-16', 'colour-blind', 'plain'],
      description: "How the terminal looks. Only in the user's file, as the three below.",
    },
    language: { type: 'string', enum: ['auto', 'en', 'zh', 'ja'], description: 'In which the terminal speaks.' },
    notifications: {
      type: 'string',
      enum: ['auto', 'bell', 'osc9', 'off'],
      description: 'How you are called when it waits for you and no key was pressed for ten seconds.',
    },
    windowTitle: { type: 'boolean', description: "Whether the window's title tells what it is at. Default true." },
    providers: {
      type: 'object',
      additionalProperties: OWN_PROVIDER_SCHEMA,
      description: "Your own model servers, by the name to use in --model. Only in the user's file.",
    },
  },
  additionalProperties: false,
} as const;

export type Settings = FromSchema<typeof SETTINGS_SCHEMA>;

/** Settings of one file, and where they came from. */
export interface SettingsLayer {
  readonly origin: string;
  readonly scope: 'project' | 'user';
  readonly settings: Settings;
}

/** Where a project keeps settings, the person's own first. */
export function projectSettings(cwd: string): readonly string[] {
  return ['settings.local.json', 'settings.json'].map((name) => join(cwd, '.wield', name));
}

/**
 * The settings that apply, strongest first: project-local, project, user. Project files count only in a trusted folder.
 * Errors: AgentError `config_unreadable`, naming the file and what is wrong in it.
 */
export async function readSettings(cwd: string, folders: UserFolders, isTrusted: boolean): Promise<readonly SettingsLayer[]> {
  const root = trustRoot(cwd);
  const project = isTrusted ? projectSettings(cwd) : [];
  const layers = await Promise.all([
    ...project.map((path) => layerOf(path, 'project', root)),
    layerOf(join(folders.config, 'settings.json'), 'user', null),
  ]);
  return layers.filter((layer) => layer !== null);
}

async function layerOf(path: string, scope: SettingsLayer['scope'], within: string | null): Promise<SettingsLayer | null> {
  const file = await readConfigFile(path, within);
  if (file === null) return null;
  if ('fault' in file) throw unreadable(path, file.fault);
  const { text } = file;
  // Loaded only where there is a file: the first request does not wait for it.
  const { parse, printParseErrorCode } = await import('jsonc-parser');
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const first = errors[0];
  if (first !== undefined)
    throw unreadable(path, `${printParseErrorCode(first.error)} in line ${text.slice(0, first.offset).split('\n').length}`);
  const problem = await checkInput(SETTINGS_SCHEMA, value);
  if (problem !== null) throw unreadable(path, problem);
  const settings = value as Settings;
  // Else a repository could have the code and a key sent to a server of its choice.
  if (scope === 'project' && settings.providers !== undefined)
    throw unreadable(path, '"providers" may stand only in your own settings, since it says where your code and your keys go.');
  // Nor may it have a person's sessions removed.
  if (scope === 'project' && settings.keepSessionsDays !== undefined)
    throw unreadable(path, '"keepSessionsDays" may stand only in your own settings, since it removes sessions.');
  const own = OWN_KEYS.find((key) => scope === 'project' && settings[key] !== undefined);
  if (own !== undefined) throw unreadable(path, `"${own}" may stand only in your own settings, since it is a matter of taste.`);
  return { origin: path, scope, settings };
}

/** How a person wants their terminal. */
const OWN_KEYS = ['theme', 'language', 'notifications', 'windowTitle'] as const;

export function preferencesOf(layers: readonly SettingsLayer[]): Pick<Settings, (typeof OWN_KEYS)[number]> {
  const own = layers.find(({ scope }) => scope === 'user')?.settings ?? {};
  return Object.fromEntries(OWN_KEYS.flatMap((key) => (own[key] === undefined ? [] : [[key, own[key]]])));
}

function unreadable(path: string, why: string): AgentError {
  return new AgentError({
    code: 'config_unreadable',
    message: `The settings file ${path} cannot be used: ${why}`,
    remedy: 'Mend the file, or move it away.',
  });
}
