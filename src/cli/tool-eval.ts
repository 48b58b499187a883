import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Evaluation, prepareEvaluation } from '../app/evaluation/evaluate-tools.ts';
import { displayJson, displayText } from '../core/display-text.ts';
import { AgentError, messageOf } from '../core/errors.ts';
import type { EvaluationReport } from '../evaluation/report.ts';
import { interruptible } from './interrupt.ts';
import { evaluationLines } from './tool-eval-text.ts';
import { workingFolder } from './working-folder.ts';
import { writeOut } from './write-out.ts';

export interface EvalFlags {
  readonly model?: string;
  readonly tasks?: readonly string[];
  /** False with --no-shipped. */
  readonly shipped?: boolean;
  readonly tools?: readonly string[];
  readonly compare?: readonly string[];
  readonly tool?: readonly string[];
  readonly language?: readonly string[];
  readonly limit?: number;
  readonly repeat?: number;
  readonly parallel?: number;
  readonly seed?: number;
  readonly dryRun?: boolean;
  readonly html?: string;
  readonly cwd?: string;
  readonly json?: boolean;
}

const USUAL_PARALLEL = 4;
const MAX_WORDINGS = 2;

/** `wield tool eval`: asks a model tasks whose right call is known, and adds up what it chose. Nothing is run. */
export async function evaluateTools(flags: EvalFlags): Promise<number> {
  const wordingFiles = flags.compare ?? [];
  if (wordingFiles.length > MAX_WORDINGS)
    throw new AgentError({
      code: 'misuse',
      message: '--compare takes one file or two.',
      remedy: 'Compare two wordings at a time.',
    });
  const cwd = flags.cwd ?? workingFolder();
  const evaluation = await prepareEvaluation({
    cwd,
    environment: process.env,
    model: flags.model ?? null,
    taskFiles: flags.tasks ?? [],
    ownTasksOnly: flags.shipped === false,
    modules: flags.tools ?? [],
    wordingFiles,
    only: flags.tool ?? [],
    languages: flags.language ?? [],
    limit: flags.limit ?? null,
    rounds: flags.repeat ?? 1,
    parallel: flags.parallel ?? USUAL_PARALLEL,
    seed: flags.seed ?? 1,
  });
  say(planText(evaluation));
  if (flags.dryRun === true) {
    for (const { id, language, expect, prompt } of evaluation.tasks)
      await writeOut(displayText(`${id} [${language}] ${expect.map(({ tool }) => tool).join(' or ') || 'no call'}: ${prompt}\n`));
    return 0;
  }
  let report: EvaluationReport | null = null;
  const { value } = await interruptible(async (signal) => {
    report = await evaluation.run(signal, tellProgress);
  });
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
  if (report === null) return value ?? 1;
  await writeReport(report, flags, cwd);
  return value ?? 0;
}

async function writeReport(report: EvaluationReport, { html, json }: EvalFlags, cwd: string): Promise<void> {
  await writeOut(json === true ? `${displayJson(report, 2)}\n` : displayText(`${evaluationLines(report).join('\n')}\n`));
  if (html === undefined) return;
  const { renderReportPage } = await import('../evaluation/page/report-page.ts');
  const path = resolve(cwd, html);
  try {
    await writeFile(path, renderReportPage(report));
  } catch (thrown) {
    throw new AgentError({
      code: 'misuse',
      message: `The page cannot be written: ${messageOf(thrown)}`,
      remedy: 'Give --html a path that can be written.',
    });
  }
  say(`The page is ${path}`);
}

function planText({ model, requests, estimatedTokens, estimatedCost, notices }: Evaluation): string {
  const cost = estimatedCost === null ? '' : `, about $${estimatedCost.toFixed(2)} by list prices`;
  return [
    ...notices,
    `${model}: ${requests} requests with about ${estimatedTokens} tokens in them${cost}, besides what the model writes.`,
  ].join('\n');
}

function tellProgress(done: number, all: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${all}`);
}

function say(text: string): void {
  process.stderr.write(`${displayText(text)}\n`);
}
