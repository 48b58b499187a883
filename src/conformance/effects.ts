import { isWithin } from '../core/footprint.ts';
import { changesBetween, type Subject } from './bench.ts';
import { found, skip, type Verdict } from './finding.ts';
import { inWords } from './input-words.ts';
import { pause } from '../core/pause.ts';
import type { Trial } from './trial.ts';

const SHOWN_PATHS = 3;

/** What says that it only reads, and changed something. */
export function checkReadOnly(subject: Subject, trials: readonly Trial[]): Verdict {
  if (!subject.tool.isReadOnly) return skip('it does not say that it only reads');
  const trial = trials.find(({ changed }) => changed.length > 0);
  if (trial === undefined) return found();
  return found({
    what: `It says that it only reads, and ${inWords(trial.input)} changed ${named(subject, trial.changed)}.`,
    remedy: 'Do not set isReadOnly: what only reads passes unasked.',
  });
}

/** What changed outside of what was said beforehand. */
export function checkFootprint(subject: Subject, trials: readonly Trial[]): Verdict {
  const { tool, bench } = subject;
  if (tool.isReadOnly) return skip('it says that it only reads');
  for (const { input, changed } of trials) {
    const footprint = tool.footprint(input, { cwd: bench.cwd });
    if (footprint.extent === 'everything') continue;
    const allowed = footprint.writes.flatMap((resource) => (resource.kind === 'file' ? [resource.path] : []));
    const outside = changed.filter((path) => !allowed.some((place) => isWithin(path, place) || isWithin(place, path)));
    if (outside.length === 0) continue;
    return found({
      what: `${inWords(input)} changed ${named(subject, outside)}, which its footprint does not hold.`,
      remedy: 'List all that a call may write: what is not listed is neither asked for nor undone.',
    });
  }
  return found();
}

/** What goes on after its answer. To be called right after the trials. */
export async function checkAfterwards(subject: Subject, trials: readonly Trial[]): Promise<Verdict> {
  const { bench, limits } = subject;
  if (trials.every(({ raw }) => raw === undefined)) return skip('no call was answered');
  const before = await bench.look();
  await pause(limits.settleMs, new AbortController().signal);
  const later = changesBetween(before, await bench.look());
  if (later.length === 0) return found();
  return found({
    what: `It changed ${named(subject, later)} after it had answered.`,
    remedy: "Wait for all that a call began before you return: what comes later is in nobody's record.",
  });
}

/** Paths as they stand in the bench. The folders that hold what changed have changed too, and say nothing more. */
function named({ bench }: Subject, changed: readonly string[]): string {
  const inner = changed.filter((path) => !changed.some((other) => other !== path && isWithin(other, path)));
  const paths = inner.map((path) => (path === bench.cwd ? 'its folder' : path.slice(bench.cwd.length + 1)));
  const shown = paths.slice(0, SHOWN_PATHS).join(', ');
  return paths.length > SHOWN_PATHS ? `${shown} and ${paths.length - SHOWN_PATHS} more` : shown;
}
