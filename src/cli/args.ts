import { Command, InvalidArgumentError, Option } from 'commander';
import { displayText } from '../core/display-text.ts';
import { PERMISSION_MODES, type PermissionMode, SANDBOX_MODES, type SandboxMode } from '../core/permission.ts';

import type { ExportFlags } from './export.ts';
import type { McpServeFlags } from './mcp.ts';
import type { ExplainFlags, GateFlags } from './permissions.ts';
import type { ReplayFlags } from './replay.ts';
import type { RewindFlags } from './rewind.ts';
import type { PruneFlags } from './session-shelf.ts';
import type { EvalFlags } from './tool-eval.ts';
import type { LintFlags } from './tool-lint.ts';
import type { DiffFlags, RedoFlags, UndoFlags } from './undo.ts';

export type OutputFormat = 'text' | 'json' | 'stream-json';

/** The flags of `wield` and `wield -p`. */
export interface ChatFlags {
  readonly print?: string | true;
  readonly model?: string;
  readonly outputFormat: OutputFormat;
  readonly includePartialMessages?: boolean;
  readonly continue?: boolean;
  /** True where none was named. */
  readonly resume?: string | true;
  readonly sessionId?: string;
  readonly forkSession?: boolean;
  readonly maxTurns?: number;
  readonly permissionMode?: PermissionMode;
  readonly allowedTools?: readonly string[];
  readonly disallowedTools?: readonly string[];
  readonly addDir?: readonly string[];
  readonly appendSystemPrompt?: string;
  readonly trust?: boolean;
  readonly cwd?: string;
  readonly sandbox?: SandboxMode;
  readonly requireSandbox?: boolean;
  readonly acceptUnsandboxed?: boolean;
  readonly record?: string;
  readonly replay?: string;
  readonly replaySpeed?: number;
  readonly screenReader?: boolean;
  /** False with --no-tui. */
  readonly tui?: boolean;
}

/** What the verbs do. Each resolves to an exit code. */
export interface Verbs {
  chat(prompt: string | null, flags: ChatFlags): Promise<number>;
  print(prompt: string | null, flags: ChatFlags): Promise<number>;
  listTools(flags: { json?: boolean }): Promise<number>;
  showTool(name: string, flags: { json?: boolean }): Promise<number>;
  runTool(name: string, flags: { input?: string; cwd?: string; sandbox?: SandboxMode; json?: boolean }): Promise<number>;
  lintTools(modules: readonly string[], flags: LintFlags): Promise<number>;
  evaluateTools(flags: EvalFlags): Promise<number>;
  listModels(flags: { json?: boolean }): Promise<number>;
  showSandbox(flags: { verify?: boolean }): Promise<number>;
  listSessions(flags: { json?: boolean }): Promise<number>;
  explainPermission(flags: ExplainFlags): Promise<number>;
  listPermissions(flags: GateFlags): Promise<number>;
  testPermissions(flags: GateFlags): Promise<number>;
  replaySession(id: string, flags: GateFlags): Promise<number>;
  showSession(id: string | undefined, flags: { ledger?: boolean; json?: boolean }): Promise<number>;
  exportSession(id: string | undefined, flags: ExportFlags): Promise<number>;
  replayRecorded(id: string | undefined, flags: ReplayFlags): Promise<number>;
  makeSessionTest(id: string | undefined, flags: { out: string }): Promise<number>;
  undo(flags: UndoFlags): Promise<number>;
  redo(flags: RedoFlags): Promise<number>;
  diff(flags: DiffFlags): Promise<number>;
  serveMcp(flags: McpServeFlags): Promise<number>;
  approveMcp(server: string | undefined, flags: { cwd?: string }): Promise<number>;
  rewind(flags: RewindFlags): Promise<number>;
  nameSession(id: string, name: string): Promise<number>;
  findInSessions(text: string, flags: { json?: boolean }): Promise<number>;
  dropSession(id: string): Promise<number>;
  dropOldSessions(flags: PruneFlags): Promise<number>;
}

/** The command line as data for the parser. `setExitCode` takes what a verb resolved to. */
export function buildProgram(version: string, verbs: Verbs, setExitCode: (code: number) => void): Command {
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
    setExitCode(await (flags.print === undefined ? verbs.chat(text, flags) : verbs.print(text, flags)));
  });
  addToolVerbs(program, verbs, setExitCode);
  addModelsVerb(program, verbs, setExitCode);
  addSandboxVerb(program, verbs, setExitCode);
  addSessionVerbs(program, verbs, setExitCode);
  addUndoVerbs(program, verbs, setExitCode);
  addPermissionVerbs(program, verbs, setExitCode);
  addMcpVerb(program, verbs, setExitCode);
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

function addChatOptions(program: Command): void {
  program
    .option('-p, --print [prompt]', 'answer once on stdout, progress on stderr; - reads the prompt from stdin')
    .option('--model <vendor/name>', 'the model, for example anthropic/claude-opus-5-5 or demo')
    .addOption(
      new Option('--output-format <format>', 'with -p: what stdout carries')
        .choices(['text', 'json', 'stream-json'])
        .default('text'),
    )
    .option('--include-partial-messages', 'with stream-json: deltas too')
    .option('-c, --continue', 'go on with the last session of this folder')
    .option('-r, --resume [id]', 'go on with a session, by id or name; without one you choose from a list')
    .option('--session-id <id>', 'the id of the new session')
    .option('--fork-session', 'with --continue or --resume: go on in a new session, the old one stays as it is')
    .option('--max-turns <n>', 'model requests at most', positiveInteger)
    .addOption(new Option('--permission-mode <mode>', 'what is asked').choices(PERMISSION_MODES))
    .option('--allowedTools, --allowed-tools <rules...>', 'rules that pass unasked, for example "Bash(npm test)"')
    .option('--disallowedTools, --disallowed-tools <rules...>', 'rules that are refused')
    .option('--add-dir <folders...>', 'further folders that count as the workspace')
    .option('--append-system-prompt <text>', 'text to add to the system prompt')
    .option('--trust', 'trust this folder: load its AGENTS.md and settings, now and later')
    .addOption(new Option('--sandbox <mode>', 'what commands may change (default: workspace-write)').choices(SANDBOX_MODES))
    .option('--require-sandbox', 'stop where commands cannot be confined')
    .option('--accept-unsandboxed', 'without a sandbox, let rules allow commands that run project code')
    .option('--record <file>', "write the model's answers to a cassette, to be replayed later")
    .addOption(
      new Option('--replay <file>', "take the model's answers from a cassette: no network, no key").conflicts([
        'record',
        'model',
      ]),
    )
    .option('--replay-speed <n>', 'with --replay: so many times as fast as it was (default: at once)', positiveNumber)
    .option('--screen-reader', 'plain lines that a screen reader can follow')
    .option('--no-tui', 'plain lines, nothing is drawn')
    .option('--cwd <folder>', 'work in this folder');
}

function addToolVerbs(program: Command, verbs: Verbs, setExitCode: (code: number) => void): void {
  const tool = program.command('tool').description('the tools, without a model');
  tool
    .command('list')
    .description('name, category and flags of each tool')
    .option('--json', 'as JSON')
    .action(async (flags: { json?: boolean }) => setExitCode(await verbs.listTools(flags)));
  tool
    .command('show <name>')
    .description('what a model is told of a tool')
    .option('--json', 'as JSON')
    .action(async (name: string, flags: { json?: boolean }) => setExitCode(await verbs.showTool(name, flags)));
  tool
    .command('run <name>')
    .description('run one tool; nothing is asked, and the folder is the workspace')
    .option('--input <json>', 'the input as JSON; - reads it from stdin')
    .option('--cwd <folder>', 'the workspace')
    .addOption(new Option('--sandbox <mode>', 'what a command may change').choices(SANDBOX_MODES))
    .option('--json', 'print content, isError and metadata as one JSON object')
    .action(async (name: string, flags: { input?: string; cwd?: string; sandbox?: SandboxMode; json?: boolean }) =>
      setExitCode(await verbs.runTool(name, flags)),
    );
  tool
    .command('lint [modules...]')
    .description(
      'hold tools to what they say, in a scratch folder: the built-in ones, those of modules, of MCP servers; exit 1 where one lies',
    )
    .option('--mcp <servers...>', 'the tools of these servers of .mcp.json')
    .option('--tool <names...>', 'these tools alone')
    .option('--allow <rules...>', 'rules that let calls of a server\'s tools run, for example "mcp__calc__*"')
    .option('--seed <n>', 'makes up other inputs', wholeNumber)
    .option('--verbose', 'say too what could not be checked, and why')
    .option('--cwd <folder>', 'the project')
    .option('--json', 'as JSON')
    .action(async (modules: readonly string[], flags: LintFlags) => setExitCode(await verbs.lintTools(modules, flags)));
  tool
    .command('eval')
    .description('measure how well a model chooses among the tools, and compare two wordings of them; nothing is run')
    .option('--model <vendor/name>', 'the model (default: as for a session)')
    .option('--tasks <files...>', 'your own tasks, besides those that ship')
    .option('--no-shipped', 'your own tasks alone')
    .option('--tools <modules...>', 'offer the tools of these modules too')
    .option('--compare <files...>', 'another wording to compare with the present one, or two to compare with each other')
    .option('--tool <names...>', 'the tasks of these tools alone')
    .option('--language <codes...>', 'tasks in these languages alone: en, zh')
    .option('--limit <n>', 'so many tasks at most, of all tools alike', positiveInteger)
    .option('--repeat <n>', 'ask each task so often', positiveInteger)
    .option('--parallel <n>', 'so many requests at a time (default: 4)', positiveInteger)
    .option('--seed <n>', 'the order, and what is drawn', wholeNumber)
    .option('--dry-run', 'show the tasks, and what asking them would take')
    .option('--html <file>', 'write a page with the confusion matrix')
    .option('--cwd <folder>', 'the project')
    .option('--json', 'as JSON')
    .action(async (flags: EvalFlags) => setExitCode(await verbs.evaluateTools(flags)));
}

function addModelsVerb(program: Command, verbs: Verbs, setExitCode: (code: number) => void): void {
  program
    .command('models')
    .description('vendors and their keys, known models, servers on this machine')
    .option('--json', 'as JSON')
    .action(async (flags: { json?: boolean }) => setExitCode(await verbs.listModels(flags)));
}

function addSandboxVerb(program: Command, verbs: Verbs, setExitCode: (code: number) => void): void {
  program
    .command('sandbox')
    .description('whether commands can be confined on this machine')
    .option('--verify', 'try to get out of the sandbox in every known way')
    .action(async (flags: { verify?: boolean }) => setExitCode(await verbs.showSandbox(flags)));
}

function addSessionVerbs(program: Command, verbs: Verbs, setExitCode: (code: number) => void): void {
  const sessions = program
    .command('sessions')
    .description('the sessions of this folder')
    .enablePositionalOptions()
    .option('--json', 'as JSON')
    .action(async (flags: { json?: boolean }) => setExitCode(await verbs.listSessions(flags)));
  sessions
    .command('show [id]')
    .description('what a session took: turns, tokens, cost; without an id the newest')
    .option('--ledger', 'for each tool: calls, failures, tokens, time')
    .option('--json', 'as JSON')
    .action(async (id: string | undefined, flags: { ledger?: boolean; json?: boolean }) =>
      setExitCode(await verbs.showSession(id, flags)),
    );
  addExportVerb(sessions, verbs, setExitCode);
  addReplayVerbs(sessions, verbs, setExitCode);
  addShelfVerbs(sessions, verbs, setExitCode);
}

function addExportVerb(sessions: Command, verbs: Verbs, setExitCode: (code: number) => void): void {
  sessions
    .command('export [id]')
    .description('a session to look at or to pass on, with keys masked; without an id the newest')
    .addOption(new Option('--html', 'one page that needs nothing else (default)').conflicts(['markdown', 'json']))
    .addOption(new Option('--markdown', 'Markdown, calls folded').conflicts('json'))
    .option('--json', 'as JSON, in a shape of its own')
    .option('--out <file>', 'write it there; - is stdout')
    .action(async (id: string | undefined, flags: ExportFlags) => setExitCode(await verbs.exportSession(id, flags)));
}

function addReplayVerbs(sessions: Command, verbs: Verbs, setExitCode: (code: number) => void): void {
  sessions
    .command('replay [id]')
    .description('run a session again without its model, in a copy, and compare every result; exit 1 where one differs')
    .option('--in <folder>', 'run in this folder, as it is, in place of a copy')
    .option('--test <files...>', 'run tests that make-test wrote')
    .option('--accept-unsandboxed', 'without a sandbox, run commands all the same')
    .option('--json', 'as JSON')
    .action(async (id: string | undefined, flags: ReplayFlags) => setExitCode(await verbs.replayRecorded(id, flags)));
  sessions
    .command('make-test [id]')
    .description('make a session and the files it started from a test in one file')
    .requiredOption('--out <file>', 'the file to make')
    .action(async (id: string | undefined, flags: { out: string }) => setExitCode(await verbs.makeSessionTest(id, flags)));
}

function addShelfVerbs(sessions: Command, verbs: Verbs, setExitCode: (code: number) => void): void {
  sessions
    .command('rename <id> <name>')
    .description('call a session something; --resume takes that too')
    .action(async (id: string, name: string) => setExitCode(await verbs.nameSession(id, name)));
  sessions
    .command('search <text>')
    .description('where prompts and answers hold a text')
    .option('--json', 'as JSON')
    .action(async (text: string, flags: { json?: boolean }) => setExitCode(await verbs.findInSessions(text, flags)));
  sessions
    .command('delete <id>')
    .description('remove a session with all that belongs to it')
    .action(async (id: string) => setExitCode(await verbs.dropSession(id)));
  sessions
    .command('prune')
    .description('remove old sessions; never the newest, and none that is open')
    .option('--older-than <time>', 'not gone on with for so long: 12h, 30d, 8w', timeSpan)
    .option('--keep <n>', 'so many of the newest stay', wholeNumber)
    .option('--dry-run', 'show what would be removed')
    .option('--json', 'as JSON')
    .action(async (flags: PruneFlags) => setExitCode(await verbs.dropOldSessions(flags)));
}

function addUndoVerbs(program: Command, verbs: Verbs, setExitCode: (code: number) => void): void {
  withUndoOptions(program.command('undo').description('take back what the last turn did to files; what changed since stays'))
    .option('--to <turn>', 'take back all turns after this one', wholeNumber)
    .option('--dry-run', 'show what would be done')
    .option('--json', 'as JSON')
    .action(async (flags: UndoFlags) => setExitCode(await verbs.undo(flags)));
  program
    .command('redo')
    .description('do again what the last undo took back')
    .option('--session <id>', 'a session of this folder (default: the last that changed something)')
    .option('--dry-run', 'show what would be done')
    .option('--json', 'as JSON')
    .action(async (flags: RedoFlags) => setExitCode(await verbs.redo(flags)));
  program
    .command('rewind')
    .description('take a session back to where a turn had ended: its conversation, its files, or both')
    .requiredOption('--to-turn <n>', 'the last turn that stays; 0 is the beginning', wholeNumber)
    .option('--session <id>', 'a session of this folder, by id or name (default: the newest)')
    .addOption(new Option('--files', 'the files alone').conflicts(['conversation', 'both']))
    .addOption(new Option('--conversation', 'the conversation alone').conflicts('both'))
    .option('--both', 'both; so it is unless said otherwise')
    .option('--dry-run', 'show what would be done')
    .option('--json', 'as JSON')
    .action(async (flags: RewindFlags) => setExitCode(await verbs.rewind(flags)));
  withUndoOptions(program.command('diff').description('what the last turn changed in files')).action(async (flags: DiffFlags) =>
    setExitCode(await verbs.diff(flags)),
  );
}

function withUndoOptions(command: Command): Command {
  return command
    .option('--session <id>', 'a session of this folder (default: the last that changed something)')
    .addOption(new Option('--call <id>', 'one call').conflicts(['turn', 'to']))
    .addOption(new Option('--turn <n>', 'one turn: a prompt of the session, from 1').argParser(positiveInteger).conflicts('to'));
}

function addPermissionVerbs(program: Command, verbs: Verbs, setExitCode: (code: number) => void): void {
  const permissions = program.command('permissions').description('what the gate would say, without running anything');
  withGateOptions(permissions.command('explain').description('what would be decided of a call, part by part'))
    .requiredOption('--tool <name>', 'the tool')
    .requiredOption('--input <json>', 'the input as JSON; - reads it from stdin')
    .action(async (flags: ExplainFlags) => setExitCode(await verbs.explainPermission(flags)));
  withGateOptions(permissions.command('list').description('the rules that hold here, and where each stands')).action(
    async (flags: GateFlags) => setExitCode(await verbs.listPermissions(flags)),
  );
  withGateOptions(
    permissions.command('test').description('the cases in your settings (permissions.cases); exit 1 where one is not met'),
  ).action(async (flags: GateFlags) => setExitCode(await verbs.testPermissions(flags)));
  withGateOptions(
    permissions.command('replay <session>').description("what the present rules would decide of a session's calls"),
  ).action(async (id: string, flags: GateFlags) => setExitCode(await verbs.replaySession(id, flags)));
}

function withGateOptions(command: Command): Command {
  return command
    .addOption(new Option('--permission-mode <mode>', 'what is asked').choices(PERMISSION_MODES))
    .option('--allow <rules...>', 'further rules that pass unasked')
    .option('--deny <rules...>', 'further rules that are refused')
    .option('--accept-unsandboxed', 'judge as with that flag, where there is no sandbox')
    .option('--cwd <folder>', 'the workspace')
    .option('--json', 'as JSON');
}

function addMcpVerb(program: Command, verbs: Verbs, setExitCode: (code: number) => void): void {
  const mcp = program.command('mcp').description('the Model Context Protocol');
  mcp
    .command('approve [server]')
    .description('take what a server of .mcp.json has come to offer since it was first seen; without a name show what waits')
    .option('--cwd <folder>', 'the workspace')
    .action(async (server: string | undefined, flags: { cwd?: string }) => setExitCode(await verbs.approveMcp(server, flags)));
  mcp
    .command('serve')
    .description('the tools for an MCP client on stdin and stdout, behind the same gate')
    .addOption(new Option('--permission-mode <mode>', 'what is asked').choices(PERMISSION_MODES))
    .option('--allowedTools, --allowed-tools <rules...>', 'rules that pass unasked, for example "Bash(npm test)"')
    .option('--disallowedTools, --disallowed-tools <rules...>', 'rules that are refused')
    .option('--add-dir <folders...>', 'further folders that count as the workspace')
    .option('--trust', 'trust this folder: load its settings, now and later')
    .addOption(new Option('--sandbox <mode>', 'what commands may change (default: workspace-write)').choices(SANDBOX_MODES))
    .option('--require-sandbox', 'stop where commands cannot be confined')
    .option('--accept-unsandboxed', 'without a sandbox, let rules allow commands that run project code')
    .option('--cwd <folder>', 'the workspace')
    .option('--http <port>', 'serve on this port of loopback instead, with a token that stderr tells', wholeNumber)
    .action(async (flags: McpServeFlags) => setExitCode(await verbs.serveMcp(flags)));
}

function wholeNumber(text: string): number {
  return text === '0' ? 0 : positiveInteger(text);
}

function positiveNumber(text: string): number {
  const value = Number(text);
  if (!(value > 0) || !Number.isFinite(value)) throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}

const HOUR_MS = 3_600_000;
const SPANS: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS };

function timeSpan(text: string): number {
  const [, count, unit = ''] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  if (count === undefined) throw new InvalidArgumentError('It must be a number of hours, days or weeks: 12h, 30d, 8w.');
  return Number(count) * (SPANS[unit] ?? 0);
}

function positiveInteger(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('It must be a whole number from 1.');
  return value;
}
