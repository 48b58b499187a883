import { CommanderError } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { displayText } from '../core/display-text.ts';
import { AgentError, messageOf } from '../core/errors.ts';
import { exitCodeOfError } from '../headless/outcome.ts';
import { buildProgram } from './args/program.ts';
import type { Verbs } from './args/verbs.ts';

// Verbs are loaded when they are called: --version and --help need none of them.
const verbs: Verbs = {
  chat: async (...args) => (await import('./chat.ts')).chat(...args),
  print: async (...args) => (await import('./print.ts')).print(...args),
  listTools: async (...args) => (await import('./tool.ts')).listTools(...args),
  showTool: async (...args) => (await import('./tool.ts')).showTool(...args),
  runTool: async (...args) => (await import('./tool.ts')).runTool(...args),
  lintTools: async (...args) => (await import('./tool-lint.ts')).lintToolsHere(...args),
  evaluateTools: async (...args) => (await import('./tool-eval.ts')).evaluateTools(...args),
  listModels: async (...args) => (await import('./verbs.ts')).listModels(...args),
  showSandbox: async (...args) => (await import('./verbs.ts')).showSandbox(...args),
  listSessions: async (...args) => (await import('./verbs.ts')).listSessions(...args),
  explainPermission: async (...args) => (await import('./verbs.ts')).explainPermission(...args),
  listPermissions: async (...args) => (await import('./verbs.ts')).listPermissions(...args),
  testPermissions: async (...args) => (await import('./verbs.ts')).testPermissions(...args),
  replaySession: async (...args) => (await import('./verbs.ts')).replaySession(...args),
  showSession: async (...args) => (await import('./verbs.ts')).showSession(...args),
  exportSession: async (...args) => (await import('./export.ts')).exportToFile(...args),
  replayRecorded: async (...args) => (await import('./replay.ts')).replay(...args),
  makeSessionTest: async (...args) => (await import('./replay.ts')).makeSessionTest(...args),
  undo: async (...args) => (await import('./verbs.ts')).undo(...args),
  redo: async (...args) => (await import('./verbs.ts')).redo(...args),
  nameSession: async (...args) => (await import('./session-shelf.ts')).nameSession(...args),
  findInSessions: async (...args) => (await import('./session-shelf.ts')).findInSessions(...args),
  dropSession: async (...args) => (await import('./session-shelf.ts')).dropSession(...args),
  dropOldSessions: async (...args) => (await import('./session-shelf.ts')).dropOldSessions(...args),
  rewind: async (...args) => (await import('./rewind.ts')).rewind(...args),
  diff: async (...args) => (await import('./verbs.ts')).diff(...args),
  approveMcp: async (...args) => (await import('./mcp.ts')).approveMcp(...args),
  serveMcp: async (...args) => (await import('./mcp.ts')).serveMcp(...args),
};

/** Runs the command line and returns the exit code. Never throws: what went wrong is a line on stderr. */
async function main(argv: readonly string[]): Promise<number> {
  let exitCode = 0;
  try {
    const setExitCode = (code: number): void => {
      exitCode = code;
    };
    await buildProgram(manifest.version, { typed: argv.slice(2), verbs, setExitCode }).parseAsync([...argv]);
    return exitCode;
  } catch (thrown) {
    // The parser has said what is wrong; 0 is --help and --version.
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : 2;
    return explain(thrown);
  }
}

function explain(thrown: unknown): number {
  if (thrown instanceof AgentError) {
    process.stderr.write(displayText(`error ${thrown.code}: ${thrown.message}\n  ${thrown.remedy}\n`));
    return exitCodeOfError(thrown.code);
  }
  process.stderr.write(
    `error internal: ${displayText(messageOf(thrown))}\n  This is a bug in wield; please report it with what you did.\n`,
  );
  return 1;
}

// A reader that closed its end early is not an error: `wield … | head`.
process.stdout.on('error', () => process.exit(0));
process.exit(await main(process.argv));
