import type { ChatQuirks } from './chat/quirks.ts';

export const WIRE_FORMATS = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'] as const;

/** How a server is spoken to. */
export type WireFormat = (typeof WIRE_FORMATS)[number];

/** Who serves models, as a row of data. */
export interface Vendor {
  /** What stands before the slash of `--model`. */
  readonly id: string;
  /** Other words for the id. */
  readonly aliases: readonly string[];
  readonly name: string;
  readonly format: WireFormat;
  /** As the wire format's provider wants it. `{NAME}` stands for an environment variable. */
  readonly baseUrl: string;
  /** The first that is set is the key; `<ID>_BASE_URL` and `<ID>_MODEL` come from the id and the aliases. */
  readonly keyVariables: readonly string[];
  /** Null where a name must be given. */
  readonly defaultModel: string | null;
  /** How the names of its models begin, in lower case, where a name comes without a vendor. */
  readonly modelPrefixes: readonly string[];
  readonly quirks?: Partial<ChatQuirks>;
  /** Spoken where the base URL was changed: servers that imitate this vendor seldom speak its newest format. */
  readonly formatElsewhere?: WireFormat;
  /** A query of the URL that the environment gives; a dated version has a path of its own, with `{model}`. */
  readonly version?: { readonly variable: string; readonly parameter: string; readonly datedBaseUrl: string };
  /** Set where it runs on this machine: it needs no key and is never chosen unasked. */
  readonly local?: { readonly start: string; readonly lists: 'ollama' | 'openai' };
  /** Where keys and models are documented. */
  readonly docs: string;
}

const KIMI: Partial<ChatQuirks> = { reasoning: 'every_message', emptyReasoning: ' ', callIds: 'kimi' };
const QWEN: Partial<ChatQuirks> = { reasoning: 'never' };

/**
 * The vendors, in the order in which their keys are looked for. Base URLs and key variables come from the page named in each row
 * unless a comment says unverified. No row was tried with a real key. Quirks: design notes, streaming 4.4 and 7.3.
 */
export const VENDORS: readonly Vendor[] = [
  {
    id: 'anthropic',
    aliases: [],
    name: 'Anthropic',
    format: 'anthropic-messages',
    baseUrl: 'https://api.anthropic.com',
    keyVariables: ['ANTHROPIC_API_KEY'],
    defaultModel: 'claude-opus-5-5',
    modelPrefixes: ['claude'],
    docs: 'https://platform.claude.com/docs/en/about-claude/models/overview',
  },
  {
    id: 'openai',
    aliases: [],
    name: 'OpenAI',
    format: 'openai-responses',
    formatElsewhere: 'openai-chat',
    baseUrl: 'https://api.openai.com/v1',
    keyVariables: ['OPENAI_API_KEY'],
    defaultModel: 'gpt-6.1-sol',
    modelPrefixes: ['gpt-', 'chatgpt-', 'o1', 'o3', 'o4', 'codex-'],
    docs: 'https://developers.openai.com/api/docs/models',
  },
  {
    id: 'google',
    aliases: ['gemini'],
    name: 'Google Gemini',
    format: 'gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    defaultModel: 'gemini-3.8-flash',
    modelPrefixes: ['gemini-'],
    docs: 'https://ai.google.dev/gemini-api/docs/models',
  },
  {
    id: 'deepseek',
    aliases: [],
    name: 'DeepSeek',
    format: 'openai-chat',
    baseUrl: 'https://api.deepseek.com',
    keyVariables: ['DEEPSEEK_API_KEY'],
    defaultModel: 'deepseek-flash',
    modelPrefixes: ['deepseek-'],
    quirks: { reasoning: 'every_message' },
    docs: 'https://api-docs.deepseek.com/quick_start/pricing',
  },
  {
    id: 'qwen',
    aliases: ['dashscope'],
    name: 'Qwen (international)',
    format: 'openai-chat',
    baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    keyVariables: ['DASHSCOPE_API_KEY'],
    defaultModel: 'qwen3.8-max',
    modelPrefixes: ['qwen', 'qwq-'],
    quirks: QWEN,
    docs: 'https://www.alibabacloud.com/help/en/model-studio/base-url',
  },
  {
    // A key belongs to one region; the variable's name does not tell which.
    id: 'qwen-cn',
    aliases: [],
    name: 'Qwen (China)',
    format: 'openai-chat',
    baseUrl: 'https://dashscope.aliyuncs.com/compatible-mode/v1',
    keyVariables: ['DASHSCOPE_API_KEY'],
    defaultModel: 'qwen3.8-max',
    modelPrefixes: [],
    quirks: QWEN,
    docs: 'https://help.aliyun.com/zh/model-studio/base-url',
  },
  {
    id: 'moonshot',
    aliases: ['kimi'],
    name: 'Moonshot (international)',
    format: 'openai-chat',
    baseUrl: 'https://api.moonshot.ai/v1',
    keyVariables: ['MOONSHOT_API_KEY'],
    defaultModel: 'kimi-k3',
    modelPrefixes: ['kimi-', 'moonshot-'],
    quirks: KIMI,
    docs: 'https://platform.kimi.ai/docs/overview',
  },
  {
    id: 'moonshot-cn',
    aliases: ['kimi-cn'],
    name: 'Moonshot (China)',
    format: 'openai-chat',
    baseUrl: 'https://api.moonshot.cn/v1',
    keyVariables: ['MOONSHOT_API_KEY'],
    defaultModel: 'kimi-k3',
    modelPrefixes: [],
    quirks: KIMI,
    docs: 'https://platform.kimi.com/docs/overview',
  },
  {
    id: 'zai',
    aliases: ['z-ai'],
    name: 'Z.ai',
    format: 'openai-chat',
    baseUrl: 'https://api.z.ai/api/paas/v4',
    keyVariables: ['ZAI_API_KEY'],
    defaultModel: 'glm-5.3',
    modelPrefixes: ['glm-'],
    docs: 'https://docs.z.ai',
  },
  {
    // Base URL and variables unverified.
    id: 'zhipu',
    aliases: ['bigmodel'],
    name: 'Zhipu (China)',
    format: 'openai-chat',
    baseUrl: 'https://open.bigmodel.cn/api/paas/v4',
    keyVariables: ['ZHIPU_API_KEY', 'ZHIPUAI_API_KEY'],
    defaultModel: 'glm-5.2',
    modelPrefixes: ['glm-'],
    docs: 'https://docs.bigmodel.cn',
  },
  {
    // The Anthropic door, since thinking must come back whole and its chat door puts it into the text.
    id: 'minimax',
    aliases: [],
    name: 'MiniMax',
    format: 'anthropic-messages',
    baseUrl: 'https://api.minimax.io/anthropic',
    keyVariables: ['MINIMAX_API_KEY'],
    defaultModel: 'MiniMax-M3',
    modelPrefixes: ['minimax-'],
    docs: 'https://platform.minimax.io/docs/api-reference/text-anthropic-api',
  },
  {
    // That `stream_options` is refused is unverified; its usage comes without being asked for.
    id: 'mistral',
    aliases: [],
    name: 'Mistral',
    format: 'openai-chat',
    baseUrl: 'https://api.mistral.ai/v1',
    keyVariables: ['MISTRAL_API_KEY'],
    defaultModel: 'mistral-large-latest',
    modelPrefixes: ['mistral-', 'ministral-', 'magistral-', 'codestral-', 'devstral-', 'pixtral-'],
    quirks: { callIds: 'mistral', allowsUserAfterTool: false, asksForUsage: false },
    docs: 'https://docs.mistral.ai/getting-started/models/',
  },
  {
    // Source: its documentation's page on OpenAI compatibility.
    id: 'groq',
    aliases: [],
    name: 'Groq',
    format: 'openai-chat',
    baseUrl: 'https://api.groq.com/openai/v1',
    keyVariables: ['GROQ_API_KEY'],
    defaultModel: 'openai/gpt-oss-120b',
    modelPrefixes: [],
    quirks: { maxTokensField: 'max_completion_tokens' },
    docs: 'https://groq.com',
  },
  {
    id: 'xai',
    aliases: [],
    name: 'xAI',
    format: 'openai-chat',
    baseUrl: 'https://api.x.ai/v1',
    keyVariables: ['XAI_API_KEY'],
    defaultModel: 'grok-4.7',
    modelPrefixes: ['grok-'],
    docs: 'https://docs.x.ai/developers/models',
  },
  {
    id: 'openrouter',
    aliases: [],
    name: 'OpenRouter',
    format: 'openai-chat',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyVariables: ['OPENROUTER_API_KEY'],
    defaultModel: 'anthropic/claude-opus-5.5',
    modelPrefixes: [],
    docs: 'https://openrouter.ai/docs',
  },
  {
    // Base URL, variable and model unverified.
    id: 'together',
    aliases: [],
    name: 'Together',
    format: 'openai-chat',
    baseUrl: 'https://api.together.xyz/v1',
    keyVariables: ['TOGETHER_API_KEY'],
    defaultModel: 'openai/gpt-oss-120b',
    modelPrefixes: [],
    docs: 'https://docs.together.ai',
  },
  {
    // Base URL, variable and model unverified.
    id: 'fireworks',
    aliases: [],
    name: 'Fireworks',
    format: 'openai-chat',
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    keyVariables: ['FIREWORKS_API_KEY'],
    defaultModel: 'accounts/fireworks/models/gpt-oss-120b',
    modelPrefixes: [],
    docs: 'https://docs.fireworks.ai',
  },
  {
    // The model is the name of a deployment.
    id: 'azure',
    aliases: [],
    name: 'Azure OpenAI',
    format: 'openai-chat',
    baseUrl: 'https://{AZURE_OPENAI_RESOURCE}.openai.azure.com/openai/v1',
    keyVariables: ['AZURE_OPENAI_API_KEY'],
    defaultModel: null,
    modelPrefixes: [],
    quirks: { maxTokensField: 'max_completion_tokens', keyHeader: 'api-key' },
    version: {
      variable: 'AZURE_OPENAI_API_VERSION',
      parameter: 'api-version',
      datedBaseUrl: 'https://{AZURE_OPENAI_RESOURCE}.openai.azure.com/openai/deployments/{model}',
    },
    docs: 'https://learn.microsoft.com/azure/foundry/openai/api-version-lifecycle',
  },
  {
    id: 'ollama',
    aliases: [],
    name: 'Ollama',
    format: 'openai-chat',
    baseUrl: 'http://127.0.0.1:11434/v1',
    keyVariables: [],
    defaultModel: null,
    modelPrefixes: [],
    local: { start: 'ollama serve', lists: 'ollama' },
    docs: 'https://docs.ollama.com/api/openai-compatibility',
  },
  {
    id: 'lmstudio',
    aliases: ['lm-studio'],
    name: 'LM Studio',
    format: 'openai-chat',
    baseUrl: 'http://127.0.0.1:1234/v1',
    keyVariables: [],
    defaultModel: null,
    modelPrefixes: [],
    local: { start: 'lms server start', lists: 'openai' },
    docs: 'https://lmstudio.ai/docs',
  },
  {
    id: 'llamacpp',
    aliases: ['llama.cpp', 'llama-cpp'],
    name: 'llama.cpp',
    format: 'openai-chat',
    baseUrl: 'http://127.0.0.1:8080/v1',
    keyVariables: ['LLAMA_API_KEY'],
    defaultModel: null,
    modelPrefixes: [],
    local: { start: 'llama-server --jinja -m MODEL.gguf', lists: 'openai' },
    docs: 'https://github.com/ggml-org/llama.cpp/tree/master/tools/server',
  },
  {
    id: 'vllm',
    aliases: [],
    name: 'vLLM',
    format: 'openai-chat',
    baseUrl: 'http://127.0.0.1:8000/v1',
    keyVariables: ['VLLM_API_KEY'],
    defaultModel: null,
    modelPrefixes: [],
    local: { start: 'vllm serve MODEL --enable-auto-tool-choice --tool-call-parser PARSER', lists: 'openai' },
    docs: 'https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html',
  },
];

/** The vendor of an id or another word for it, in any case; null where there is none. */
export function vendorNamed(word: string): Vendor | null {
  const id = word.toLowerCase();
  return VENDORS.find((vendor) => vendor.id === id || vendor.aliases.includes(id)) ?? null;
}
