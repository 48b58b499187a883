import calls from './seccomp-calls.json' with { type: 'json' };

/** One step of the kernel's filter machine. Source: Linux, Documentation/userspace-api/seccomp_filter.rst; struct sock_filter. */
interface Step {
  readonly code: number;
  readonly ifTrue: number;
  readonly ifFalse: number;
  readonly k: number;
}

const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const IF_ANY_BIT = 0x45;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const ERROR = 0x00050000;
const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

// Offsets in struct seccomp_data; of an argument the low half, which is the first on both machines.
const CALL_NUMBER = 0;
const MACHINE = 4;
const FIRST_ARGUMENT = 16;
const SECOND_ARGUMENT = 24;
// On x86-64 the numbers of its 32-bit variant start here.
const X32_CALLS = 0x40000000;

const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
const NAMESPACE_FLAGS = 0x7e020000;
const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
const AF_NETLINK = 16;

/**
 * A filter that keeps a program from what no build needs and what reaches around namespaces: keys, the kernel's own programs, mounts,
 * new namespaces, typing into a terminal, and sockets of rare kinds. Local sockets pass only where the network is a namespace of its
 * own: abstract ones belong to it, and with the machine's network they would reach the desktop. Null on a machine it is not written for.
 */
export function seccompFilter(hasNetwork: boolean, machine: string = process.arch): Buffer | null {
  if (machine !== 'x64' && machine !== 'arm64') return null;
  const table = calls[machine];
  const families = [AF_INET, AF_INET6, AF_NETLINK, ...(hasNetwork ? [] : [AF_UNIX])];
  return assemble([
    load(MACHINE),
    ...unless(IF_EQUAL, table.audit, ENOSYS),
    load(CALL_NUMBER),
    ...(machine === 'x64' ? when(IF_AT_LEAST, X32_CALLS, ENOSYS) : []),
    ...Object.values(table.absent).flatMap((number) => when(IF_EQUAL, number, ENOSYS)),
    ...Object.values(table.refused).flatMap((number) => when(IF_EQUAL, number, EPERM)),
    ...ofCall(table.ioctl, [load(SECOND_ARGUMENT), ...when(IF_EQUAL, TIOCSTI, EPERM), ...when(IF_EQUAL, TIOCLINUX, EPERM)]),
    ...ofCall(table.clone, [load(FIRST_ARGUMENT), ...when(IF_ANY_BIT, NAMESPACE_FLAGS, EPERM)]),
    ...ofCall(table.socket, [load(FIRST_ARGUMENT), ...onlyAmong(families, EAFNOSUPPORT)]),
    end(ALLOW),
  ]);
}

function load(offset: number): Step {
  return { code: LOAD, ifTrue: 0, ifFalse: 0, k: offset };
}

function end(action: number): Step {
  return { code: RETURN, ifTrue: 0, ifFalse: 0, k: action };
}

function when(test: number, k: number, error: number): Step[] {
  return [{ code: test, ifTrue: 0, ifFalse: 1, k }, end(ERROR | error)];
}

function unless(test: number, k: number, error: number): Step[] {
  return [{ code: test, ifTrue: 1, ifFalse: 0, k }, end(ERROR | error)];
}

/** Steps for one call alone; what they do not end is allowed. */
function ofCall(number: number, steps: readonly Step[]): Step[] {
  return [{ code: IF_EQUAL, ifTrue: 0, ifFalse: steps.length + 1, k: number }, ...steps, end(ALLOW)];
}

function onlyAmong(values: readonly number[], error: number): Step[] {
  const tests = values.map((k, i) => ({ code: IF_EQUAL, ifTrue: values.length - i, ifFalse: 0, k }));
  return [...tests, end(ERROR | error)];
}

function assemble(steps: readonly Step[]): Buffer {
  const bytes = Buffer.alloc(steps.length * 8);
  for (const [i, { code, ifTrue, ifFalse, k }] of steps.entries()) {
    bytes.writeUInt16LE(code, i * 8);
    bytes.writeUInt8(ifTrue, i * 8 + 2);
    bytes.writeUInt8(ifFalse, i * 8 + 3);
    bytes.writeUInt32LE(k, i * 8 + 4);
  }
  return bytes;
}
