import type { Subject } from './bench.ts';
import { checkAgreement, checkChoices } from './agreement.ts';
import { checkAnswer, checkBounded, checkErrors, checkMetadata, checkRuns } from './answers.ts';
import { type ToolCost, costOf } from './cost.ts';
import { checkDescription } from './description.ts';
import { checkAfterwards, checkFootprint, checkReadOnly } from './effects.ts';
import { CHECK_IDS, type CheckId, found, skip, type Verdict } from './finding.ts';
import { madeInputs } from './fitting-inputs.ts';
import { checkFlags, checkPure } from './flags.ts';
import { checkParameters } from './parameters.ts';
import { checkPortable } from './portable.ts';
import { checkConcurrency } from './side-by-side.ts';
import { checkAbort } from './stopping.ts';
import { brokenCheck, sheltered } from './stray-errors.ts';
import { type Trial, tryCall } from './trial.ts';

/** What the kit says of one tool. */
export interface ToolReport {
  readonly name: string;
  readonly cost: ToolCost;
  readonly verdicts: Readonly<Record<CheckId, Verdict>>;
}

/** One tool under all checks. The calls that several checks look at are made once. */
export class Examination {
  readonly #subject: Subject;
  #trials: Promise<Trials> | null = null;

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  async report(): Promise<ToolReport> {
    const { tool } = this.#subject;
    const verdicts: [CheckId, Verdict][] = [];
    // One after the other: what one does to the bench is no other's.
    for (const id of CHECK_IDS) verdicts.push([id, await this.#sheltered(id)]);
    return { name: tool.name, cost: costOf(tool), verdicts: Object.fromEntries(verdicts) as Record<CheckId, Verdict> };
  }

  async #sheltered(id: CheckId): Promise<Verdict> {
    const { value, stray } = await sheltered(() => this.check(id).catch((thrown: unknown) => found(brokenCheck(thrown))));
    return stray.length === 0 ? value : { findings: [...value.findings, ...stray], skipped: null };
  }

  async check(id: CheckId): Promise<Verdict> {
    const subject = this.#subject;
    switch (id) {
      case 'description':
        return checkDescription(subject.tool, subject.otherNames);
      case 'parameters':
        return checkParameters(subject.tool);
      case 'portable':
        return checkPortable(subject.tool);
      case 'flags':
        return checkFlags(subject);
      case 'pure':
        return checkPure(subject);
      case 'agreement':
        return checkAgreement(subject);
      case 'choices':
        return checkChoices(subject);
      default:
        return this.#checkByCalls(id);
    }
  }

  async #checkByCalls(id: CheckByCalls): Promise<Verdict> {
    const subject = this.#subject;
    this.#trials ??= makeTrials(subject);
    const { trials, afterwards, why } = await this.#trials;
    if (why !== null) return skip(why);
    switch (id) {
      case 'runs':
        return checkRuns(trials);
      case 'answer':
        return checkAnswer(trials);
      case 'metadata':
        return checkMetadata(trials);
      case 'bounded':
        return checkBounded(trials);
      case 'errors':
        return checkErrors(trials);
      case 'read-only':
        return checkReadOnly(subject, trials);
      case 'footprint':
        return checkFootprint(subject, trials);
      case 'afterwards':
        return afterwards;
      case 'concurrency':
        return checkConcurrency(subject, trials);
      case 'abort':
        return checkAbort(subject, trials);
    }
  }
}

type CheckByCalls = Exclude<CheckId, 'description' | 'parameters' | 'portable' | 'flags' | 'pure' | 'agreement' | 'choices'>;

interface Trials {
  readonly trials: readonly Trial[];
  readonly afterwards: Verdict;
  /** Why there are none. */
  readonly why: string | null;
}

async function makeTrials(subject: Subject): Promise<Trials> {
  const { tool, samples, limits } = subject;
  const made = isForMadeInputs(tool)
    ? madeInputs(subject, limits.trialRuns).filter((input) => !reachesNetwork(subject, input))
    : [];
  const inputs = [...samples, ...made];
  if (inputs.length === 0)
    return noTrials(
      `${tool.isDestructive ? 'it says that it destroys' : 'it reaches a network'}, and is run only with samples that somebody chose`,
    );
  const trials: Trial[] = [];
  for (const input of inputs) {
    const trial = await tryCall(subject, input);
    trials.push(trial);
    // What hangs once is not asked eight times.
    if (trial.outcome === 'late') break;
  }
  const ran = trials.filter(({ outcome }) => outcome !== 'barred');
  if (ran.length === 0)
    return noTrials(
      `the gate does not let it run unasked: ${trials[0]?.words ?? ''}${tool.category === 'mcp' ? `; --allow ${tool.name} lets it` : ''}`,
    );
  return { trials: ran, afterwards: await checkAfterwards(subject, ran), why: null };
}

/** Made-up inputs are for what does no harm; what destroys gets only what somebody chose for it. What a server's tool may do, a rule has allowed. */
function isForMadeInputs({ isDestructive, category }: Subject['tool']): boolean {
  return category === 'mcp' || !(isDestructive || category === 'web');
}

/** Nobody elsewhere is asked for an address that was made up. */
function reachesNetwork({ tool, bench }: Subject, input: unknown): boolean {
  try {
    const footprint = tool.footprint(input, { cwd: bench.cwd });
    return footprint.extent === 'listed' && [...footprint.reads, ...footprint.writes].some(({ kind }) => kind === 'net');
  } catch {
    return false;
  }
}

function noTrials(why: string): Trials {
  return { trials: [], afterwards: skip(why), why };
}
