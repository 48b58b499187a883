export { createAgent, type AgentOptions } from './agent/create-agent.ts';
export { renderSystemPrompt, type PromptFacts } from './agent/system-prompt.ts';
export { composeTools, type ToolsConfig, type Workbench } from './app/compose-tools.ts';
export { createRegistry } from './app/create-registry.ts';
export { type Round, ToolRunner, type ToolRunnerOptions } from './calls/run-tools.ts';
export type { Asker, Question } from './calls/permit-call.ts';
export type { AgentAccess, AgentReport, AgentTask } from './core/agent-access.ts';
export type { Agent, UserInput } from './core/agent.ts';
export type { AgentEvent, AgentEventBody, RunOutcome } from './core/agent-event.ts';
export { defineTool, type InputOf, type ToolDefinition } from './core/define-tool.ts';
export { AgentError, type ErrorCode, type ErrorRecord, type ProviderError } from './core/errors.ts';
export type { Footprint, Resource } from './core/footprint.ts';
export type { FromSchema, JsonSchema } from './core/json-schema.ts';
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
export type { ModelEvent, ModelRequest, Provider, StopReason, Usage } from './core/model.ts';
export type { Decision, DecisionPart, Judgement, PermissionAnswer, PermissionMode, PermissionRule } from './core/permission.ts';
export type { PermissionPolicy } from './core/policy.ts';
export type {
  EffectJournal,
  FileAccess,
  GitAccess,
  Hook,
  HookRun,
  HookVerdict,
  SearchAccess,
  ShellAccess,
  StepRunner,
} from './core/ports.ts';
export type { ToolNames } from './core/presentation.ts';
export { type Dialect, type RegistryOptions, ToolRegistry, type ToolRenderers } from './core/registry.ts';
export type { SessionLog } from './core/session.ts';
export type { StandardSchema } from './core/standard-schema.ts';
export type { Tool, ToolAliases, ToolCategory, ToolContext, ToolSpec } from './core/tool.ts';
export { fail, succeed, type ToolResult } from './core/tool-result.ts';
export type { WebAccess, WebOutcome, WebPage } from './core/web-access.ts';
export { createWebAccess, type WebAccessOptions } from './host/web/web-access.ts';
export { createPolicy, type PolicyOptions } from './permissions/policy.ts';
export { type AnthropicOptions, createAnthropicProvider } from './providers/anthropic/provider.ts';
export { createDemoProvider } from './providers/demo.ts';
export { createScriptedProvider, type ScriptedReply } from './providers/scripted.ts';
export { createBashTool } from './tools/bash.ts';
export { createAllTools, type SetupOptions, setupTools } from './tools/builtin.ts';
export { createEditFileTool } from './tools/edit-file.ts';
export { createGitDiffTool } from './tools/git-diff.ts';
export { createGitStatusTool } from './tools/git-status.ts';
export { createGlobTool } from './tools/glob.ts';
export { createGrepTool } from './tools/grep.ts';
export { createReadFileTool } from './tools/read-file.ts';
export { createTaskTool } from './tools/task.ts';
export { createWebFetchTool } from './tools/web-fetch.ts';
export { createWriteFileTool } from './tools/write-file.ts';
