export { type AISDKOutput, type AISDKTool, toAISDKTools } from './ai-sdk.ts';
export { type AnthropicAnswer, type AnthropicReply, answerAnthropic } from './anthropic.ts';
export { answerGemini, type GeminiAnswer, type GeminiReply } from './gemini.ts';
export { answerOpenAIChat, type OpenAIChatAnswer, type OpenAIChatReply } from './openai-chat.ts';
export { answerOpenAIResponses, type OpenAIResponsesAnswer, type OpenAIResponsesReply } from './openai-responses.ts';
