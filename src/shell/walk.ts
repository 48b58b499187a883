import type { ParsedScript } from 'unbash';
import type { AssignedNames } from './assigned-names.ts';
import { actsBeyondRules } from './finding.ts';
import type { Folders } from './folders.ts';
import type { LinkPlace } from './link-places.ts';
import { parseCommand } from './parse-command.ts';
import { partOf } from './part.ts';
import type { ShellFacts, ShellPart } from './report.ts';
import type { LoopVariables, WordReader } from './shell-word.ts';
import type { Variables } from './variables.ts';
import type { WordContent } from './walk-words.ts';

const MAX_PARTS = 200;
const MAX_STEPS = 5_000;

/** Thrown inside the walk where a command is not understood, or is too much; a person reads the message. */
export class UnclearCommand extends Error {}

/** Where the walk stands. */
export interface Spot {
  readonly folders: Folders;
  readonly variables: Variables;
  readonly loops: LoopVariables;
}

/** Where the shell may stand after a command, by how it ended. */
export interface Outcome {
  readonly succeeded: Folders;
  readonly failed: Folders;
}

/** One walk over a command line, which gathers its parts. */
export interface Walk {
  readonly facts: ShellFacts;
  readonly names: AssignedNames;
  readonly parts: ShellPart[];
  /** Places where the command may put links. */
  readonly links: LinkPlace[];
  readonly depth: number;
  /** True where only the folder after it matters, and not the parts. */
  readonly isTrial: boolean;
  /** How much was walked; loops in loops multiply. */
  readonly effort: { steps: number };
  /** Walks a script in a shell of its own: what it changes ends with it. */
  readonly enter: (walk: Walk, script: ParsedScript, spot: Spot) => void;
}

export function addPart(walk: Walk, part: ShellPart): void {
  if (walk.parts.length >= MAX_PARTS) throw new UnclearCommand(`it has more than ${MAX_PARTS} parts`);
  walk.parts.push(part);
}

/** Counts one statement. */
export function takeStep({ effort }: Walk): void {
  effort.steps += 1;
  if (effort.steps > MAX_STEPS) throw new UnclearCommand('it has too many loops in loops');
}

/** Walks what a word holds, and adds a part that always asks where it may run something unseen. */
export function walkContent(walk: Walk, content: WordContent, spot: Spot, text: string): void {
  for (const script of content.scripts) walk.enter(walk, script, spot);
  const [hazard] = content.hazards;
  if (hazard !== undefined) addPart(walk, partOf(text, [], actsBeyondRules(hazard)));
}

/** Walks a script that stands in a word, as in `bash -c '…'`; what cannot be read there is asked about anyway. */
export function walkText(walk: Walk, text: string, spot: Spot): void {
  const parsed = parseCommand(text);
  if (parsed.isClear) walk.enter(walk, parsed.script, { ...spot, variables: new Map(), loops: new Map() });
}

/** What is known of words at a spot. */
export function readerAt(walk: Walk, { variables, loops, folders }: Spot): WordReader {
  const folder = folders?.length === 1 ? (folders[0] ?? null) : null;
  return { variables, loops, numbers: walk.names.numbers, home: walk.facts.home, folder };
}
