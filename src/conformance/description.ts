import { schemasBelow } from './schema-places.ts';
import parts from './description-words.json' with { type: 'json' };
import { type Finding, found, type Verdict } from './finding.ts';
import type { Tool } from '../core/tool.ts';

const MIN_CHARS = 15;
const MAX_LINES = 40;
const BINDING_WORDS = [
  'enum',
  'const',
  'minimum',
  'maximum',
  'pattern',
  'format',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
];

type PartName = keyof typeof parts;

/** Looks in a description for each thing that a model has to know. By words, in English and Chinese: it finds what is not said, not what is said badly. */
export function checkDescription(tool: Tool, otherNames: readonly string[]): Verdict {
  const { description } = tool;
  const missing = (Object.keys(parts) as readonly PartName[])
    .filter((part) => !isSaid(part, tool, otherNames))
    .map((part): Finding => ({ what: `The description ${parts[part].missing}.`, remedy: parts[part].remedy }));
  return found(thinness(tool), lengthOf(description), ...missing);
}

function thinness({ name, description }: Tool): Finding | null {
  const first = description.split(/(?<=[.!?。])\s|\n/u)[0]?.trim() ?? '';
  const words = first.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase();
  const isThin = widthOf(first) < MIN_CHARS || words === name.replaceAll(/[_-]/g, '').toLowerCase();
  if (!isThin) return null;
  return {
    what: `The description begins with "${first}", which does not say what the tool does.`,
    remedy: 'Begin with a sentence that says what it does, and to what.',
  };
}

function lengthOf(description: string): Finding | null {
  const lines = description.split('\n').length;
  if (lines <= MAX_LINES) return null;
  return {
    what: `The description has ${lines} lines, and every request pays for them.`,
    remedy: `Say it in ${MAX_LINES} lines at most.`,
  };
}

function isSaid(part: PartName, tool: Tool, otherNames: readonly string[]): boolean {
  const { description, inputSchema } = tool;
  const ofParameters = schemasBelow(inputSchema).map(({ schema }) => schema.description ?? '');
  const text = part === 'constraints' || part === 'limits' ? [description, ...ofParameters].join('\n') : description;
  if (parts[part].words.some((word) => new RegExp(word, 'iu').test(text))) return true;
  // To name a neighbour is to say whose work it is.
  if (part === 'whenNot') return otherNames.some((name) => name !== tool.name && hasWord(description, name));
  if (part !== 'constraints') return false;
  const places = schemasBelow(inputSchema);
  return places.length === 0 || places.some(({ schema }) => BINDING_WORDS.some((word) => schema[word] !== undefined));
}

function hasWord(text: string, word: string): boolean {
  const at = text.indexOf(word);
  return at >= 0 && !/\w/.test(text.charAt(at - 1)) && !/\w/.test(text.charAt(at + word.length));
}

/** A CJK character says about as much as three letters. */
function widthOf(text: string): number {
  return [...text].reduce((sum, character) => sum + (/\p{Script=Han}/u.test(character) ? 3 : 1), 0);
}
