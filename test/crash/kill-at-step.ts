import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

// Loaded before a program: ends it with SIGKILL right before its nth step on the file system, counted over all calls that change something.
const killAt = Number(process.env['KILL_AT_STEP']);
let steps = 0;

function step(): void {
  steps++;
  if (steps === killAt) process.kill(process.pid, 'SIGKILL');
}

type Call = (...args: unknown[]) => unknown;
const CHANGING = ['open', 'writeFile', 'rename', 'unlink', 'link', 'copyFile', 'mkdir', 'rmdir', 'symlink'] as const;
for (const name of CHANGING) {
  const original = fs.promises[name] as Call;
  (fs.promises as unknown as Record<string, Call>)[name] = (...args) => {
    step();
    return original(...args);
  };
}

// A handle's own calls: found through any handle.
const handle = await fs.promises.open(process.execPath, 'r');
const prototype = Object.getPrototypeOf(handle) as Record<string, Call>;
for (const name of ['write', 'writeFile', 'appendFile', 'sync', 'chmod', 'chown', 'truncate']) {
  const original = prototype[name];
  if (original === undefined) continue;
  prototype[name] = function counted(this: unknown, ...args: unknown[]) {
    step();
    return original.apply(this, args);
  };
}
await handle.close();
steps = 0;
syncBuiltinESMExports();
process.on('exit', () => process.stdout.write(`steps ${steps}\n`));
