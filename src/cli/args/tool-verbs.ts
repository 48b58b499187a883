import { type Command, Option } from 'commander';
import { SANDBOX_MODES, type SandboxMode } from '../../core/permission.ts';
import type { EvalFlags } from '../tool-eval.ts';
import type { LintFlags } from '../tool-lint.ts';
import { positiveInteger, wholeNumber } from './values.ts';
import type { Finish, VerbGroup, Verbs } from './verbs.ts';

export const TOOL_VERBS: VerbGroup = {
  name: 'tool',
  summary: 'the tools, without a model',
  fill(tool, verbs, finish) {
    addRunVerbs(tool, verbs, finish);
    addQualityVerbs(tool, verbs, finish);
  },
};

function addRunVerbs(tool: Command, verbs: Verbs, finish: Finish): void {
  tool
    .command('list')
    .description('name, category and flags of each tool')
    .option('--json', 'as JSON')
    .action(async (flags: { json?: boolean }) => finish(verbs.listTools(flags)));
  tool
    .command('show <name>')
    .description('what a model is told of a tool')
    .option('--json', 'as JSON')
    .action(async (name: string, flags: { json?: boolean }) => finish(verbs.showTool(name, flags)));
  tool
    .command('run <name>')
    .description('run one tool; nothing is asked, and the folder is the workspace')
    .option('--input <json>', 'the input as JSON; - reads it from stdin')
    .option('--cwd <folder>', 'the workspace')
    .addOption(new Option('--sandbox <mode>', 'what a command may change').choices(SANDBOX_MODES))
    .option('--json', 'print content, isError and metadata as one JSON object')
    .action(async (name: string, flags: { input?: string; cwd?: string; sandbox?: SandboxMode; json?: boolean }) =>
      finish(verbs.runTool(name, flags)),
    );
}

function addQualityVerbs(tool: Command, verbs: Verbs, finish: Finish): void {
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
    .action(async (modules: readonly string[], flags: LintFlags) => finish(verbs.lintTools(modules, flags)));
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
    .action(async (flags: EvalFlags) => finish(verbs.evaluateTools(flags)));
}
