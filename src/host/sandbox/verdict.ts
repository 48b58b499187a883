import { mkdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Bwrap } from './bwrap.ts';

/**
 * What was found out of bwrap since this machine was started, for this user, in this container: trying it costs more than the rest of a
 * start. Only that it works is remembered. Were that not true any more, commands would fail in it and nothing would run outside.
 */
export function knownVerdict(state: string, file: string): Bwrap | null {
  try {
    const { key, canSealNamespaces } = JSON.parse(readFileSync(placeOf(state), 'utf8')) as Record<string, unknown>;
    return key === keyOf(file) && typeof canSealNamespaces === 'boolean' ? { file, canSealNamespaces } : null;
  } catch {
    return null;
  }
}

export function rememberVerdict(state: string, { file, canSealNamespaces }: Bwrap): void {
  try {
    mkdirSync(dirname(placeOf(state)), { recursive: true, mode: 0o700 });
    writeFileSync(placeOf(state), JSON.stringify({ key: keyOf(file), canSealNamespaces }), { mode: 0o600 });
  } catch {
    // Then it is tried again the next time.
  }
}

function placeOf(state: string): string {
  return join(state, 'sandbox-works.json');
}

function keyOf(file: string): string {
  const { mtimeMs, size, ino } = statSync(file);
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  const namespaces = ['user', 'pid', 'mnt'].map((name) => readlinkSync(`/proc/self/ns/${name}`));
  return [file, mtimeMs, size, ino, boot, process.getuid?.() ?? '', ...namespaces].join(' ');
}
