import type {
  AndOr,
  CommandNode,
  CompoundList,
  ParsedScript,
  Pipeline,
  PipelineNode,
  Statement,
  TestExpression,
  Word,
} from 'unbash';
import { walkCommand } from './command.ts';
import { actsBeyondRules, onlyReads } from './finding.ts';
import { areSameFolders, eitherFolders, type Folders, NAME, pathsOf } from './folders.ts';
import { partOf } from './part.ts';
import { walkRedirections } from './redirections.ts';
import { isSurelyOperand, readWord } from './shell-word.ts';
import { isInertInShell, type Variables } from './variables.ts';
import { addPart, type Outcome, type Spot, UnclearCommand, type Walk, walkContent, readerAt, takeStep } from './walk.ts';
import { contentOfArithmetic, contentOfTest, contentOfWords, filesOfTest } from './walk-words.ts';

const MAX_DEPTH = 20;
const MAX_ROUNDS = 20;

/** Walks a script in a shell of its own: what it changes ends with it. */
export function walkScript(walk: Walk, script: ParsedScript, spot: Spot): void {
  const error = script.errors?.[0];
  if (error !== undefined) throw new UnclearCommand(`bash would not read it: ${error.message}`);
  if (walk.depth > MAX_DEPTH) throw new UnclearCommand('it is nested too deeply');
  walkList({ ...walk, depth: walk.depth + 1 }, script.commands, spot);
}

function walkList(walk: Walk, statements: readonly Statement[], spot: Spot): Outcome {
  let { folders, variables } = spot;
  let last: Outcome = { succeeded: folders, failed: folders };
  for (const statement of statements) {
    const here = { ...spot, folders, variables };
    last = walkStatement(walk, statement, here);
    folders = eitherFolders(last.succeeded, last.failed);
    variables = variablesAfter(walk, statement, here);
  }
  return last;
}

function walkStatement(walk: Walk, { command, background }: Statement, spot: Spot): Outcome {
  takeStep(walk);
  const outcome = command.type === 'AndOr' ? walkAndOr(walk, command, spot) : walkPipelineNode(walk, command, spot);
  return background === true ? unchanged(spot) : outcome;
}

/** A plain assignment of a known value holds for what follows, where nothing else sets the name. */
function variablesAfter(walk: Walk, { command, background }: Statement, spot: Spot): Variables {
  if (command.type !== 'Command' || command.name !== undefined || background === true) return spot.variables;
  const known = new Map(spot.variables);
  for (const item of command.prefix) {
    if (item.type !== 'Assignment' || item.value.type !== 'Word' || item.append === true || item.index !== undefined) continue;
    const { value } = readWord(item.value, readerAt(walk, { ...spot, variables: known }));
    if (value !== null && walk.names.once.has(item.name) && isInertInShell(item.name)) known.set(item.name, value);
  }
  return known;
}

function walkAndOr(walk: Walk, { commands, operators }: AndOr, spot: Spot): Outcome {
  const [first, ...rest] = commands;
  if (first === undefined) return unchanged(spot);
  let outcome = walkPipelineNode(walk, first, spot);
  for (const [at, command] of rest.entries()) {
    const isAnd = operators[at] === '&&';
    const next = walkPipelineNode(walk, command, { ...spot, folders: isAnd ? outcome.succeeded : outcome.failed });
    outcome = isAnd
      ? { succeeded: next.succeeded, failed: eitherFolders(outcome.failed, next.failed) }
      : { succeeded: eitherFolders(outcome.succeeded, next.succeeded), failed: next.failed };
  }
  return outcome;
}

function walkPipelineNode(walk: Walk, node: PipelineNode, spot: Spot): Outcome {
  return node.type === 'Pipeline' ? walkPipeline(walk, node, spot) : walkNode(walk, node, spot);
}

/** Each command of a pipeline runs in a shell of its own, but for one that stands alone behind `!` or `time`. */
function walkPipeline(walk: Walk, { commands, prefixes }: Pipeline, spot: Spot): Outcome {
  const outcomes = commands.map((command) => walkNode(walk, command, spot));
  const [only] = outcomes;
  if (only === undefined || outcomes.length > 1) return unchanged(spot);
  const isNegated = prefixes.some(({ type }) => type === 'Negation');
  return isNegated ? { succeeded: only.failed, failed: only.succeeded } : only;
}

function walkNode(walk: Walk, node: CommandNode, spot: Spot): Outcome {
  switch (node.type) {
    case 'Command':
      return walkCommand(walk, node, spot);
    case 'Redirected':
      walkRedirections(walk, node.redirects, spot);
      return walkNode(walk, node.command, spot);
    case 'Subshell':
      walkList(walk, node.body.commands, spot);
      return unchanged(spot);
    case 'BraceGroup':
      return walkList(walk, node.body.commands, spot);
    case 'If':
      return walkIf(walk, node, spot);
    case 'While':
      return walkRepeated(walk, [node.clause, node.body], spot);
    case 'For':
      return walkFor(walk, node, spot);
    case 'Select':
      return walkUnknownRounds(walk, node, spot);
    case 'ArithmeticFor':
      walkContent(walk, contentOfArithmetic([node.initialize, node.test, node.update], walk.names.numbers), spot, 'for (( … ))');
      return walkRepeated(walk, [node.body], spot);
    case 'Case':
      return walkCase(walk, node, spot);
    case 'TestCommand':
      return walkTest(walk, node.expression, spot);
    case 'ArithmeticCommand':
      walkContent(walk, contentOfArithmetic([node.expression], walk.names.numbers), spot, `((${node.body}))`);
      addPart(walk, partOf(`((${node.body}))`, [], onlyReads('it counts')));
      return unchanged(spot);
    case 'Function':
      return walkDefinition(walk, node.body, `${node.name.text}()`, 'it defines a function', spot);
    case 'Coproc':
      return walkDefinition(walk, node.body, 'coproc', 'coproc runs beside the shell', spot);
    default:
      throw new UnclearCommand('it holds a construct that is not known');
  }
}

/** `[[ … ]]`: what its file tests look at is read by name. */
function walkTest(walk: Walk, expression: TestExpression, spot: Spot): Outcome {
  walkContent(walk, contentOfTest(expression, walk.names.numbers), spot, '[[ … ]]');
  const reader = readerAt(walk, spot);
  const place = { folders: spot.folders, facts: walk.facts };
  const reads = filesOfTest(expression).flatMap((word) => pathsOf(readWord(word, reader), place, NAME));
  addPart(walk, partOf('[[ … ]]', [], onlyReads('[[ compares', reads)));
  return unchanged(spot);
}

function unchanged({ folders }: Spot): Outcome {
  return { succeeded: folders, failed: folders };
}

function both({ succeeded, failed }: Outcome): Folders {
  return eitherFolders(succeeded, failed);
}

function walkIf(walk: Walk, node: Extract<CommandNode, { type: 'If' }>, spot: Spot): Outcome {
  let outcome = walkList(walk, node.clause.commands, spot);
  const ends = [both(walkList(walk, node.then.commands, { ...spot, folders: outcome.succeeded }))];
  for (const { clause, then } of node.elif) {
    outcome = walkList(walk, clause.commands, { ...spot, folders: outcome.failed });
    ends.push(both(walkList(walk, then.commands, { ...spot, folders: outcome.succeeded })));
  }
  ends.push(
    node.else === undefined ? outcome.failed : both(walkList(walk, node.else.commands, { ...spot, folders: outcome.failed })),
  );
  const folders = ends.reduce(eitherFolders);
  return { succeeded: folders, failed: folders };
}

function walkCase(walk: Walk, { word, items }: Extract<CommandNode, { type: 'Case' }>, spot: Spot): Outcome {
  walkContent(
    walk,
    contentOfWords([word, ...items.flatMap(({ pattern }) => pattern)], walk.names.numbers),
    spot,
    `case ${word.text}`,
  );
  const isFallingThrough = items.some(({ terminator }) => terminator !== undefined && terminator !== ';;');
  const start =
    isFallingThrough &&
    changesFolder(
      walk,
      items.map(({ body }) => body),
      spot,
    )
      ? { ...spot, folders: null }
      : spot;
  const folders = items.map(({ body }) => both(walkList(walk, body.commands, start))).reduce(eitherFolders, spot.folders);
  return { succeeded: folders, failed: folders };
}

/** A list of known words is walked once for each of them, with the variable in its place. */
function walkFor(walk: Walk, node: Extract<CommandNode, { type: 'For' }>, spot: Spot): Outcome {
  const { name, wordlist, body } = node;
  const values = (wordlist ?? []).map((word) => readWord(word, readerAt(walk, spot)).value);
  const isExact = wordlist !== undefined && values.length <= MAX_ROUNDS && values.every((value) => value !== null);
  const isPlain = walk.names.once.has(name.value) && isInertInShell(name.value);
  if (!isExact || !isPlain) return walkUnknownRounds(walk, node, isPlain ? withPatterns(walk, node, spot) : spot);
  walkContent(walk, contentOfWords(wordlist, walk.names.numbers), spot, `for ${name.value}`);
  let { folders } = spot;
  for (const value of values) {
    const variables = new Map(spot.variables).set(name.value, value ?? '');
    const after = both(walkList(walk, body.commands, { ...spot, folders, variables }));
    folders = eitherFolders(folders, after);
  }
  return { succeeded: folders, failed: folders };
}

/** In a loop over patterns the variable is one of the names that fit them. */
function withPatterns(walk: Walk, { name, wordlist }: Extract<CommandNode, { type: 'For' }>, spot: Spot): Spot {
  const words = (wordlist ?? []).map((word) => readWord(word, readerAt(walk, spot)));
  const areNames =
    words.length > 0 && words.every((word) => (word.kind === 'known' || word.kind === 'pattern') && isSurelyOperand(word));
  return areNames ? { ...spot, loops: new Map(spot.loops).set(name.value, words) } : spot;
}

function walkUnknownRounds(
  walk: Walk,
  { name, wordlist, body }: { readonly name: Word; readonly wordlist: readonly Word[] | undefined; readonly body: CompoundList },
  spot: Spot,
): Outcome {
  walkContent(walk, contentOfWords(wordlist ?? [], walk.names.numbers), spot, `for ${name.value}`);
  if (!isInertInShell(name.value)) {
    addPart(walk, partOf(`for ${name.value}`, [], actsBeyondRules(`${name.value} may have a meaning for programs`)));
  }
  return walkRepeated(walk, [body], spot);
}

/** What is walked again after a `cd` starts somewhere else each time. */
function walkRepeated(walk: Walk, bodies: readonly CompoundList[], spot: Spot): Outcome {
  const start = !walk.isTrial && changesFolder(walk, bodies, spot) ? { ...spot, folders: null } : spot;
  const first = walk.parts.length;
  const known = walk.links.length;
  const folders = bodies.map(({ commands }) => both(walkList(walk, commands, start))).reduce(eitherFolders, start.folders);
  // In the next round a link of this one stands before all of it.
  for (const { path } of walk.links.slice(known)) walk.links.push({ path, from: first });
  return { succeeded: folders, failed: folders };
}

function changesFolder(walk: Walk, bodies: readonly CompoundList[], spot: Spot): boolean {
  const trial = { ...walk, parts: [], links: [], isTrial: true };
  return bodies.some(({ commands }) => {
    const { succeeded, failed } = walkList(trial, commands, spot);
    return !areSameFolders(succeeded, spot.folders) || !areSameFolders(failed, spot.folders);
  });
}

/** The body runs later or beside, from a folder that is not known, and never by a rule. */
function walkDefinition(walk: Walk, body: CommandNode | CompoundList, text: string, because: string, spot: Spot): Outcome {
  addPart(walk, partOf(text, [], actsBeyondRules(because)));
  const inside = { ...spot, folders: null };
  if (body.type === 'CompoundList') walkList(walk, body.commands, inside);
  else walkNode(walk, body, inside);
  return { succeeded: null, failed: null };
}
