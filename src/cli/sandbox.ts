import { type EscapeResult, sandboxState, type SandboxState, verifySandbox } from '../app/sandbox-report.ts';
import { displayLine } from '../core/display-text.ts';
import { workingFolder } from './working-folder.ts';
import { writeOut } from './write-out.ts';

/** `wield sandbox`: whether commands can be confined here. With `--verify` it tries to get out; the exit code is 0 where all held. */
export async function showSandbox({ verify }: { verify?: boolean }): Promise<number> {
  if (verify === true) return verifyAll();
  const state = await sandboxState(workingFolder(), process.env);
  await writeOut(`${lineOf(state)}\n`);
  return state.kind === 'none' ? 1 : 0;
}

async function verifyAll(): Promise<number> {
  const results: EscapeResult[] = [];
  let written = Promise.resolve();
  const state = await verifySandbox((result) => {
    results.push(result);
    written = written.then(() => writeOut(`${result.held ? 'held   ' : 'ESCAPED'}  ${result.name}${unproven(result)}\n`));
  });
  await written;
  await writeOut(`${summaryOf(results, state).join('\n')}\n`);
  return state.kind !== 'none' && results.every(({ held }) => held) ? 0 : 1;
}

/** An attempt that does not work without a sandbox either says little about the sandbox. */
function unproven({ worksOutside }: EscapeResult): string {
  return worksOutside === false ? '  (does not work here without the sandbox either)' : '';
}

function summaryOf(results: readonly EscapeResult[], state: SandboxState): string[] {
  if (state.kind === 'none') return [lineOf(state)];
  const escaped = results.filter(({ held }) => !held).length;
  const proven = results.filter(({ worksOutside }) => worksOutside === true).length;
  return [
    '',
    lineOf(state),
    `${results.length - escaped} of ${results.length} attempts to get out were held, ${escaped} escaped.`,
    `${proven} of them were seen to work without the sandbox; the rest would harm the machine, or cannot work here.`,
  ];
}

function lineOf({ kind, why }: SandboxState): string {
  return why === null
    ? `Commands are confined here (${kind}).`
    : displayLine(`NO SANDBOX: commands run with your rights. ${why}`, 500);
}
