import { AgentError } from '../core/errors.ts';
import type { JsonSchema } from '../core/json-schema.ts';
import { WIRE_FORMATS, type WireFormat } from '../providers/vendors.ts';

const OWN_MODEL = {
  type: 'object',
  properties: {
    contextTokens: { type: 'integer', minimum: 1 },
    maxOutputTokens: { type: 'integer', minimum: 1 },
    seesImages: { type: 'boolean' },
  },
  additionalProperties: false,
} as const;

/** What the user's settings say of one provider of their own. */
export const OWN_PROVIDER_SCHEMA = {
  type: 'object',
  properties: {
    baseUrl: { type: 'string', description: 'With /v1 for the OpenAI formats, with /v1beta for gemini.' },
    format: { type: 'string', enum: WIRE_FORMATS },
    apiKeyEnv: { type: 'string', description: 'The variable that holds the key. Without it no key is sent.' },
    headers: { type: 'object', additionalProperties: { type: 'string' } },
    models: { type: 'object', additionalProperties: OWN_MODEL, description: 'What is known of its models, by name.' },
    promptTools: { type: 'boolean', description: 'The models have no tool interface.' },
  },
  required: ['baseUrl', 'format'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export interface OwnModel {
  readonly contextTokens?: number;
  readonly maxOutputTokens?: number;
  readonly seesImages?: boolean;
}

/** A provider from the user's settings. */
export interface OwnProvider {
  readonly id: string;
  readonly baseUrl: string;
  readonly format: WireFormat;
  readonly apiKeyEnv: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly models: ReadonlyMap<string, OwnModel>;
  readonly promptTools: boolean;
}

interface Written {
  readonly baseUrl: string;
  readonly format: WireFormat;
  readonly apiKeyEnv?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly models?: Readonly<Record<string, OwnModel>>;
  readonly promptTools?: boolean;
}

/** The part of a settings layer that is read here. */
interface Layer {
  readonly origin: string;
  readonly scope: 'project' | 'user';
  /** Checked against the schema above. */
  readonly settings: { readonly providers?: unknown };
}

/** The providers of the user's own settings, by id. Errors: AgentError `config_unreadable`. */
export function ownProviders(layers: readonly Layer[]): ReadonlyMap<string, OwnProvider> {
  // A project must not choose where code and keys go. Its file was refused already; this is the second lock.
  const providers = layers.filter(({ scope }) => scope === 'user').flatMap(providersOf);
  return new Map(providers.map((provider) => [provider.id, provider]));
}

function providersOf({ origin, settings }: Layer): OwnProvider[] {
  const written = (settings.providers ?? {}) as Readonly<Record<string, Written>>;
  return Object.entries(written).map(([id, entry]) => {
    const fault = faultOf(id, entry);
    if (fault !== null) throw unusable(origin, `providers.${id} ${fault}`);
    return providerOf(id, entry);
  });
}

function providerOf(id: string, written: Written): OwnProvider {
  return {
    id,
    baseUrl: written.baseUrl,
    format: written.format,
    apiKeyEnv: written.apiKeyEnv ?? null,
    headers: written.headers ?? {},
    models: new Map(Object.entries(written.models ?? {})),
    promptTools: written.promptTools ?? false,
  };
}

function faultOf(id: string, { baseUrl }: Written): string | null {
  if (id === 'demo' || !/^[\w.-]+$/.test(id)) return 'is no name for a provider: use letters, digits, ".", "-" and "_".';
  if (!URL.canParse(baseUrl) || !/^https?:/i.test(baseUrl)) return `has no URL as its baseUrl: ${baseUrl}`;
  return null;
}

function unusable(origin: string, why: string): AgentError {
  return new AgentError({
    code: 'config_unreadable',
    message: `The settings file ${origin} cannot be used: ${why}`,
    remedy: 'Mend the entry; docs/providers.md has an example.',
  });
}
