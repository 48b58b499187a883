import fs from 'node:fs';

// Loaded before a program: from its nth write into an open file on, the disk is full. A record in the journal is not written in this way.
const failFrom = Number(process.env['FAIL_WRITES_FROM']);
let writes = 0;

const handle = await fs.promises.open(process.execPath, 'r');
const prototype = Object.getPrototypeOf(handle) as { write: (...args: unknown[]) => Promise<unknown> };
const original = prototype.write;
prototype.write = async function counted(this: unknown, ...args: unknown[]) {
  writes++;
  if (writes < failFrom) return original.apply(this, args);
  // A part arrives, as on a real disk.
  const [bytes, offset, length, position] = args as [Uint8Array, number, number, number];
  if (writes === failFrom) return original.call(this, bytes, offset, Math.ceil(length / 2), position);
  throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
};
await handle.close();
