import { isJsonObject } from '../../core/json-value.ts';
import type { ToolKind } from './session-document.ts';
import kinds from './tool-kinds.json' with { type: 'json' };

const KINDS = new Map<string, string>(Object.entries(kinds));
const SUBJECT_KEYS = ['command', 'path', 'file_path', 'pattern', 'url', 'query', 'description', 'id', 'job_id', 'jobId'];

/** What a tool does, by either of its names; `other` where wield does not know it. */
export function kindOf(name: string): ToolKind {
  // The table is ours and holds nothing else.
  return (KINDS.get(name.replaceAll('_', '').toLowerCase()) ?? 'other') as ToolKind;
}

/** The words of an input that a person would know a call by; empty where there are none. */
export function subjectOf(input: unknown, cwd: string | null): string {
  if (!isJsonObject(input)) return '';
  const subject = SUBJECT_KEYS.map((key) => input[key]).find((value) => typeof value === 'string');
  if (typeof subject !== 'string') return firstPatchedPath(input) ?? '';
  return cwd !== null && cwd !== '' && subject.startsWith(`${cwd}/`) ? subject.slice(cwd.length + 1) : subject;
}

function firstPatchedPath({ patch }: Readonly<Record<string, unknown>>): string | null {
  if (typeof patch !== 'string') return null;
  return /^(?:\*\*\* (?:Add|Update|Delete) File: |\+\+\+ (?:b\/)?)(.{1,300})$/m.exec(patch)?.[1] ?? null;
}
