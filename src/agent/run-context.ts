import type { ToolRunner } from '../calls/run-tools.ts';
import type { Emit } from '../core/agent-event.ts';
import type { TextBlock } from '../core/message.ts';
import type { ModelFacts, Provider } from '../core/model.ts';
import type { JobTable, Lifecycle, StepRunner } from '../core/ports.ts';
import type { ToolRegistry } from '../core/registry.ts';
import type { SessionLog } from '../core/session.ts';
import type { TodoList } from '../core/todo-list.ts';
import type { Budget } from './budget.ts';
import type { Patience } from './retry.ts';
import type { Transcript } from './transcript.ts';

/** What a run works with. */
export interface RunContext {
  readonly provider: Provider;
  readonly model: string;
  readonly facts: ModelFacts;
  readonly system: string;
  readonly cwd: string;
  readonly maxOutputTokens: number;
  readonly maxTurns: number;
  readonly budget?: Budget;
  readonly registry: ToolRegistry;
  readonly runner: ToolRunner;
  readonly steps: StepRunner;
  readonly patience: Patience;
  readonly transcript: Transcript;
  readonly log: SessionLog;
  readonly lifecycle?: Lifecycle;
  readonly todos?: TodoList;
  readonly jobs?: Pick<JobTable, 'list'>;
  readonly signal: AbortSignal;
  readonly emit: Emit;
  /** Text that the person sent meanwhile, to go with the next request. */
  takeSteering(): readonly TextBlock[];
}
