import type { SessionCost } from './measure.ts';
import type { ScenarioName } from './scenarios.ts';

/** All that was measured of one agent. */
export interface Samples {
  readonly sessions: Readonly<Record<ScenarioName, SessionCost[]>>;
  /** Whole commands, in milliseconds. */
  readonly version: number[];
  readonly help: number[];
}

interface Measure {
  readonly label: string;
  readonly unit: 'ms' | 'MB' | 'KB' | 'count';
  readonly of: (samples: Samples) => readonly number[];
  /** The gate: how many times the floor it may be. */
  readonly atMost?: number;
}

/** One line of the result: medians, and all samples behind them. */
export interface Figure {
  readonly label: string;
  readonly unit: Measure['unit'];
  readonly wield: number;
  readonly floor: number;
  readonly ratio: number;
  readonly atMost: number | null;
  readonly samples: { readonly wield: readonly number[]; readonly floor: readonly number[] };
}

const MEASURES: readonly Measure[] = [
  { label: '--version (node -e 0)', unit: 'ms', of: ({ version }) => version },
  { label: '--help (node -e 0)', unit: 'ms', of: ({ help }) => help },
  {
    label: 'process start to first request',
    unit: 'ms',
    of: ({ sessions }) => Object.values(sessions).flatMap((costs) => costs.map((cost) => cost.firstRequestMs)),
    atMost: 3,
  },
  { label: 'turn: read 10 bytes', unit: 'ms', of: ({ sessions }) => sessions.read.map(turnMs), atMost: 4 },
  { label: 'turn: echo in a shell', unit: 'ms', of: ({ sessions }) => sessions.shell.map(turnMs) },
  { label: '30 turns read and edit: wall', unit: 'ms', of: ({ sessions }) => sessions.mixed.map((cost) => cost.wallMs) },
  { label: '30 turns read and edit: CPU', unit: 'ms', of: ({ sessions }) => sessions.mixed.map((cost) => cost.cpuMs) },
  { label: 'peak RSS, one answer', unit: 'MB', of: ({ sessions }) => sessions.first.map((cost) => cost.peakRssMb) },
  { label: 'peak RSS, 30 turns', unit: 'MB', of: ({ sessions }) => sessions.mixed.map((cost) => cost.peakRssMb) },
  { label: 'first request', unit: 'KB', of: ({ sessions }) => sessions.first.map((cost) => cost.firstRequestBytes / 1000) },
  { label: 'connections in 31 requests', unit: 'count', of: ({ sessions }) => sessions.read.map((cost) => cost.connections) },
];

/** From samples to figures. */
export function figuresOf(wield: Samples, floor: Samples): Figure[] {
  return MEASURES.map(({ label, unit, of, atMost = null }) => {
    const samples = { wield: of(wield), floor: of(floor) };
    const [ours, least] = [median(samples.wield), median(samples.floor)];
    return { label, unit, wield: ours, floor: least, ratio: ours / least, atMost, samples };
  });
}

/** Whether a figure keeps its gate, or null where it has none. */
export function passes({ ratio, atMost }: Figure): boolean | null {
  return atMost === null ? null : ratio <= atMost;
}

function turnMs({ turnsMs }: SessionCost): number {
  return median(turnsMs);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}
