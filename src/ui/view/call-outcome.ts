import { displayLine } from '../../core/display-text.ts';
import type { FinishedCall } from '../chat/blocks.ts';
import { relativeTo } from './format.ts';
import verbs from './tool-verbs.json' with { type: 'json' };

/** A tool by a short verb, or by its own name. */
export function verbOf(name: string): string {
  const known: Readonly<Record<string, string>> = verbs;
  return Object.hasOwn(known, name) ? (known[name] ?? name) : displayLine(name, 40);
}

/** What a call is about, on one line: a path as it is known in this folder, or a command. */
export function subjectOf(subject: string, cwd: string): string {
  return displayLine(relativeTo(cwd, subject), 200);
}

/** What came of a call, in a few words. */
export function outcomeOf({ text, isError, wasRefused, patch }: FinishedCall, cwd: string): string {
  if (wasRefused) return 'not allowed';
  const exitCode = exitCodeOf(text);
  const size = outputOf(text)?.length ?? 0;
  if (exitCode !== null) return `exit ${exitCode}${size > 1 ? ` · ${size.toLocaleString('en')} lines` : ''}`;
  if (isError) return `failed: ${displayLine(faultOf(text), 160)}`;
  if (patch !== null) return changeOf(patch);
  const numbered = text.split('\n').filter((line) => /^\d+\t/.test(line)).length;
  const first = text.split('\n', 1)[0] ?? '';
  if (/^\d+\t/.test(first)) return `${numbered} line${numbered === 1 ? '' : 's'}`;
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
