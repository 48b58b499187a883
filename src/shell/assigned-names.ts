import type { Word } from 'unbash';
import { isNumberCommand, type Numbers } from './arithmetic.ts';

/** What a whole command line does to the names of variables. */
export interface AssignedNames {
  /** Names that only ever hold whole numbers. */
  readonly numbers: Numbers;
  /** Names that are set at one place only, so that the value there holds for what follows. */
  readonly once: ReadonlySet<string>;
}

interface Tally {
  settings: number;
  isNumber: boolean;
  isElsewhere: boolean;
}

interface AnyNode {
  readonly type?: string;
  readonly [key: string]: unknown;
}

/** Looks at every place that may set a variable. A name that also stands as a plain word (`read x`) is not vouched for. */
export function assignedNames(tree: unknown): AssignedNames {
  const tallies = new Map<string, Tally>();
  const tallyOf = (name: string): Tally => {
    const tally = tallies.get(name) ?? { settings: 0, isNumber: true, isElsewhere: false };
    tallies.set(name, tally);
    return tally;
  };
  visit(tree, (node) => tallyNode(node, tallyOf));
  const names = [...tallies].filter(([, { settings, isElsewhere }]) => settings > 0 && !isElsewhere);
  return {
    numbers: new Set(names.filter(([, { isNumber }]) => isNumber).map(([name]) => name)),
    once: new Set(
      names.filter(([name, { settings }]) => settings === 1 && tallies.get(`(( ${name}`) === undefined).map(([name]) => name),
    ),
  };
}

function visit(node: unknown, look: (node: AnyNode) => void): void {
  if (Array.isArray(node)) {
    for (const item of node) visit(item, look);
  } else if (typeof node === 'object' && node !== null) {
    look(node as AnyNode);
    for (const child of Object.values(node)) visit(child, look);
  }
}

function tallyNode(node: AnyNode, tallyOf: (name: string) => Tally): void {
  if (node.type === 'Assignment') {
    count(
      tallyOf(String(node['name'])),
      node['append'] !== true && node['index'] === undefined && isNumberWord(node['value'] as Word),
    );
  } else if (node.type === 'For') {
    const words = node['wordlist'] as readonly Word[] | undefined;
    count(tallyOf((node['name'] as Word).value), words?.every(isNumberWord) === true);
  } else if (node.type === 'Select') tallyOf((node['name'] as Word).value).isElsewhere = true;
  else if (node.type === 'Command') tallyWords(node, tallyOf);
  else if (node.type === 'ParameterExpansion') tallyDefault(node, tallyOf);
  else if (node.type === 'ArithmeticWord') tallyOf(`(( ${String(node['value']).trim()}`).settings += 1;
  else if (node.type === 'FileDescriptorVariable') tallyOf(String(node['name'])).isElsewhere = true;
}

function count(tally: Tally, isNumber: boolean): void {
  tally.settings += 1;
  tally.isNumber &&= isNumber;
}

/** `read x`, `printf -v x`, `export x=1`: names among the words of a command. */
function tallyWords(node: AnyNode, tallyOf: (name: string) => Tally): void {
  for (const word of node['suffix'] as readonly AnyNode[]) {
    if (word.type === 'Word' && /^\w+$/.test(String(word['value']))) tallyOf(String(word['value'])).isElsewhere = true;
    if (word.type === 'Assignment') tallyOf(String(word['name'])).isElsewhere = true;
    const named = word.type === 'Word' ? /^(\w+)\+?=/.exec(String(word['value']))?.[1] : undefined;
    if (named !== undefined) tallyOf(named).isElsewhere = true;
  }
}

function tallyDefault(node: AnyNode, tallyOf: (name: string) => Tally): void {
  const operation = node['operation'] as AnyNode | undefined;
  if (operation?.type === 'Default' && /=/.test(String(operation['operator'])))
    tallyOf(String(node['parameter'])).isElsewhere = true;
}

function isNumberWord(word: Word): boolean {
  if (word.parts === undefined) return /^-?\d+$/.test(word.value ?? '');
  const [part, ...more] = word.parts;
  if (more.length > 0 || part === undefined) return false;
  if (part.type === 'ArithmeticExpansion') return true;
  if (part.type === 'BraceExpansion') return /^\{\d+\.\.\d+(?:\.\.\d+)?\}$/.test(part.text);
  return part.type === 'CommandExpansion' && isNumberCommand(part.text);
}
