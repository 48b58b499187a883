import { expect, test } from 'vitest';
import calls from './seccomp-calls.json' with { type: 'json' };
import { seccompFilter } from './seccomp.ts';

const ALLOW = 0x7fff0000;
const refused = (error: number): number => 0x00050000 | error;

interface Call {
  readonly machine?: number;
  readonly number: number;
  readonly args?: readonly [number?, number?];
}

/** Runs a filter as the kernel does. */
function verdict(filter: Buffer, { machine = calls.x64.audit, number, args = [] }: Call): number {
  const data = new Map([
    [0, number],
    [4, machine],
    [16, args[0] ?? 0],
    [24, args[1] ?? 0],
  ]);
  let loaded = 0;
  for (let at = 0; ; at++) {
    const [code, k] = [filter.readUInt16LE(at * 8), filter.readUInt32LE(at * 8 + 4)];
    const jump = (isTrue: boolean): number => filter.readUInt8(at * 8 + (isTrue ? 2 : 3));
    if (code === 0x06) return k;
    if (code === 0x20) loaded = data.get(k) ?? Number.NaN;
    else if (code === 0x15) at += jump(loaded === k);
    else if (code === 0x35) at += jump(loaded >= k);
    else if (code === 0x45) at += jump((loaded & k) !== 0);
    else throw new Error(`no such step: ${code}`);
  }
}

function filterOf(hasNetwork: boolean, machine = 'x64'): Buffer {
  const filter = seccompFilter(hasNetwork, machine);
  if (filter === null) throw new Error('no filter');
  return filter;
}

test('lets ordinary calls pass and refuses what reaches around namespaces', () => {
  const filter = filterOf(false);
  const { x64 } = calls;
  expect([0, 1, 59, 101, 231].map((number) => verdict(filter, { number }))).toEqual([ALLOW, ALLOW, ALLOW, ALLOW, ALLOW]);
  for (const number of Object.values(x64.refused)) expect(verdict(filter, { number })).toBe(refused(1));
  for (const number of Object.values(x64.absent)) expect(verdict(filter, { number })).toBe(refused(38));
  expect(verdict(filter, { number: x64.ioctl, args: [0, 0x5412] })).toBe(refused(1));
  expect(verdict(filter, { number: x64.ioctl, args: [0, 0x5401] })).toBe(ALLOW);
  expect(verdict(filter, { number: x64.clone, args: [0x10000000] })).toBe(refused(1));
  expect(verdict(filter, { number: x64.clone, args: [0x11] })).toBe(ALLOW);
});

test('local sockets pass only without the network, and rare kinds never', () => {
  const families = [1, 2, 10, 16, 17, 38, 40];
  const of = (hasNetwork: boolean) =>
    families.map((family) => verdict(filterOf(hasNetwork), { number: calls.x64.socket, args: [family] }) === ALLOW);
  expect(of(false)).toEqual([true, true, true, true, false, false, false]);
  expect(of(true)).toEqual([false, true, true, true, false, false, false]);
});

test('calls of another machine, or in its 32-bit variant, are refused; a machine that is not known has no filter', () => {
  expect(verdict(filterOf(false), { machine: 0x40000003, number: 1 })).toBe(refused(38));
  expect(verdict(filterOf(false), { number: 0x40000001 })).toBe(refused(38));
  const { arm64 } = calls;
  expect(verdict(filterOf(false, 'arm64'), { machine: arm64.audit, number: arm64.refused.keyctl })).toBe(refused(1));
  expect(verdict(filterOf(false, 'arm64'), { machine: arm64.audit, number: 64 })).toBe(ALLOW);
  expect(seccompFilter(false, 'riscv64')).toBeNull();
});
