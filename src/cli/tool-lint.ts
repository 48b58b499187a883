import { type LintLine, lintTools } from '../app/conformance/lint-tools.ts';
import { displayJson, displayText } from '../core/display-text.ts';
import { splitRules } from '../permissions/rules/rules.ts';
import { interruptible } from './interrupt.ts';
import { reportLines, summaryLines } from './tool-lint-text.ts';
import { workingFolder } from './working-folder.ts';
import { writeOut } from './write-out.ts';

export interface LintFlags {
  readonly mcp?: readonly string[];
  readonly tool?: readonly string[];
  readonly allow?: readonly string[];
  readonly seed?: number;
  readonly verbose?: boolean;
  readonly cwd?: string;
  readonly json?: boolean;
}

type Reported = Extract<LintLine, { type: 'report' }>;

/** `wield tool lint`: holds tools to what they say. Exit 1 where one does not keep to it. */
export async function lintToolsHere(modules: readonly string[], flags: LintFlags): Promise<number> {
  const lines = lintTools({
    cwd: flags.cwd ?? workingFolder(),
    environment: process.env,
    modules,
    servers: flags.mcp ?? [],
    only: flags.tool ?? [],
    allow: (flags.allow ?? []).flatMap(splitRules),
    ...(flags.seed === undefined ? {} : { limits: { seed: flags.seed } }),
  });
  const reports: Reported[] = [];
  const { value: signalCode } = await interruptible(async (signal) => {
    for await (const line of lines) {
      if (line.type === 'notice') process.stderr.write(`${displayText(line.text)}\n`);
      else {
        reports.push(line);
        if (flags.json !== true) await writeOut(displayText(`${reportLines(line, flags.verbose ?? false).join('\n')}\n`));
      }
      // What was made for the tool at hand is taken away first.
      if (signal.aborted) return;
    }
  });
  const count = reports.reduce((sum, { report }) => sum + findingsIn(report), 0);
  if (flags.json === true)
    await writeOut(
      `${displayJson(
        reports.map(({ origin, report }) => ({ origin, ...report })),
        2,
      )}\n`,
    );
  else
    await writeOut(
      `${summaryLines(
        reports.map(({ report }) => report),
        count,
      ).join('\n')}\n`,
    );
  return signalCode ?? (count === 0 ? 0 : 1);
}

function findingsIn({ verdicts }: Reported['report']): number {
  return Object.values(verdicts).reduce((sum, { findings }) => sum + findings.length, 0);
}
