import type { Assignment, Command, Word } from 'unbash';
import { actsBeyondRules, type Finding, onlyReads } from './finding.ts';
import { foldersAfterCd } from './folders.ts';
import { partOf, renderWords } from './part.ts';
import { inspectProgram } from './program.ts';
import { walkRedirections } from './redirections.ts';
import type { PathUse, ShellPart } from './report.ts';
import { readWord, type ShellWord } from './shell-word.ts';
import { isInertForPrograms, isInertInShell } from './variables.ts';
import { addPart, type Outcome, type Spot, type Walk, walkContent, walkText, readerAt } from './walk.ts';
import { contentOfSubscript, contentOfWords } from './walk-words.ts';

/** Walks one simple command: what its words hold, itself, what it runs, and its redirections. */
export function walkCommand(walk: Walk, command: Command, spot: Spot): Outcome {
  const assignments = command.prefix.filter((item) => item.type === 'Assignment');
  for (const assignment of assignments) walkAssignment(walk, assignment, spot);
  if (command.name === undefined) {
    for (const { text, name } of assignments) addPart(walk, assignmentPart(text, name));
    walkRedirections(walk, command.redirects, spot);
    return { succeeded: spot.folders, failed: spot.folders };
  }
  const words = command.args.map((item) => readArgument(walk, item, spot));
  words.unshift(readWord(command.name, readerAt(walk, spot)));
  for (const item of command.args) if (item.type === 'Assignment') walkAssignment(walk, item, spot);
  walkContent(
    walk,
    contentOfWords([command.name, ...command.args.filter((item) => item.type === 'Word')], walk.names.numbers),
    spot,
    renderWords(words),
  );
  addProgram(walk, words, spot, assignments);
  walkRedirections(walk, command.redirects, spot);
  return outcomeOf(words, walk, spot);
}

function walkAssignment(walk: Walk, { value, index, text }: Assignment, spot: Spot): void {
  const { numbers } = walk.names;
  if (index !== undefined) walkContent(walk, contentOfSubscript(index, numbers), spot, text);
  const values = value.type === 'Word' ? [value] : value.elements;
  // An element such as [$(x)]=1 sets a subscript of its own.
  const hasSubscript = value.type === 'ArrayValue' && value.elements.some((element) => element.text.startsWith('['));
  const content = contentOfWords(values, numbers);
  walkContent(walk, hasSubscript ? { ...content, hazards: ['a subscript that is evaluated as code'] } : content, spot, text);
}

/** An assignment that stands for itself. */
function assignmentPart(text: string, name: string): ShellPart {
  return partOf(
    text,
    [],
    isInertInShell(name)
      ? onlyReads(`${name} is a variable of this command alone`)
      : actsBeyondRules(`it sets ${name} for what follows`),
  );
}

/** `export A=1`: one word, though its value is read by other rules. */
function readArgument(walk: Walk, item: Word | Assignment, spot: Spot): ShellWord {
  const reader = readerAt(walk, spot);
  if (item.type === 'Word') return readWord(item, reader);
  const start = `${item.name}=`;
  const value = item.value.type === 'Word' ? readWord(item.value, reader) : null;
  if (value === null || value.value === null || item.index !== undefined || item.append === true) {
    return { text: item.text, value: null, start, kind: 'quoted' };
  }
  return { text: start + value.value, value: start + value.value, start: start + value.value, kind: 'known' };
}

function addProgram(walk: Walk, words: readonly ShellWord[], spot: Spot, assignments: readonly Assignment[]): void {
  // Of all programs, read alone takes IFS for how it splits a line.
  const active = words[0]?.value === 'read' ? assignments.filter(({ name }) => name !== 'IFS') : assignments;
  const inspected = inspectProgram(words, { folders: spot.folders, facts: walk.facts });
  const finding = withVariables(elsewhere(inspected, walk, spot), active, walk, spot);
  const own = finding.ownWords ?? words;
  const text = [...assignments.map((assignment) => assignment.text), renderWords(own)].join(' ');
  addPart(
    walk,
    partOf(
      text,
      own.map(({ value }) => value),
      finding,
    ),
  );
  for (const { path } of newLinks(finding)) walk.links.push({ path, from: walk.parts.length });
  const inside = finding.isInnerElsewhere ? { ...spot, folders: null } : spot;
  for (const inner of finding.inner) if (inner.length > 0) addProgram(walk, inner, inside, []);
  for (const script of finding.scripts) walkText(walk, script, spot);
}

/** Where links may lie after it. What is moved away is none any more. */
function newLinks({ mayMakeLinks, reads, writes }: Finding): readonly PathUse[] {
  return mayMakeLinks ? writes.filter((use) => use.path === null || !reads.some(({ path }) => path === use.path)) : [];
}

/** A rule for `npm test` was made for the project where the command starts, and not for one below or beside it. */
function elsewhere(finding: Finding, { facts }: Walk, { folders }: Spot): Finding {
  const isAtStart = folders?.length === 1 && folders[0] === facts.cwd;
  if (!finding.runsProjectCode || finding.beyondPrefix !== null || isAtStart) return finding;
  return { ...finding, beyondPrefix: 'it runs the code of another folder than the one that the command starts in' };
}

/** A variable set before a program may change what it does, whatever the program is. */
function withVariables(finding: Finding, assignments: readonly Assignment[], walk: Walk, spot: Spot): Finding {
  const isKnown = ({ value, append }: Assignment): boolean =>
    append !== true && value.type === 'Word' && readWord(value, readerAt(walk, spot)).value !== null;
  const active = assignments.find((assignment) => !isInertForPrograms(assignment.name) || !isKnown(assignment));
  if (active === undefined) return finding;
  const because = `${active.name} is set before it`;
  const beyondRules = finding.beyondRules ?? (assignments.every(isKnown) ? null : because);
  return { ...finding, effect: 'acts', because, beyondPrefix: because, beyondRules };
}

function outcomeOf(words: readonly ShellWord[], walk: Walk, { folders }: Spot): Outcome {
  const name = words[0]?.value;
  if (name === 'exit' || name === 'return') return { succeeded: [], failed: [] };
  if (name === 'true' || name === ':') return { succeeded: folders, failed: [] };
  if (name === 'popd') return { succeeded: null, failed: folders };
  const isHidden =
    name === null || name === 'command' || name === 'builtin' || name === 'eval' || name === 'source' || name === '.';
  if (isHidden) return { succeeded: null, failed: null };
  if (name !== 'cd' && name !== 'pushd') return { succeeded: folders, failed: folders };
  const targets = words.slice(1).filter(({ value }) => value !== '--' && value !== '-L' && value !== '-P');
  const isPhysical = words.some(({ value }) => value === '-P' || value === '-e' || value === '-@');
  const [target] = targets;
  if (target === undefined) return { succeeded: name === 'cd' ? [walk.facts.home] : null, failed: folders };
  const isClear =
    targets.length === 1 && target.value !== null && target.value !== '' && !isPhysical && !/^[-+]/.test(target.value);
  return {
    succeeded: isClear && target.value !== null ? foldersAfterCd(target.value, { folders, facts: walk.facts }) : null,
    failed: folders,
  };
}
