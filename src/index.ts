// What an agent is made of.
export { type AgentOptions, createAgent, type OpenAgent } from './sdk/create-agent.ts';
export { createProvider, type ProviderEndpoint, type ProviderOptions } from './sdk/create-provider.ts';
export { collectRun, type RunSummary } from './sdk/collect-run.ts';
export { createToolbox, type Toolbox, type ToolboxOptions, type ToolCall } from './sdk/create-toolbox.ts';
export type { Permissions } from './sdk/gate.ts';
export type { Place, ToolsOptions } from './sdk/open-tools.ts';
export { renderSystemPrompt, type PromptFacts } from './agent/system-prompt.ts';

// Tools.
export { defineTool, type InputOf, type ToolDefinition } from './core/define-tool.ts';
export { fail, succeed, type ToolResult } from './core/tool-result.ts';
export { createRegistry } from './app/create-registry.ts';
export { type SetupOptions, setupTools } from './tools/builtin.ts';
export type { FromSchema, JsonSchema } from './core/json-schema.ts';
export type { StandardSchema } from './core/standard-schema.ts';
export type { JsonValue } from './core/json-value.ts';
export type { CallFacts, Tool, ToolAliases, ToolCategory, ToolContext, ToolSpec } from './core/tool.ts';
export type { Footprint, Resource } from './core/footprint.ts';
export type { ToolNames } from './core/presentation.ts';
export {
  type Dialect,
  type RegistryOptions,
  type ToolFormats,
  ToolRegistry,
  type ToolRenderers,
  type ToolSchema,
} from './core/registry.ts';
export { TodoList, type Todo, type TodoStatus } from './core/todo-list.ts';

// What tools work on.
export type { Backend, Machine, OutputStore } from './core/backend.ts';
export { type BackendParts, createBackend } from './backends/create-backend.ts';
export { createLocalBackend, type LocalBackendOptions } from './sdk/local-backend.ts';
export { createMemoryBackend, type MemoryBackend, type MemoryBackendOptions } from './backends/memory-backend.ts';
export type { MemoryCommand, RunCommand } from './backends/memory-shell.ts';
export type { WebAccess, WebOutcome, WebPage } from './core/web-access.ts';
export type { AgentAccess, AgentReport, AgentTask } from './core/agent-access.ts';
export { FileConflict } from './core/ports.ts';
export type {
  ByteRange,
  Change,
  EffectJournal,
  FileAccess,
  FileContent,
  FileStat,
  FindOutcome,
  FindRequest,
  GitAccess,
  GrepFile,
  GrepLine,
  GrepOutcome,
  GrepRequest,
  Hook,
  HookRun,
  HookVerdict,
  Job,
  JobOutput,
  JobTable,
  Lifecycle,
  SearchAccess,
  ShellAccess,
  ShellOutcome,
  ShellRequest,
  StepRunner,
  Version,
} from './core/ports.ts';

// What a run is made of.
export type { Agent, UserInput } from './core/agent.ts';
export type { AgentEvent, AgentEventBody, RunOutcome } from './core/agent-event.ts';
export { AgentError, type ErrorCode, type ErrorRecord, type ProviderError } from './core/errors.ts';
export { textOf, toolUsesOf } from './core/message.ts';
export type {
  AssistantMessage,
  ImageBlock,
  Message,
  OpaqueBlock,
  ReplayToken,
  TextBlock,
  ThinkingBlock,
  ToolResultBlock,
  ToolUseBlock,
  UserMessage,
} from './core/message.ts';
export { NO_USAGE } from './core/model.ts';
export type { ModelEvent, ModelFacts, ModelRequest, Provider, StopReason, Usage } from './core/model.ts';
export type { Asker, Question } from './calls/permit-call.ts';
export type { Decision, DecisionPart, Judgement, PermissionAnswer, PermissionMode, PermissionRule } from './core/permission.ts';
export type { SessionLog } from './core/session.ts';

// Models for tests, examples and a first run.
export { createDemoProvider } from './providers/demo.ts';
export { createScriptedProvider, type ScriptedReply } from './providers/scripted.ts';
