import type { Footprint } from '../core/footprint.ts';
import type { Subject } from './bench.ts';
import { type Finding, found, skip, type Verdict } from './finding.ts';
import { fittingInputs } from './fitting-inputs.ts';
import { inWords } from './input-words.ts';

/** Holds the flags against each other and against the footprints that the tool gives. */
export async function checkFlags(subject: Subject): Promise<Verdict> {
  const { tool } = subject;
  const inputs = await fittingInputs(subject);
  return found(
    tool.isReadOnly && tool.isDestructive
      ? { what: 'It says that it only reads and that it destroys.', remedy: 'Set isDestructive to false, or isReadOnly.' }
      : null,
    first(inputs, (input) => findingOf(subject, input)),
  );
}

function findingOf({ tool, bench }: Subject, input: unknown): Finding | null {
  let footprint: Footprint;
  let isSafe: boolean;
  try {
    // What is refused never gets as far as this.
    if (tool.validateInput(input, { cwd: bench.cwd }) !== null) return null;
    footprint = tool.footprint(input, { cwd: bench.cwd });
    isSafe = tool.isConcurrencySafe(input);
  } catch {
    // That is a finding of its own, elsewhere.
    return null;
  }
  const relative = pathsOf(footprint).find((path) => !path.startsWith('/'));
  if (relative !== undefined)
    return {
      what: `The footprint of ${inWords(input)} holds "${relative}", which is no absolute path.`,
      remedy: 'Resolve paths against the cwd that the footprint is given.',
    };
  if (!writes(footprint)) return null;
  // One that is not given assumes the worst, and is no claim.
  if (tool.isReadOnly && footprint.extent === 'listed')
    return {
      what: `It says that it only reads, and the footprint of ${inWords(input)} writes.`,
      remedy: 'Give a footprint that only reads, or do not set isReadOnly.',
    };
  if (!isSafe) return null;
  return {
    what: `It says that it may run beside others, and the footprint of ${inWords(input)} writes.`,
    remedy: 'A call that writes runs alone: do not set isConcurrencySafe for it.',
  };
}

function pathsOf(footprint: Footprint): readonly string[] {
  if (footprint.extent === 'everything') return [];
  return [...footprint.reads, ...footprint.writes].flatMap((resource) => (resource.kind === 'file' ? [resource.path] : []));
}

/** A plan or a job is the session's own: to write there is to take turns, and changes nothing of the person's. */
function writes(footprint: Footprint): boolean {
  if (footprint.extent === 'everything') return footprint.writes;
  return footprint.writes.some(({ kind }) => kind === 'file' || kind === 'net');
}

/** Asks twice what is to be pure, and looks at the bench around it. */
export async function checkPure(subject: Subject): Promise<Verdict> {
  const { bench } = subject;
  const before = await bench.look();
  const inputs = await fittingInputs(subject);
  if (inputs.length === 0) return skip('nothing could be made up that fits its schema');
  const wrong = first(inputs, (input) => impurityOf(subject, input));
  const after = await bench.look();
  const touched = [...after].find(([path, state]) => before.get(path) !== state);
  return found(
    wrong,
    touched === undefined
      ? null
      : {
          what: `${touched[0]} changed while inputs were only checked.`,
          remedy: 'Leave every effect to execute: what is checked may be refused.',
        },
  );
}

type Question = 'validateInput' | 'footprint' | 'subject' | 'isConcurrencySafe';
const QUESTIONS: readonly Question[] = ['validateInput', 'footprint', 'subject', 'isConcurrencySafe'];

function impurityOf({ tool, bench }: Subject, input: unknown): Finding | null {
  for (const question of QUESTIONS) {
    const written = JSON.stringify(input);
    try {
      const [one, two] = [1, 2].map(() => JSON.stringify(tool[question](input, { cwd: bench.cwd })));
      if (one !== two)
        return {
          what: `${question} answers ${one} and then ${two} of the same input ${inWords(input)}.`,
          remedy: 'Let it depend on the input alone.',
        };
    } catch (thrown) {
      return {
        what: `${question} throws on ${inWords(input)}, which fits the schema: ${String(thrown)}`,
        remedy:
          question === 'validateInput' ? 'Return words that say what to change.' : 'Give an answer for every input that fits.',
      };
    }
    if (JSON.stringify(input) !== written)
      return {
        what: `${question} changes the input ${inWords(input)}.`,
        remedy: 'Work on a copy: the call runs with what was judged.',
      };
  }
  return null;
}

/** A finding for each kind is enough. */
function first(inputs: readonly unknown[], look: (input: unknown) => Finding | null): Finding | null {
  for (const input of inputs) {
    const finding = look(input);
    if (finding !== null) return finding;
  }
  return null;
}
