import type { ShellPart } from '../shell/report.ts';

// Where bytes go nowhere, come from nowhere, or are the command's own.
const DEVICES = /^\/dev\/(?:null|zero|full|random|urandom|stdin|stdout|stderr|fd\/[0-2])$/;

/** True for a path that is no file of anybody. */
export function isDevice(path: string | null): boolean {
  return path !== null && DEVICES.test(path);
}

/** True where a part does no more than read; what goes to /dev/null is not written. */
export function isReading({ effect, beyondRules, writes }: ShellPart): boolean {
  if (beyondRules !== null || !writes.every(({ path }) => isDevice(path))) return false;
  return effect === 'reads' || (effect === 'files' && writes.length > 0);
}

/** True for nothing but known files that are written: these decide then, as those of a tool that edits do. */
export function isRedirection({ words, effect, writes, beyondRules }: ShellPart): boolean {
  const isKnown = writes.length > 0 && writes.every(({ path }) => path !== null);
  return words.length === 0 && effect === 'files' && beyondRules === null && isKnown;
}
