import type { Language, PhraseName, PhraseValues } from './speech.ts';
import { phrase } from './speech.ts';
import { type Call, shortPath, type Toolbox, type ToolName } from './toolbox.ts';

/** What a plan needs besides its task: how to speak, and which tools there are. */
export interface Scene {
  readonly language: Language;
  readonly toolbox: Toolbox;
}

/** A phrase in the language of the request. */
export function say(scene: Scene, name: PhraseName, values: PhraseValues = {}): string {
  return phrase(scene.language, name, values);
}

/** Whether a tool is offered. */
export function hasTool(scene: Scene, tool: ToolName): boolean {
  return scene.toolbox.offered.has(tool);
}

/** A path as it is shown to a person, in backticks. */
export function shown(scene: Scene, path: string): string {
  return `\`${shortPath(scene.toolbox, path)}\``;
}

/** Text as a fenced block; the fence is longer than any inside it. */
export function fenced(text: string, info = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${info}\n${text}\n${fence}`;
}

/** Names in backticks joined as a list in a sentence, at most `most` of them. */
export function listed(scene: Scene, names: readonly string[], most = 8): string {
  return joined(
    scene,
    names.map((name) => `\`${name}\``),
    most,
  );
}

/** Words joined as a list in a sentence, at most `most` of them. */
export function joined(scene: Scene, words: readonly string[], most = 8): string {
  const kept = words.slice(0, most);
  const rest = words.length - kept.length;
  const list = kept.join(scene.language === 'zh' ? '、' : ', ');
  return rest > 0 ? `${list}${say(scene, 'andMore', { n: rest })}` : list;
}

/** Names one a line, at most `most` of them. */
export function bulleted(scene: Scene, rows: readonly string[], most = 30): string {
  const kept = rows.slice(0, most).map((row) => `- ${row}`);
  const rest = rows.length - kept.length;
  return rest > 0 ? [...kept, `- ${say(scene, 'moreRows', { n: rest })}`].join('\n') : kept.join('\n');
}

/** Parts of an answer, blank ones left out, with an empty line between them. */
export function paragraphs(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part.trim() !== '').join('\n\n');
}

/** A ReadFile call. */
export function readCall(path: string, range: { readonly offset?: number; readonly limit?: number } = {}): Call {
  return { tool: 'ReadFile', input: { path, ...range } };
}

/** A Glob call below a folder, or below the project root. */
export function globCall(pattern: string, folder: string | null = null): Call {
  return { tool: 'Glob', input: folder === null ? { pattern } : { pattern, path: folder } };
}
