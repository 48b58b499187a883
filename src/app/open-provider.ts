import type { Provider } from '../core/model.ts';
import type { ChatQuirks } from '../providers/chat/quirks.ts';
import type { WireFormat } from '../providers/vendors.ts';

/** A server and how to speak to it. */
export interface Endpoint {
  /** Names the provider in messages and replay tokens. */
  readonly id: string;
  readonly format: WireFormat;
  readonly baseUrl: string;
  /** Null where the server wants none. */
  readonly apiKey: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly quirks: Partial<ChatQuirks>;
  /** Null where it is not known: the wire format's usual answer holds. */
  readonly seesImages: boolean | null;
  /** Its models have no tool interface. */
  readonly promptTools: boolean;
}

/** Opens a provider. Each wire format is loaded when it is first wanted. */
export async function openProvider(endpoint: Endpoint): Promise<Provider> {
  const provider = await openFormat(endpoint);
  return endpoint.promptTools ? (await import('../providers/prompt-tools/provider.ts')).withPromptTools(provider) : provider;
}

async function openFormat(endpoint: Endpoint): Promise<Provider> {
  const { id, format, apiKey, headers, quirks, seesImages } = endpoint;
  const options = { id, baseUrl: baseUrlOf(endpoint), headers, ...(seesImages === null ? {} : { seesImages }) };
  switch (format) {
    case 'anthropic-messages':
      return (await import('../providers/anthropic/provider.ts')).createAnthropicProvider({ ...options, apiKey });
    case 'openai-chat':
      return (await import('../providers/chat/provider.ts')).createOpenAIChatProvider({ ...options, apiKey, quirks });
    case 'openai-responses':
      return (await import('../providers/responses/provider.ts')).createResponsesProvider({ ...options, apiKey });
    case 'gemini':
      return (await import('../providers/gemini/provider.ts')).createGeminiProvider({ ...options, apiKey: apiKey ?? '' });
  }
}

// What people copy from a vendor's page along with the base URL.
const ENDPOINTS: Record<WireFormat, RegExp> = {
  'anthropic-messages': /\/v1(?:\/messages)?$/,
  'openai-chat': /\/chat\/completions$/,
  'openai-responses': /\/responses$/,
  gemini: /\/models$/,
};

/** Without the endpoint behind it, and for Gemini with the version that its own clients leave out. */
function baseUrlOf({ format, baseUrl }: Endpoint): string {
  const url = baseUrl.replace(/\/+$/, '').replace(ENDPOINTS[format], '');
  return format === 'gemini' && new URL(url).pathname === '/' ? `${url}/v1beta` : url;
}
