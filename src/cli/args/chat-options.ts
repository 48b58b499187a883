import { type Command, Option } from 'commander';
import { PERMISSION_MODES, SANDBOX_MODES } from '../../core/permission.ts';
import { collected, positiveInteger, positiveNumber } from './values.ts';

/** The flags of `wield` and `wield -p`. */
export function addChatOptions(program: Command): void {
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
    .option('--image <file>', 'a picture for the model, with the first prompt; may be given several times', collected)
    .option('--screen-reader', 'plain lines that a screen reader can follow')
    .option('--no-tui', 'plain lines, nothing is drawn')
    .option('--cwd <folder>', 'work in this folder');
}
