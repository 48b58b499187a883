import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { defineTool } from '../../core/define-tool.ts';
import { AgentError } from '../../core/errors.ts';
import { isJsonObject } from '../../core/json-value.ts';
import type { Judgement, PermissionMode, PermissionRule } from '../../core/permission.ts';
import type { PermissionPolicy } from '../../core/policy.ts';
import { canonicalInput } from '../../core/presentation.ts';
import type { ToolRegistry } from '../../core/registry.ts';
import { TodoList } from '../../core/todo-list.ts';
import type { Tool } from '../../core/tool.ts';
import { fail } from '../../core/tool-result.ts';
import { composeTools } from '../compose-tools.ts';
import { realFolder } from '../real-folder.ts';
import { permissionRules, type RuleFlags } from './permission-rules.ts';
import { projectSettings, readSettings, type SettingsLayer } from '../settings.ts';
import { openTrustStore } from '../trust-survey.ts';
import { userFolders, type UserFolders } from '../user-folders.ts';

/** From where a person asks what the gate would say. */
export interface DeskRequest extends RuleFlags {
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Null takes that of the settings. */
  readonly permissionMode: PermissionMode | null;
  readonly acceptUnsandboxed: boolean;
}

/** The gate of a folder without a session: it judges, and nothing runs. */
export interface PermissionDesk {
  readonly cwd: string;
  readonly folders: UserFolders;
  readonly mode: PermissionMode;
  readonly rules: readonly PermissionRule[];
  readonly faults: readonly string[];
  readonly layers: readonly SettingsLayer[];
  /** Settings of the folder that do not count, since it is not trusted. */
  readonly unread: readonly string[];
  /** What the gate says of a call in a mode, or in this desk's own. Errors: AgentError `misuse` for what no tool takes. */
  judge(toolName: string, input: unknown, mode?: PermissionMode): Promise<Judgement>;
}

/** Opens the gate of a folder with the rules of its settings and those given. Errors: AgentError. */
export async function openPermissionDesk(request: DeskRequest): Promise<PermissionDesk> {
  const cwd = realFolder(request.cwd);
  const folders = userFolders(request.environment);
  const isTrusted = (await openTrustStore(folders).check(cwd)) === 'trusted';
  const layers = await readSettings(cwd, folders, isTrusted);
  const { rules, faults } = permissionRules(request, layers);
  const mode =
    request.permissionMode ?? layers.find(({ settings }) => settings.permissionMode)?.settings.permissionMode ?? 'default';
  const { environment, acceptUnsandboxed } = request;
  const base = { cwd, folders, rules, environment, acceptUnsandboxed };
  // Plan mode offers fewer tools; what it would say of the others is worth knowing too.
  const { registry } = benchFor(base, 'default');
  const policies = new Map<PermissionMode, PermissionPolicy>();
  const policyOf = (wanted: PermissionMode): PermissionPolicy => {
    const policy = policies.get(wanted) ?? benchFor(base, wanted).policy;
    policies.set(wanted, policy);
    return policy;
  };
  return {
    cwd,
    folders,
    mode,
    rules,
    faults,
    layers,
    unread: isTrusted ? [] : projectSettings(cwd).filter((path) => existsSync(path)),
    judge: async (toolName, input, wanted = mode) => {
      const call = await readCall(registry, toolName, input, cwd);
      return policyOf(wanted).judge(call.tool, call.input);
    },
  };
}

function benchFor(
  base: Pick<PermissionDesk, 'cwd' | 'folders' | 'rules'> & Pick<DeskRequest, 'environment' | 'acceptUnsandboxed'>,
  mode: PermissionMode,
): ReturnType<typeof composeTools> {
  return composeTools({
    ...base,
    mode,
    addDirs: [],
    toolNames: 'PascalCase',
    bashTimeoutMs: null,
    tracksSeen: false,
    sessionId: `permissions-${process.pid}`,
    todos: new TodoList(),
    seesImages: false,
  });
}

async function readCall(
  registry: ToolRegistry,
  name: string,
  rawInput: unknown,
  cwd: string,
): Promise<{ readonly tool: Tool; readonly input: unknown }> {
  const tool = registry.get(name) ?? serverTool(name);
  if (tool === null) {
    const known = registry.list().map((one) => one.name);
    throw misuse(`There is no tool "${name}".`, `There are: ${known.join(', ')}, and mcp__SERVER__TOOL.`);
  }
  const input = withPlaces(tool, canonicalInput(tool, rawInput, { toolNames: 'PascalCase', cwd }), cwd);
  const checked = await tool.checkInput(input);
  if ('problem' in checked) throw misuse(`${tool.name} does not take that input: ${checked.problem}`, 'Mend the input.');
  const problem = tool.validateInput(checked.input, { cwd });
  if (problem !== null) throw misuse(`${tool.name} does not take that input: ${problem}`, 'Mend the input.');
  return { tool, input: checked.input };
}

/** Relative paths are meant from the workspace. They are joined as they stand: where dots and links lead is for the gate to say. */
function withPlaces(tool: Tool, input: unknown, cwd: string): unknown {
  if (!isJsonObject(input)) return input;
  const placed = (tool.aliases?.pathKeys ?? []).flatMap((key) => {
    const path = input[key];
    return typeof path === 'string' && path !== '' && !isAbsolute(path) ? [[key, `${cwd}/${path}`]] : [];
  });
  return { ...input, ...Object.fromEntries(placed) };
}

/** A stand-in for the tool of a server that is not connected here: rules speak of it by its name alone. */
function serverTool(name: string): Tool | null {
  if (!/^mcp__[\w-]{1,58}$/.test(name)) return null;
  return defineTool({
    name,
    description: 'A tool of a server.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: true } as const,
    category: 'mcp',
    execute: async () => fail('It is not connected here.'),
  }) as Tool;
}

function misuse(message: string, remedy: string): AgentError {
  return new AgentError({ code: 'misuse', message, remedy });
}
