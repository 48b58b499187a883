import { displayLine } from '../../core/display-text.ts';
import type { FinishedCall } from '../chat/blocks.ts';
import type { Say, WordKey } from '../words/say.ts';
import type { DrawFacts } from './draw-facts.ts';
import { relativeTo } from './format.ts';
import verbs from './tool-verbs.json' with { type: 'json' };

/** A tool by a short verb, or by its own name. */
export function verbOf(name: string, say: Say): string {
  // The keys of the table are names of tools, and its values those of verbs.
  const known = verbs as Readonly<Record<string, WordKey>>;
  const verb = Object.hasOwn(known, name) ? known[name] : undefined;
  return verb === undefined ? displayLine(name, 40) : say(verb);
}

/** What a call is about, on one line: a path as it is known in this folder, or a command. */
export function subjectOf(subject: string, cwd: string): string {
  return displayLine(relativeTo(cwd, subject), 200);
}

/** What came of a call, in a few words. */
export function outcomeOf(
  { text, isError, wasRefused, patch }: FinishedCall,
  { cwd, say }: Pick<DrawFacts, 'cwd' | 'say'>,
): string {
  if (wasRefused) return say('outcome_refused');
  const exitCode = exitCodeOf(text);
  const size = outputOf(text)?.length ?? 0;
  if (exitCode !== null)
    return `${say('outcome_exit', { code: exitCode })}${size > 1 ? ` · ${say('lines', { count: size.toLocaleString('en') })}` : ''}`;
  if (isError) return say('outcome_failed', { why: displayLine(faultOf(text), 160) });
  if (patch !== null) return changeOf(patch);
  const numbered = text.split('\n').filter((line) => /^\d+\t/.test(line)).length;
  const first = text.split('\n', 1)[0] ?? '';
  if (/^\d+\t/.test(first)) return numbered === 1 ? say('one_line') : say('lines', { count: numbered });
  return displayLine(first.replace(/[:.]$/, '').replaceAll(`${cwd}/`, '').replace(` under ${cwd}`, ''), 80);
}

/** True where a call ended as it should have. */
export function isGood({ text, isError, wasRefused }: FinishedCall): boolean {
  return !isError && !wasRefused && (exitCodeOf(text) ?? 0) === 0;
}

/** The lines that a command wrote; null for what is no command. */
export function outputOf(text: string): readonly string[] | null {
  const output = /^<output>\n([\s\S]*?)\n?<\/output>/.exec(text)?.[1];
  return output === undefined ? null : output === '' ? [] : output.split('\n');
}

function exitCodeOf(text: string): number | null {
  const code = /<exit_code>(\d+)<\/exit_code>/.exec(text)?.[1];
  return code === undefined ? null : Number(code);
}

/** Of a command that was stopped its output is not the news, but why. */
function faultOf(text: string): string {
  return text.startsWith('<output>') ? (text.split('\n').at(-1) ?? text) : text;
}

function changeOf(patch: string): string {
  const lines = patch.split('\n');
  const added = lines.filter((line) => line.startsWith('+') && !line.startsWith('+++')).length;
  const removed = lines.filter((line) => line.startsWith('-') && !line.startsWith('---')).length;
  return `+${added} -${removed}`;
}
