import type { ToolUseBlock } from '../core/message.ts';
import { canonicalInput, presentedName } from '../core/presentation.ts';
import type { ToolRegistry } from '../core/registry.ts';
import type { Tool } from '../core/tool.ts';
import { describeMalformedInput } from '../core/tool-input.ts';
import { fail, type ToolResult } from '../core/tool-result.ts';

/** A call whose input the tool takes. */
export interface PreparedCall {
  readonly tool: Tool;
  readonly input: unknown;
  /** The name by which it goes, where the model called it by another tool that stands for it. */
  readonly calledAs?: string;
}

/** From a model's words to a tool and its checked input, or to the answer that says what to change. Nothing has run yet. */
export async function prepareCall(
  registry: ToolRegistry,
  call: ToolUseBlock,
  cwd: string,
): Promise<PreparedCall | { readonly refusal: ToolResult }> {
  const found = registry.lookup(call.name);
  if (found === null) return { refusal: fail(unknownName(registry, call.name)) };
  if ('disabledBy' in found) return { refusal: fail(disabled(registry, call.name, found.disabledBy)) };
  if (call.malformedInput !== undefined)
    return { refusal: fail(`${call.name} was not run: ${describeMalformedInput(call.malformedInput)}`) };
  const checked = await checkedCall(registry, found.tool, call.input, cwd);
  if ('refusal' in checked || found.tool.standsFor === undefined) return checked;
  return preparedInstead(registry, found.tool, { ...call, ...found.tool.standsFor(checked.input) }, cwd);
}

/** The call that another one stands for. One that stands for a third would have no end. */
async function preparedInstead(
  registry: ToolRegistry,
  tool: Tool,
  call: ToolUseBlock,
  cwd: string,
): Promise<PreparedCall | { readonly refusal: ToolResult }> {
  const meant = registry.get(call.name);
  if (meant?.standsFor !== undefined)
    return { refusal: fail(`${tool.name} was not run: it calls tools of servers, not ${call.name}.`) };
  const prepared = await prepareCall(registry, call, cwd);
  return 'refusal' in prepared ? prepared : { ...prepared, calledAs: prepared.tool.name };
}

/** The checks alone, for an input that a person edited. */
export async function checkedCall(
  registry: ToolRegistry,
  tool: Tool,
  rawInput: unknown,
  cwd: string,
): Promise<PreparedCall | { readonly refusal: ToolResult }> {
  const checked = await tool.checkInput(canonicalInput(tool, rawInput, { toolNames: registry.toolNames, cwd }));
  if ('problem' in checked)
    return { refusal: fail(`${presentedName(tool, registry.toolNames)} was not run: ${checked.problem}`) };
  const problem = tool.validateInput(checked.input, { cwd });
  if (problem !== null) return { refusal: fail(`${presentedName(tool, registry.toolNames)} was not run: ${problem}`) };
  return { tool, input: checked.input };
}

function unknownName(registry: ToolRegistry, name: string): string {
  return `There is no tool "${name}". Available: ${availableNames(registry)}.`;
}

function disabled(registry: ToolRegistry, name: string, by: string): string {
  return `The tool "${name}" is disabled here by ${by}. Go on without it; available: ${availableNames(registry)}.`;
}

function availableNames(registry: ToolRegistry): string {
  return (
    registry
      .specs()
      .map((spec) => spec.name)
      .join(', ') || 'none'
  );
}
