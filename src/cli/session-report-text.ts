import type { SessionReport } from '../app/past-session.ts';
import { isReported } from '../core/accounting.ts';
import { displayLine } from '../core/display-text.ts';
import type { JsonObject } from '../core/json-value.ts';
import type { Ledger, ToolAccount } from '../core/ledger.ts';
import type { Usage } from '../core/model.ts';

const MAX_PROMPT_CHARS = 60;

/** A session in one line: id, time, turns, cost, name and first prompt. A branch stands in behind the session that it left. */
export function renderReportLine(report: SessionReport, depth = 0): string {
  const { id, createdAt, name, firstPrompt, ledger } = report;
  const turns = `${ledger.turns} turn${ledger.turns === 1 ? '' : 's'}`;
  const called = name === null ? '' : `[${displayLine(name, MAX_PROMPT_CHARS)}] `;
  const branch = depth === 0 ? '' : `${'  '.repeat(depth - 1)}└ `;
  const prompt = displayLine(firstPrompt ?? '', MAX_PROMPT_CHARS);
  return `${branch}${displayLine(id)}  ${timeText(createdAt)}  ${turns.padStart(9)}  ${costText(ledger).padStart(12)}  ${called}${prompt}`;
}

/** A session in some lines. */
export function renderReport(report: SessionReport, withLedger: boolean): string {
  const { id, name, parent, createdAt, models, firstPrompt, messageCount, compactionCount, rewoundCount, ledger } = report;
  const { usage } = ledger.billed;
  const lines = [
    `Session ${displayLine(id)}${name === null ? '' : `, called ${displayLine(name)}`}`,
    ...(parent === null
      ? []
      : [`A branch of ${displayLine(parent.id)}, after turn ${parent.turn}; what follows is its own part`]),
    `First prompt: ${displayLine(firstPrompt ?? 'none', MAX_PROMPT_CHARS * 2)}`,
    `Begun: ${timeText(createdAt)}, model${models.length > 1 ? 's' : ''} ${displayLine(models.join(', ') || 'unknown')}`,
    `Turns: ${ledger.turns}, messages: ${messageCount}, compactions: ${compactionCount}${rewoundCount === 0 ? '' : `, prompts rewound: ${rewoundCount}`}`,
    `Billed tokens, as the provider reported them: ${isReported(usage) ? usageText(usage) : 'none were reported'}`,
    `Cost by the list price: ${costText(ledger)}`,
  ];
  return (withLedger ? [...lines, '', ledgerText(ledger)] : lines).join('\n');
}

/** The same as an object; what is estimated says so in its name. */
export function reportAsJson(report: SessionReport, withLedger: boolean): JsonObject {
  const { ledger } = report;
  const { usage, cost } = ledger.billed;
  return {
    id: report.id,
    name: report.name,
    parent: report.parent,
    created_at: report.createdAt,
    model: report.model,
    models: report.models,
    first_prompt: report.firstPrompt,
    messages: report.messageCount,
    compactions: report.compactionCount,
    rewound_prompts: report.rewoundCount,
    prompts: report.prompts,
    turns: ledger.turns,
    total_cost_usd: cost,
    usage: {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      cache_read_input_tokens: usage.cacheReadTokens,
      cache_creation_input_tokens: usage.cacheWriteTokens,
      reasoning_tokens: usage.reasoningTokens,
    },
    ...(withLedger ? { tools: ledger.tools.map(accountAsJson) } : {}),
  };
}

function accountAsJson(account: ToolAccount): JsonObject {
  return {
    name: account.name,
    calls: account.calls,
    failures: account.failures,
    estimated_schema_tokens_per_request: account.schemaTokens,
    estimated_schema_tokens: account.allSchemaTokens,
    estimated_input_tokens: account.inputTokens,
    estimated_output_tokens: account.outputTokens,
    duration_ms: account.durationMs,
  };
}

const HEADS = ['tool', 'calls', 'failed', 'schema once', 'schema all', 'input', 'output', 'ms'] as const;

function ledgerText({ tools }: Ledger): string {
  const rows = [HEADS, ...tools.map(cellsOf), cellsOf(sumOf(tools))];
  const widths = HEADS.map((_head, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  '),
  );
  return [
    ...lines,
    '',
    'All tokens in this table are estimated from bytes; no provider bills by tool. Schema: what a tool adds to one request, and to all',
    'of them together. Input: its calls. Output: its answers. Both count once, though later requests carry them again. ms: while it ran.',
  ].join('\n');
}

function cellsOf(account: ToolAccount): readonly string[] {
  const { name, calls, failures, schemaTokens, allSchemaTokens, inputTokens, outputTokens, durationMs } = account;
  const counts = [calls, failures, schemaTokens, allSchemaTokens, inputTokens, outputTokens, durationMs];
  return [displayLine(name, MAX_PROMPT_CHARS), ...counts.map(String)];
}

function sumOf(tools: readonly ToolAccount[]): ToolAccount {
  const sum = (count: (account: ToolAccount) => number): number => tools.reduce((total, account) => total + count(account), 0);
  return {
    name: 'all',
    calls: sum(({ calls }) => calls),
    failures: sum(({ failures }) => failures),
    schemaTokens: sum(({ schemaTokens }) => schemaTokens),
    allSchemaTokens: sum(({ allSchemaTokens }) => allSchemaTokens),
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    durationMs: sum(({ durationMs }) => durationMs),
  };
}

function usageText({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens }: Usage): string {
  const reasoning = reasoningTokens === null ? '' : `, of which ${reasoningTokens} for reasoning`;
  return `${inputTokens} in, ${cacheReadTokens} read from and ${cacheWriteTokens} written to a cache, ${outputTokens} out${reasoning}`;
}

function costText({ billed: { cost } }: Ledger): string {
  return cost === null ? 'cost unknown' : `$${cost.toFixed(4)}`;
}

function timeText(createdAt: string | null): string {
  return createdAt === null ? 'unknown time' : displayLine(createdAt.replace('T', ' ').slice(0, 16));
}
