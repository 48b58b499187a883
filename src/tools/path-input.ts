import { isAbsolute, resolve } from 'node:path';
import type { CallFacts } from '../core/tool.ts';

/** What a model should change about a path before anything runs, or null. */
export function pathFault(key: string, path: string, { cwd }: CallFacts): string | null {
  if (path === '') return `"${key}" is empty. Give the absolute path.`;
  if (path.includes('\0')) return `"${key}" holds a NUL character, which no path can.`;
  if (path.startsWith('~')) return `"${key}" starts with "~", which is not expanded here. Give the absolute path.`;
  if (isAbsolute(path)) return null;
  return `"${key}" must be an absolute path. You probably meant "${resolve(cwd, path)}".`;
}
