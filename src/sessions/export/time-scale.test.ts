import { expect, test } from 'vitest';
import type { Span } from './session-document.ts';
import { timeScaleOf } from './time-scale.ts';

const span = (startMs: number, endMs: number, kind: Span['kind'] = 'model'): Span => ({
  kind,
  startMs,
  endMs,
  turn: 1,
  call: null,
  isFailure: false,
});

test('what ran has room in proportion, and a night between two runs is cut short', () => {
  const night = 8 * 3600_000;
  const scale = timeScaleOf([span(0, 1000), span(1000, 3000, 'command'), span(night, night + 1000)]);
  const places = [0, 1000, 3000, night, night + 1000].map((ms) => Number(scale.place(ms).toFixed(3)));
  expect(places).toEqual([0, 0.24, 0.721, 0.76, 1]);
  expect(scale.busyMs).toBe(4000);
  expect(scale.gaps.map(({ durationMs }) => durationMs)).toEqual([night - 3000]);
});

test('spans at the same time count once, a question that waits counts as a gap, and none at all is no fault', () => {
  const scale = timeScaleOf([span(0, 1000), span(500, 900, 'read'), span(1000, 90_000, 'person'), span(90_000, 91_000)]);
  expect([scale.busyMs, scale.gaps.length]).toEqual([2000, 1]);
  expect(timeScaleOf([]).place(5)).toBe(0);
});
