import { realFolder } from '../app/real-folder.ts';
import {
  deleteSession,
  type FoundIn,
  pruneSessions,
  type Removal,
  renameSession,
  searchSessions,
  type ShelfPlace,
} from '../app/session-shelf.ts';
import { userFolders } from '../app/user-folders.ts';
import { displayJson, displayLine, displayText } from '../core/display-text.ts';
import { AgentError } from '../core/errors.ts';
import { workingFolder } from './working-folder.ts';
import { writeOut } from './write-out.ts';

export interface PruneFlags {
  readonly olderThan?: number;
  readonly keep?: number;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const MAX_HITS = 5;
const MAX_EXCERPT_CHARS = 160;

/** `wield sessions rename ID NAME`. */
export async function nameSession(meant: string, wanted: string): Promise<number> {
  const { id, name } = await renameSession(here(), meant, wanted);
  await writeOut(`${displayLine(id)} is now called ${displayLine(name)}\n`);
  return 0;
}

/** `wield sessions search TEXT`. */
export async function findInSessions(text: string, { json }: { json?: boolean }): Promise<number> {
  const { found, faults } = await searchSessions(here(), text);
  for (const fault of faults) process.stderr.write(`${displayText(fault)}\n`);
  if (json === true) await writeOut(`${displayJson(found, 2)}\n`);
  else if (found.length === 0) await writeOut(`No prompt and no answer of this folder's sessions holds that.\n`);
  else for (const session of found) await writeOut(`${foundLines(session).join('\n')}\n`);
  return 0;
}

/** `wield sessions delete ID`. */
export async function dropSession(meant: string): Promise<number> {
  await writeOut(`${removalLines(await deleteSession(here(), meant), false).join('\n')}\n`);
  return 0;
}

/** `wield sessions prune`. Errors: AgentError `misuse` where nothing says what is old. */
export async function dropOldSessions({ olderThan, keep, dryRun, json }: PruneFlags): Promise<number> {
  if (olderThan === undefined && keep === undefined)
    throw new AgentError({
      code: 'misuse',
      message: 'Nothing says which sessions are to go.',
      remedy: 'Give --older-than 30d, --keep 20, or both: then what both let go is removed. --dry-run shows it first.',
    });
  const isDryRun = dryRun ?? false;
  const outcome = await pruneSessions(here(), { olderThanMs: olderThan ?? null, keep: keep ?? null }, isDryRun);
  const { removed, freedBytes, freedContentBytes, contentsLeft, held } = outcome;
  const asJson = { dryRun: isDryRun, removed, freedBytes, freedContentBytes, contentsLeft, held };
  const inUse = held.map((id) => `${displayLine(id)} is old too, and stays: another process has it open`);
  const text = json === true ? displayJson(asJson, 2) : [...removalLines(outcome, isDryRun), ...inUse].join('\n');
  await writeOut(`${text}\n`);
  return 0;
}

function here(): ShelfPlace {
  return { cwd: realFolder(workingFolder()), folders: userFolders(process.env) };
}

function foundLines({ id, hits }: FoundIn): string[] {
  const lines = hits
    .slice(0, MAX_HITS)
    .map(
      ({ turn, by, excerpt, isRewound }) =>
        `  turn ${String(turn).padStart(3)}  ${by}  ${displayLine(excerpt, MAX_EXCERPT_CHARS)}${isRewound ? '  (rewound)' : ''}`,
    );
  const more = hits.length > MAX_HITS ? [`  and ${hits.length - MAX_HITS} more`] : [];
  return [displayLine(id), ...lines, ...more];
}

function removalLines({ removed, freedBytes, freedContentBytes, contentsLeft }: Removal, isDryRun: boolean): string[] {
  const verb = isDryRun ? 'would remove' : 'removed';
  if (removed.length === 0) return ['No session is old enough to go.'];
  return [
    ...removed.map((id) => `${verb} ${displayLine(id)}`),
    `${isDryRun ? 'would free' : 'freed'} ${sizeText(freedBytes)}, of which ${sizeText(freedContentBytes)} were kept for undo`,
    ...(contentsLeft === null ? [] : [`What undo keeps was left as it is, since ${contentsLeft}.`]),
  ];
}

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 ** 2 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}
