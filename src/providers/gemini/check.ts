import { isJsonObject, type JsonObject } from '../../core/json-value.ts';
import { asArray, asObject, stringOr } from '../json-fields.ts';

/** What a strict server refuses in a body for this Gemini model; empty where it takes it. Sources: the vendor's reference; reports as noted. */
export function geminiFaults(body: unknown, model = 'gemini-3'): string[] {
  const request = asObject(body);
  const contents = asArray(request['contents']).map(asObject);
  return [
    ...(contents.length === 0 ? ['contents are empty'] : []),
    ...contents.flatMap((content, i) => contentFaults(content, i)),
    ...turnFaults(contents),
    ...contents.flatMap((content, i) => pairingFaults(contents, content, i)),
    ...(/gemini-[3-9]/.test(model) ? contents.flatMap(signatureFaults) : []),
    ...toolFaults(request['tools']),
  ];
}

function partsOf(content: JsonObject | undefined): JsonObject[] {
  return asArray(content?.['parts']).map(asObject);
}

function contentFaults(content: JsonObject, i: number): string[] {
  const parts = partsOf(content);
  const place = `content ${i}`;
  if (content['role'] !== 'user' && content['role'] !== 'model') return [`${place} has the role ${String(content['role'])}`];
  if (parts.length === 0) return [`${place} has no parts`];
  return parts.flatMap((part) => partFaults(part, place));
}

const KINDS = ['text', 'inlineData', 'functionCall', 'functionResponse', 'fileData', 'executableCode', 'codeExecutionResult'];

function partFaults(part: JsonObject, place: string): string[] {
  const kinds = KINDS.filter((kind) => part[kind] !== undefined);
  if (kinds.length !== 1) return [`${place} has a part with ${kinds.length} kinds of data`];
  const { text, inlineData } = part;
  if (kinds[0] === 'text') return textFaults(text, { place, isSigned: part['thoughtSignature'] !== undefined });
  if (kinds[0] === 'inlineData') return imageFaults(asObject(inlineData), place);
  return kinds[0] === 'functionCall' || kinds[0] === 'functionResponse' ? functionFaults(part, place) : [];
}

function textFaults(text: unknown, { place, isSigned }: { readonly place: string; readonly isSigned: boolean }): string[] {
  if (typeof text !== 'string') return [`${place} has text that is none`];
  if (text.trim() === '' && !isSigned) return [`${place} has blank text`];
  return text.isWellFormed() ? [] : [`${place} has half a character`];
}

function imageFaults(data: JsonObject, place: string): string[] {
  return stringOr(data['mimeType'], '').startsWith('image/') && /^\S+$/.test(stringOr(data['data'], ''))
    ? []
    : [`${place} has a bad picture`];
}

// Source: wonderwhy-er/DesktopCommanderMCP#79
const NAME = /^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/;

function functionFaults(part: JsonObject, place: string): string[] {
  const call = part['functionCall'];
  const { name, id, args, response } = asObject(call ?? part['functionResponse']);
  const data = call === undefined ? response : args;
  return [
    ...(NAME.test(String(name)) ? [] : [`${place} has the bad name ${String(name)}`]),
    ...(id === undefined || (typeof id === 'string' && id !== '') ? [] : [`${place} has a bad id`]),
    ...(isJsonObject(data) ? [] : [`${place} has ${call === undefined ? 'a response' : 'args'} that are no object`]),
  ];
}

/** The user speaks first, and nobody twice. */
function turnFaults(contents: readonly JsonObject[]): string[] {
  const first = contents[0]?.['role'] === 'model' ? ['the first content must be from the user'] : [];
  const doubled = contents.flatMap(({ role }, i) =>
    i > 0 && role === contents[i - 1]?.['role'] ? [`two contents of ${String(role)} at ${i}`] : [],
  );
  const open = functionsOf(contents.at(-1), 'functionCall').length > 0 ? ['the last calls have no response'] : [];
  return [...first, ...doubled, ...open];
}

function functionsOf(content: JsonObject | undefined, kind: 'functionCall' | 'functionResponse'): JsonObject[] {
  return partsOf(content).flatMap((part) => (isJsonObject(part[kind]) ? [part[kind]] : []));
}

/** "the number of function response parts is equal to the number of function call parts". Source: google-gemini/gemini-cli#3814, #21830 */
function pairingFaults(contents: readonly JsonObject[], content: JsonObject, i: number): string[] {
  if (content['role'] !== 'user')
    return functionsOf(content, 'functionResponse').map(() => `content ${i} is a model's with a response`);
  const key = ({ name, id }: JsonObject): string => `${String(name)} ${stringOr(id, '')}`.trimEnd();
  const wanted = functionsOf(contents[i - 1], 'functionCall').map(key);
  const given = functionsOf(content, 'functionResponse').map(key);
  const parts = partsOf(content);
  const firstOther = parts.findIndex((part) => part['functionResponse'] === undefined);
  return [
    ...functionsOf(content, 'functionCall').map(() => `content ${i} is a user's with a call`),
    ...(JSON.stringify(given) === JSON.stringify(wanted)
      ? []
      : [`content ${i} answers ${given.join(', ') || 'nothing'}; wanted ${wanted.join(', ') || 'nothing'}`]),
    ...(firstOther !== -1 && firstOther < given.length ? [`content ${i} has something before its responses`] : []),
  ];
}

/** The first call of each step is signed, or says that its signature is to be skipped. Source: google/adk-go#764 */
function signatureFaults(content: JsonObject, i: number): string[] {
  const first = partsOf(content).find((part) => part['functionCall'] !== undefined);
  if (first === undefined || (typeof first['thoughtSignature'] === 'string' && first['thoughtSignature'] !== '')) return [];
  return [`Function call is missing a thought_signature in content ${i}`];
}

function toolFaults(value: unknown): string[] {
  if (value === undefined) return [];
  const declarations = asArray(value).flatMap((tool) => asArray(asObject(tool)['functionDeclarations']).map(asObject));
  const names = declarations.map(({ name }) => String(name));
  return [
    ...(declarations.length === 0 ? ['the list of declarations is empty'] : []),
    ...names.filter((name, i) => names.indexOf(name) !== i).map((name) => `two tools are named ${name}`),
    ...names.filter((name) => !NAME.test(name)).map((name) => `the tool name ${name} is refused`),
    ...declarations.flatMap((declaration) => declarationFaults(declaration)),
  ];
}

function declarationFaults({ name, parameters, parametersJsonSchema }: JsonObject): string[] {
  const schema = asObject(parametersJsonSchema ?? parameters);
  return [
    ...(parameters !== undefined && parametersJsonSchema !== undefined ? [`${String(name)} has two schemas`] : []),
    ...(String(schema['type']).toLowerCase() === 'object' ? [] : [`the schema of ${String(name)} is no object`]),
    ...schemaFaults(schema, String(name)),
  ];
}

const REFUSED = ['$ref', '$defs', 'definitions', 'const', 'oneOf', 'allOf', 'not'];

/** Keywords that Gemini refuses, wherever they stand, and arrays without items. Source: google-gemini/gemini-cli#13326, anomalyco/opencode#12295 */
function schemaFaults(schema: JsonObject, name: string): string[] {
  const refused = REFUSED.filter((keyword) => schema[keyword] !== undefined).map(
    (keyword) => `the schema of ${name} has ${keyword}`,
  );
  const items =
    schema['type'] === 'array' && !isJsonObject(schema['items']) ? [`the schema of ${name} has an array without items`] : [];
  const below = [...Object.values(asObject(schema['properties'])), ...asArray(schema['anyOf']), schema['items']].filter(
    isJsonObject,
  );
  return [...refused, ...items, ...below.flatMap((inner) => schemaFaults(inner, name))];
}
