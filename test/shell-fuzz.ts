import { inspectCommand } from '../src/shell/inspect.ts';
import { missedBy, runUnderCanary } from './shell-canary.ts';
import { generateCommand } from './shell-commands.ts';

export interface Miss {
  readonly seed: number;
  readonly command: string;
  readonly missed: readonly string[];
}

/** Runs so many generated commands in bash, from a seed on, and gives those that did what the reader of commands does not tell of. */
export function missesOf({ from, count }: { readonly from: number; readonly count: number }): readonly Miss[] {
  const commands = Array.from({ length: count }, (_, at) => generateCommand(from + at));
  const effects = runUnderCanary(commands);
  const starts = effects.reduce((sum, { started }) => sum + started.length, 0);
  // Where nothing ran, nothing was tested.
  if (starts < count / 4) throw new Error(`only ${starts} programs were started by ${count} commands`);
  return commands.flatMap((command, at) => {
    const effect = effects[at];
    const missed =
      effect === undefined ? ['its effects'] : missedBy(inspectCommand(command, { cwd: effect.cwd, home: '/none' }), effect);
    return missed.length === 0 ? [] : [{ seed: from + at, command, missed }];
  });
}
