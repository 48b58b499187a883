/** What the model asks of a client in one turn, in no client's words. */
export type Step =
  | { readonly act: 'read'; readonly file: string; readonly shows: string }
  | { readonly act: 'edit'; readonly file: string; readonly from: string; readonly to: string }
  | { readonly act: 'shell'; readonly command: string; readonly shows: string };

export type Files = Readonly<Record<string, string>>;

/** A session that is always the same: one step a turn, then an answer. */
export interface Scenario {
  readonly steps: readonly Step[];
  readonly filesBefore: Files;
  readonly filesAfter: Files;
}

export type ScenarioName = 'first' | 'read' | 'shell' | 'mixed';

const TURNS = 30;

/** The sessions that are measured. */
export const SCENARIOS: Readonly<Record<ScenarioName, Scenario>> = {
  first: withFiles({}, []),
  read: withFiles(
    { 'ten.txt': 'ten bytes\n' },
    times(TURNS, () => ({ act: 'read', file: 'ten.txt', shows: 'ten bytes' })),
  ),
  shell: withFiles(
    {},
    times(TURNS, (i) => ({ act: 'shell', command: `echo step ${i}`, shows: `step ${i}` })),
  ),
  mixed: mixed(TURNS / 2),
};

function withFiles(files: Files, steps: readonly Step[]): Scenario {
  return { steps, filesBefore: files, filesAfter: files };
}

/** Reads a file of 2.8 KB, edits a line in it, and goes on to the next. */
function mixed(count: number): Scenario {
  const name = (i: number): string => `part-${i}.txt`;
  const text = (middle: string): string =>
    times(60, (line) => (line === 30 ? middle : `line ${line} of a file that stands there to be read`)).join('\n');
  const [before, after] = ['the line that is to change', 'the line that has changed'];
  return {
    steps: times(count, (i): Step[] => [
      { act: 'read', file: name(i), shows: before },
      { act: 'edit', file: name(i), from: before, to: after },
    ]).flat(),
    filesBefore: Object.fromEntries(times(count, (i) => [name(i), text(before)])),
    filesAfter: Object.fromEntries(times(count, (i) => [name(i), text(after)])),
  };
}

function times<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i));
}
