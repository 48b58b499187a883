import { acts, actsBeyondPrefix, type Finding } from './finding.ts';
import { type Place, pathsOf, TREE } from './folders.ts';
import { optionBeyondRule, readRuleOptions } from './rule-options.ts';
import type { ShellWord } from './shell-word.ts';
import { transfers } from './transfers.ts';

/** Judges `rsync`: between folders of this machine it copies trees, and needs no network for that. */
export function inspectRsync(args: readonly ShellWord[], place: Place): Finding {
  const { refusal, operands } = readRuleOptions('rsync', args);
  const isRemote = operands.some(({ value, start }) => value === null || start.includes(':'));
  const connecting = { needsNetwork: true, mayMakeLinks: true };
  if (refusal !== null) return actsBeyondPrefix(refusal, connecting);
  const beyondPrefix = optionBeyondRule('rsync', args);
  if (isRemote) {
    const reads = operands.slice(0, -1).filter(({ start }) => !start.includes(':'));
    return acts('rsync uses the network', {
      ...connecting,
      beyondPrefix,
      reads: reads.flatMap((word) => pathsOf(word, place, TREE)),
    });
  }
  const { reads, landings } = transfers(operands, place, TREE);
  return acts('rsync copies files', { reads, writes: landings, mayMakeLinks: true, beyondPrefix });
}
