import { Command } from 'commander';
import { displayText } from '../../core/display-text.ts';
import { addChatOptions } from './chat-options.ts';
import type { ChatFlags } from './flags.ts';
import { MACHINE_VERBS } from './machine-verbs.ts';
import { MCP_VERBS } from './mcp-verbs.ts';
import { PERMISSION_VERBS } from './permission-verbs.ts';
import { SESSION_VERBS } from './session-verbs.ts';
import { TOOL_VERBS } from './tool-verbs.ts';
import { UNDO_VERBS } from './undo-verbs.ts';
import type { Finish, VerbGroup, Verbs } from './verbs.ts';

const GROUPS: readonly VerbGroup[] = [TOOL_VERBS, ...MACHINE_VERBS, SESSION_VERBS, ...UNDO_VERBS, PERMISSION_VERBS, MCP_VERBS];
const HELP: readonly string[] = ['help', '--help', '-h'];

/**
 * The command line as data for the parser. `typed` is what the person typed: only what that may name is told in full, since a start
 * waits for it. `setExitCode` takes what a verb resolved to.
 */
export function buildProgram(
  version: string,
  { typed, verbs, setExitCode }: { readonly typed: readonly string[]; readonly verbs: Verbs; setExitCode(code: number): void },
): Command {
  const finish: Finish = async (work) => setExitCode(await work);
  const program = new Command('wield')
    .description('An agent that works in this folder: it reads, searches, edits and runs, and asks before it changes anything.')
    .version(version, '-v, --version')
    .argument('[prompt]', 'what to do first')
    .enablePositionalOptions()
    // It repeats what was typed, which may have come from elsewhere.
    .configureOutput({ writeErr: (text) => void process.stderr.write(displayText(text)) })
    .showHelpAfterError('(wield --help shows what there is)')
    .exitOverride();
  addChatOptions(program);
  program.action(async (prompt: string | undefined, flags: ChatFlags) => {
    const text = typeof flags.print === 'string' ? flags.print : (prompt ?? null);
    await finish(flags.print === undefined ? verbs.chat(text, flags) : verbs.print(text, flags));
  });
  const asksForHelp = typed.some((word) => HELP.includes(word));
  for (const { name, summary, fill } of GROUPS) {
    const command = program.command(name).description(summary);
    if (asksForHelp || typed.includes(name)) fill(command, verbs, finish);
  }
  program.addHelpText('after', EXAMPLES);
  return program;
}

const EXAMPLES = `
Examples:
  wield                                         talk in this folder
  wield -p "what is in the entry file?"         one answer, then exit
  wield -p "tour" --permission-mode acceptEdits a first look without a key: repairs a sample project
  git diff | wield -p "review this"             piped text is context
  wield tool run Grep --input '{"pattern":"TODO"}'
  wield models                                  which models can be chosen, and which keys are set

Without a key (wield models lists the variables) the built-in demo model answers; it follows rules and is not an AI.`;
