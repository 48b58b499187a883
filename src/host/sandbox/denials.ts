import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** What a sandbox kept a command from, as far as its output tells. */
export interface SandboxDenials {
  readonly network: boolean;
  /** What would have to be writable: files and folders that are there, absolute. */
  readonly writes: readonly string[];
  /** A sentence each, for the model and for the person. */
  readonly notes: readonly string[];
}

export const NOTHING_DENIED: SandboxDenials = { network: false, writes: [], notes: [] };

const MAX_WRITES = 5;
const NETWORK_FAULT =
  /EAI_AGAIN|ENETUNREACH|ENOTFOUND|Could not resolve (?:host|proxy)|Temporary failure in name resolution|Network is unreachable|getaddrinfo failed|Name or service not known|nodename nor servname|Temporary failure resolving|dial tcp: lookup|failed to lookup address information|UnknownHostException|unable to resolve host|Failed to establish a new connection|No address associated with hostname/i;
const LOOPBACK_FAULT =
  /ECONNREFUSED (?:127\.|::1|localhost)|(?:localhost|127\.0\.0\.1|::1)\S*[^\n]{0,80}Connection refused|Failed to connect to (?:127\.|localhost|::1)|\[Errno 111\] Connection refused|ConnectionRefusedError|dial tcp (?:127\.|\[::1\])\S*: connect: connection refused/i;
const DAEMON_FAULT = /(?:docker daemon|docker\.sock|podman\.sock|containerd\.sock)/i;
const SOCKET_FAULT = /EAFNOSUPPORT|Address family not supported/i;
const KEY_FAULT =
  /gpg failed to sign|gpg: (?:no default secret key|signing failed)|Could not open a connection to your authentication agent/i;
const SETUP_FAULT = /^bwrap: ([^\n]+)/;
// What is mounted read-only in the workspace cannot be replaced either, and then the system calls it busy.
const WRITE_FAULTS = [
  /could not (?:write config file|lock config file) ([^:\n]+): Device or resource busy/gi,
  /cannot (?:move|remove) '([^'\n]+)'[^\n]*: Device or resource busy/gi,
  /EROFS: read-only file system, \w+ '([^'\n]+)'/gi,
  /\[Errno 30\][^\n]*?: '([^'\n]+)'/gi,
  /['"‘“]([^'"’”\n]+)['"’”]: Read-only file system/gi,
  // Go says first what it did: "open /opt/x: read-only file system".
  /(?:^|: )(?:(?:open|openat|create|mkdir|rename|remove|unlink|link|symlink|chmod|chown|chtimes|truncate) )?(?!EROFS)([^\s:'"][^:'"\n]*): Read-only file system/gim,
];

const MISSING_FAULTS = [
  /ENOENT: no such file or directory, \w+ '([^'\n]+)'/gi,
  /\[Errno 2\][^\n]*?: '([^'\n]+)'/gi,
  /['"‘“]([^'"’”\n]+)['"’”]: No such file or directory/gi,
  /(?:^|: )(?!ENOENT)([^\s:'"][^:'"\n]*): No such file or directory/gim,
];

/** Where a command ran, and what could be opened to it. */
export interface DenialFacts {
  readonly cwd: string;
  readonly hasNetwork: boolean;
  /** Whether a path may be opened for writing at all. */
  mayWrite(path: string): boolean;
  /** Whether a path of the machine is not to be seen in there. */
  isHidden(path: string): boolean;
}

/** Looks for it in the output of a command that failed in the sandbox. */
export function denialsIn(output: string, { cwd, hasNetwork, mayWrite, isHidden }: DenialFacts): SandboxDenials {
  const setup = SETUP_FAULT.exec(output)?.[1];
  if (setup !== undefined) return { ...NOTHING_DENIED, notes: [`The sandbox could not be made (${setup}), and nothing ran.`] };
  const network = !hasNetwork && (NETWORK_FAULT.test(output) || LOOPBACK_FAULT.test(output));
  const missed = pathsIn(output, MISSING_FAULTS, cwd).filter(isHidden);
  // What is nowhere was to be made: in the folder that would hold it, which the command could not see.
  const unmade = missed.filter((path) => !existsSync(path) && existsSync(dirname(path)));
  const wanted = [...pathsIn(output, WRITE_FAULTS, cwd), ...unmade].map((path) => ({ path, opened: nearestExisting(path) }));
  const writes = wanted.map(({ opened }) => opened).filter(mayWrite);
  const closed = wanted.filter(({ opened }) => !mayWrite(opened)).map(({ path }) => path);
  return {
    network,
    writes: [...new Set(writes)].slice(0, MAX_WRITES),
    notes: [
      ...networkNotes(output, network, hasNetwork),
      ...writeNotes(output, [...new Set(writes)].slice(0, MAX_WRITES), [...new Set(closed)].slice(0, MAX_WRITES)),
      ...hiddenNotes(missed.filter((path) => existsSync(path))),
      ...keyNotes(output),
      ...daemonNotes(output),
    ],
  };
}

function networkNotes(output: string, isDenied: boolean, hasNetwork: boolean): string[] {
  if (hasNetwork && SOCKET_FAULT.test(output)) {
    return ['With the network, the sandbox has no local sockets (Unix sockets). Run what needs them without the network.'];
  }
  if (!isDenied) return [];
  const whereto = NETWORK_FAULT.test(output)
    ? 'the network'
    : 'the network; its localhost is its own, so no server outside it answers there';
  return [
    `The sandbox kept it from ${whereto}. If the task needs it, run exactly this command again: the person is asked for the network then.`,
  ];
}

function writeNotes(output: string, writes: readonly string[], closed: readonly string[]): string[] {
  const notes = [
    ...(writes.length === 0
      ? []
      : [
          `The sandbox kept it from writing to ${writes.join(', ')}. If the task needs it, run exactly this command again: the person is asked for that then.`,
        ]),
    ...(closed.length === 0
      ? []
      : [
          `The sandbox kept it from writing to ${closed.join(', ')}, which cannot be opened to a command. Scratch files can go to /tmp; what has to be done there is for the person to do.`,
        ]),
  ];
  if (notes.length > 0 || !/EROFS|Read-only file system/i.test(output)) return notes;
  return ['The sandbox kept it from writing outside the workspace. Scratch files can go to /tmp.'];
}

function keyNotes(output: string): string[] {
  return KEY_FAULT.test(output)
    ? ["The person's keys (GnuPG, SSH) are not in the sandbox: what needs them is for the person to run."]
    : [];
}

function daemonNotes(output: string): string[] {
  return DAEMON_FAULT.test(output) && /connect|denied|no such file/i.test(output)
    ? ['The sandbox hides the sockets of this machine (Docker, Podman): what needs them is for the person to run.']
    : [];
}

function hiddenNotes(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  return [
    `The sandbox hides ${paths.slice(0, MAX_WRITES).join(', ')} from commands. Use the file tools for it: the person is asked there.`,
  ];
}

function pathsIn(output: string, faults: readonly RegExp[], cwd: string): string[] {
  const named = faults.flatMap((fault) => [...output.matchAll(fault)].map((match) => resolve(cwd, match[1]?.trim() ?? '')));
  return [...new Set(named)];
}

/** What is not there can be made only where the folder around it may be written. */
function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path));
}
