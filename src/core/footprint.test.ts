import { describe, expect, test } from 'vitest';
import { type Footprint, footprintsConflict, isWithin, type Resource } from './footprint.ts';

const file = (path: string): Resource => ({ kind: 'file', path });
const reads = (...paths: readonly string[]): Footprint => ({ extent: 'listed', reads: paths.map(file), writes: [] });
const writes = (...paths: readonly string[]): Footprint => ({ extent: 'listed', reads: [], writes: paths.map(file) });

test.each([
  ['/a/b', '/a', true],
  ['/a', '/a', true],
  ['/a-b', '/a', false],
  ['/a', '/a/b', false],
  ['/a', '/', true],
  ['/', '/', true],
])('%s within %s: %s', (path, folder, expected) => {
  expect(isWithin(path, folder)).toBe(expected);
});

describe('footprintsConflict', () => {
  const all: Footprint = { extent: 'everything', writes: true };
  const looking: Footprint = { extent: 'everything', writes: false };
  test.each<[string, Footprint, Footprint, boolean]>([
    ['two reads of one file', reads('/a'), reads('/a'), false],
    ['a write and a read of one file', writes('/a'), reads('/a'), true],
    ['two writes of one file', writes('/a'), writes('/a'), true],
    ['a write below a folder that is read', writes('/a/b'), reads('/a'), true],
    ['a write of a folder above what is read', writes('/a'), reads('/a/b'), true],
    ['writes of neighbours', writes('/a/b'), writes('/a/c'), false],
    ['names that start alike', writes('/a'), reads('/ab'), false],
    ['everything and a read', all, reads('/a'), true],
    ['looking at everything and a read', looking, reads('/a'), false],
    ['looking at everything and a write', looking, writes('/a'), true],
    ['looking at everything twice', looking, looking, false],
    ['everything and nothing', all, reads(), true],
    [
      'the plan twice',
      { extent: 'listed', reads: [], writes: [{ kind: 'todos' }] },
      { extent: 'listed', reads: [{ kind: 'todos' }], writes: [] },
      true,
    ],
    ['the plan and a file', { extent: 'listed', reads: [], writes: [{ kind: 'todos' }] }, writes('/a'), false],
    [
      'one host twice',
      { extent: 'listed', reads: [], writes: [{ kind: 'net', host: 'h' }] },
      { extent: 'listed', reads: [{ kind: 'net', host: 'h' }], writes: [] },
      true,
    ],
    [
      'two hosts',
      { extent: 'listed', reads: [], writes: [{ kind: 'net', host: 'h' }] },
      { extent: 'listed', reads: [{ kind: 'net', host: 'i' }], writes: [] },
      false,
    ],
  ])('%s', (_name, a, b, expected) => {
    expect(footprintsConflict(a, b)).toBe(expected);
    expect(footprintsConflict(b, a)).toBe(expected);
  });
});
