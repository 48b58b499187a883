import fc, { type Arbitrary } from 'fast-check';
import { checkInput } from '../core/check-input.ts';
import type { Subject } from './bench.ts';
import { brokenLike } from './broken-inputs.ts';
import { type Finding, found, skip, type Verdict } from './finding.ts';
import { fittingInputs } from './fitting-inputs.ts';
import { valuesOf } from './made-inputs.ts';
import { inWords } from './input-words.ts';

/** Looks for an input that a tool's schema and its checker judge differently. What is found is made as small as it gets. */
export async function checkAgreement(subject: Subject): Promise<Verdict> {
  if (!subject.trustsPatterns) return skip('its schema is checked here by us, and at the server by the server');
  const { inputSchema } = subject.tool;
  const fitting = valuesOf(inputSchema, { paths: [subject.bench.cwd], trustsPatterns: true });
  const tooStrict = await counterexample(
    subject,
    fitting,
    ({ schemaSays, toolSays }) => schemaSays === null && toolSays !== null,
  );
  const tooLax = await counterexample(
    subject,
    brokenLike(fitting, inputSchema),
    ({ schemaSays, toolSays, isMended }) => schemaSays !== null && toolSays === null && !isMended,
  );
  return found(tooStrict === null ? null : strictFinding(tooStrict), tooLax === null ? null : laxFinding(tooLax));
}

/** What each says is wrong with an input, or null where it fits. */
interface Opinions {
  readonly input: unknown;
  readonly schemaSays: string | null;
  readonly toolSays: string | null;
  /** The tool makes something that fits of what does not: a number of a text, an object without a key that nobody knows. */
  readonly isMended: boolean;
}

async function counterexample(
  subject: Subject,
  inputs: Arbitrary<unknown>,
  disagree: (opinions: Opinions) => boolean,
): Promise<Opinions | null> {
  const { seed, fuzzRuns } = subject.limits;
  const property = fc.asyncProperty(inputs, async (input) => !disagree(await judge(subject, input)));
  const { counterexample: shrunk } = await fc.check(property, { seed, numRuns: fuzzRuns });
  return shrunk === null ? null : judge(subject, shrunk[0]);
}

async function judge({ tool }: Subject, input: unknown): Promise<Opinions> {
  const schemaSays = await checkInput(tool.inputSchema, input);
  try {
    const checked = await tool.checkInput(structuredClone(input));
    if ('problem' in checked) return { input, schemaSays, toolSays: checked.problem || 'no word', isMended: false };
    const isMended = schemaSays !== null && (await checkInput(tool.inputSchema, checked.input)) === null;
    return { input, schemaSays, toolSays: null, isMended };
  } catch (thrown) {
    return { input, schemaSays, toolSays: `it throws: ${String(thrown)}`, isMended: false };
  }
}

function strictFinding({ input, toolSays }: Opinions): Finding {
  return {
    what: `The schema admits ${inWords(input)}, and the tool's own check refuses it: ${toolSays}`,
    remedy: 'Put what the check demands into the schema, or leave it to validateInput, whose words a model can follow.',
  };
}

function laxFinding({ input, schemaSays }: Opinions): Finding {
  return {
    what: `The schema refuses ${inWords(input)} (${schemaSays}), and the tool's own check lets it pass.`,
    remedy: 'Let both say the same: what a schema forbids should not reach the tool.',
  };
}

/** Looks for a choice that the schema offers and validateInput never takes, whatever stands beside it. */
export async function checkChoices(subject: Subject): Promise<Verdict> {
  const { tool } = subject;
  const inputs = await fittingInputs(subject);
  const taken = inputs.filter((input) => accepts(subject, input));
  if (inputs.length === 0) return skip('nothing could be made up that fits its schema');
  if (taken.length === 0) return skip('nothing could be made up that it takes; samples would help');
  const findings: Finding[] = [];
  for (const { key, value } of choicesOf(tool.inputSchema.properties ?? {})) {
    // With each input that is taken, so that what is refused is the choice and nothing else.
    const tries = await fitting(
      tool,
      taken.slice(0, 40).map((input) => ({ ...(input as object), [key]: value })),
    );
    if (tries.length === 0 || tries.some((input) => accepts(subject, input))) continue;
    const says = refusalOf(subject, tries[0]);
    if (says === null) continue;
    findings.push({
      what: `The schema offers ${JSON.stringify(value)} for ${key}, and it is never taken: ${says}`,
      remedy: 'Take that choice out of the schema, or let the tool take it.',
    });
  }
  return found(...findings);
}

function choicesOf(
  properties: NonNullable<Subject['tool']['inputSchema']['properties']>,
): readonly { key: string; value: unknown }[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const ends = schema.type === 'integer' ? [schema['minimum'], schema['maximum']].filter((end) => typeof end === 'number') : [];
    const flags = schema.type === 'boolean' ? [true, false] : [];
    return [...(schema.enum ?? []), ...ends, ...flags].map((value) => ({ key, value }));
  });
}

async function fitting(tool: Subject['tool'], inputs: readonly unknown[]): Promise<readonly unknown[]> {
  const checked = await Promise.all(inputs.map((input) => tool.checkInput(input).catch(() => ({ problem: 'it throws' }))));
  return checked.flatMap((outcome) => ('input' in outcome ? [outcome.input] : []));
}

function accepts({ tool, bench }: Subject, input: unknown): boolean {
  try {
    return tool.validateInput(input, { cwd: bench.cwd }) === null;
  } catch {
    return false;
  }
}

/** Its words, or null where it takes the input or breaks on it, which is a finding of its own. */
function refusalOf({ tool, bench }: Subject, input: unknown): string | null {
  try {
    return tool.validateInput(input, { cwd: bench.cwd });
  } catch {
    return null;
  }
}
