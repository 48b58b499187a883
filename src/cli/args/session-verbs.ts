import { type Command, Option } from 'commander';
import type { ExportFlags } from '../export.ts';
import type { ReplayFlags } from '../replay.ts';
import type { PruneFlags } from '../session-shelf.ts';
import { timeSpan, wholeNumber } from './values.ts';
import type { Finish, VerbGroup, Verbs } from './verbs.ts';

export const SESSION_VERBS: VerbGroup = {
  name: 'sessions',
  summary: 'the sessions of this folder',
  fill(sessions, verbs, finish) {
    sessions
      .enablePositionalOptions()
      .option('--json', 'as JSON')
      .action((flags: { json?: boolean }) => finish(verbs.listSessions(flags)));
    addShowVerb(sessions, verbs, finish);
    addExportVerb(sessions, verbs, finish);
    addReplayVerbs(sessions, verbs, finish);
    addShelfVerbs(sessions, verbs, finish);
  },
};

function addShowVerb(sessions: Command, verbs: Verbs, finish: Finish): void {
  sessions
    .command('show [id]')
    .description('what a session took: turns, tokens, cost; without an id the newest')
    .option('--ledger', 'for each tool: calls, failures, tokens, time')
    .option('--json', 'as JSON')
    .action((id: string | undefined, flags: { ledger?: boolean; json?: boolean }) => finish(verbs.showSession(id, flags)));
}

function addExportVerb(sessions: Command, verbs: Verbs, finish: Finish): void {
  sessions
    .command('export [id]')
    .description('a session to look at or to pass on, with keys masked; without an id the newest')
    .addOption(new Option('--html', 'one page that needs nothing else (default)').conflicts(['markdown', 'json']))
    .addOption(new Option('--markdown', 'Markdown, calls folded').conflicts('json'))
    .option('--json', 'as JSON, in a shape of its own')
    .option('--out <file>', 'write it there; - is stdout')
    .action(async (id: string | undefined, flags: ExportFlags) => finish(verbs.exportSession(id, flags)));
}

function addReplayVerbs(sessions: Command, verbs: Verbs, finish: Finish): void {
  sessions
    .command('replay [id]')
    .description('run a session again without its model, in a copy, and compare every result; exit 1 where one differs')
    .option('--in <folder>', 'run in this folder, as it is, in place of a copy')
    .option('--test <files...>', 'run tests that make-test wrote')
    .option('--accept-unsandboxed', 'without a sandbox, run commands all the same')
    .option('--json', 'as JSON')
    .action(async (id: string | undefined, flags: ReplayFlags) => finish(verbs.replayRecorded(id, flags)));
  sessions
    .command('make-test [id]')
    .description('make a session and the files it started from a test in one file')
    .requiredOption('--out <file>', 'the file to make')
    .action(async (id: string | undefined, flags: { out: string }) => finish(verbs.makeSessionTest(id, flags)));
}

function addShelfVerbs(sessions: Command, verbs: Verbs, finish: Finish): void {
  sessions
    .command('rename <id> <name>')
    .description('call a session something; --resume takes that too')
    .action(async (id: string, name: string) => finish(verbs.nameSession(id, name)));
  sessions
    .command('search <text>')
    .description('where prompts and answers hold a text')
    .option('--json', 'as JSON')
    .action(async (text: string, flags: { json?: boolean }) => finish(verbs.findInSessions(text, flags)));
  sessions
    .command('delete <id>')
    .description('remove a session with all that belongs to it')
    .action(async (id: string) => finish(verbs.dropSession(id)));
  sessions
    .command('prune')
    .description('remove old sessions; never the newest, and none that is open')
    .option('--older-than <time>', 'not gone on with for so long: 12h, 30d, 8w', timeSpan)
    .option('--keep <n>', 'so many of the newest stay', wholeNumber)
    .option('--dry-run', 'show what would be removed')
    .option('--json', 'as JSON')
    .action(async (flags: PruneFlags) => finish(verbs.dropOldSessions(flags)));
}
