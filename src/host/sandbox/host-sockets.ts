import { readFileSync } from 'node:fs';
import { existing } from './visible-places.ts';

/** The files of this machine's local sockets: a read-only mount does not keep anyone from connecting to one. Source: proc(5), /proc/net/unix. */
export function hostSockets(): string[] {
  let table: string;
  try {
    table = readFileSync('/proc/net/unix', 'utf8');
  } catch {
    return [];
  }
  const named = table.split('\n').map((line) => /^(?:\S+ +){6}\d+ (\/.*)$/.exec(line)?.[1]);
  const real = named.map((path) => (path === undefined ? null : existing(path)));
  return [...new Set(real.filter((path) => path !== null))];
}
