import { addSpend, NO_SPEND, type Spend } from './accounting.ts';
import type { ToolSchemaSize } from './agent-event.ts';
import type { Message, ToolResultBlock, ToolUseBlock } from './message.ts';
import { toolUsesOf } from './message.ts';
import type { ToolRegistry } from './registry.ts';
import { estimateBlockTokens, estimateTokens } from './token-estimate.ts';

/** What a ledger is made from: some records of a session, in order. */
export type LedgerRecord =
  | { readonly type: 'run_start'; readonly tools: readonly ToolSchemaSize[] }
  | { readonly type: 'message_added'; readonly message: Message }
  | { readonly type: 'tool_time'; readonly toolUseId: string; readonly durationMs: number }
  | ({ readonly type: 'turn_end' } & Spend);

/** What one tool took, by the name that the model used. All tokens are estimated from bytes; `durationMs` is the time that it ran. */
export interface ToolAccount {
  readonly name: string;
  /** Calls that got an answer, and those of them whose answer was an error. */
  readonly calls: number;
  readonly failures: number;
  /** Of its schema in each request, as of the last run, and in all requests together. */
  readonly schemaTokens: number;
  readonly allSchemaTokens: number;
  /** Of the calls, and of their answers; each once, though later requests carry them again. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly durationMs: number;
}

/** The accounts of a session's tools, in the order of the schema, and what was billed for all of its turns together. */
export interface Ledger {
  readonly tools: readonly ToolAccount[];
  readonly turns: number;
  readonly billed: Spend;
}

/** The tools that a request carries, with the estimated tokens of each; in the order in which models see them. */
export function schemaSizesOf(registry: ToolRegistry): readonly ToolSchemaSize[] {
  const rendered = registry.toAPIFormat();
  return registry.specs().map(({ name }, i) => ({ name, schemaTokens: estimateTokens(JSON.stringify(rendered[i])) }));
}

/** Adds up a session. */
export function ledgerOf(records: readonly LedgerRecord[]): Ledger {
  const book = new LedgerBook();
  for (const record of records) book.add(record);
  return book.ledger();
}

const NO_ACCOUNT = {
  calls: 0,
  failures: 0,
  schemaTokens: 0,
  allSchemaTokens: 0,
  inputTokens: 0,
  outputTokens: 0,
  durationMs: 0,
};

class LedgerBook {
  readonly #accounts = new Map<string, typeof NO_ACCOUNT>();
  readonly #calls = new Map<string, ToolUseBlock>();
  readonly #times = new Map<string, number>();
  #tools: readonly ToolSchemaSize[] = [];
  #turns = 0;
  #billed = NO_SPEND;

  add(record: LedgerRecord): void {
    switch (record.type) {
      case 'run_start':
        this.#tools = record.tools;
        for (const { name, schemaTokens } of record.tools) this.#accountOf(name).schemaTokens = schemaTokens;
        break;
      case 'message_added':
        this.#addMessage(record.message);
        break;
      case 'tool_time':
        this.#times.set(record.toolUseId, record.durationMs);
        break;
      case 'turn_end':
        this.#turns++;
        this.#billed = addSpend(this.#billed, record);
        for (const { name, schemaTokens } of this.#tools) this.#accountOf(name).allSchemaTokens += schemaTokens;
        break;
    }
  }

  ledger(): Ledger {
    return {
      tools: [...this.#accounts].map(([name, account]) => ({ name, ...account })),
      turns: this.#turns,
      billed: this.#billed,
    };
  }

  #addMessage(message: Message): void {
    if (message.role === 'assistant') for (const call of toolUsesOf(message)) this.#calls.set(call.id, call);
    else for (const block of message.content) if (block.type === 'tool_result') this.#addResult(block);
  }

  #addResult(result: ToolResultBlock): void {
    const call = this.#calls.get(result.toolUseId);
    if (call === undefined) return;
    const account = this.#accountOf(call.name);
    account.calls++;
    if (result.isError) account.failures++;
    account.inputTokens += estimateBlockTokens(call);
    account.outputTokens += estimateBlockTokens(result);
    account.durationMs += this.#times.get(call.id) ?? 0;
  }

  #accountOf(name: string): typeof NO_ACCOUNT {
    const known = this.#accounts.get(name);
    if (known !== undefined) return known;
    const account = { ...NO_ACCOUNT };
    this.#accounts.set(name, account);
    return account;
  }
}
