import { readdirSync, unlinkSync } from 'node:fs';
import { randomName } from '../random-name.ts';
import { joinRaw, parentOf, type RawPath, systemPath } from './raw-path.ts';

const PREFIX = '.wield-undo-';
const OURS = /^\.wield-undo-[0-9a-f]+$/;

/** Where what is to stand at a path is made first. */
export function tempBeside(path: RawPath): RawPath {
  return joinRaw(parentOf(path), `${PREFIX}${randomName()}`);
}

/** Removes what a restore that was killed had made beside these paths and not put in place. What cannot be looked at stays. */
export function removeTempsBeside(paths: readonly RawPath[]): void {
  for (const folder of new Set(paths.map(parentOf))) {
    for (const name of namesIn(folder)) if (OURS.test(name)) unlinkSync(systemPath(joinRaw(folder, name)));
  }
}

function namesIn(folder: RawPath): readonly string[] {
  try {
    return readdirSync(systemPath(folder), 'latin1');
  } catch {
    return [];
  }
}
