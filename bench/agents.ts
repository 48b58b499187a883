import { join } from 'node:path';

/** An agent that is measured: arguments for Node. */
export interface Agent {
  readonly name: 'wield' | 'floor';
  readonly session: (prompt: string) => readonly string[];
  readonly version: readonly string[];
  readonly help: readonly string[];
}

const WIELD = join(import.meta.dirname, '../bin/wield.js');
const FLOOR = join(import.meta.dirname, 'floor.mjs');
const BARE_NODE = ['-e', '0'];

export const wield: Agent = {
  name: 'wield',
  session: (prompt) => [WIELD, '-p', prompt, '--permission-mode', 'bypassPermissions'],
  version: [WIELD, '--version'],
  help: [WIELD, '--help'],
};

/** The floor has nothing to print, so that a Node that does nothing stands for it. */
export const floor: Agent = {
  name: 'floor',
  session: (prompt) => [FLOOR, prompt],
  version: BARE_NODE,
  help: BARE_NODE,
};
