import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

// Undoes or redoes what is on record, and is killed right before its nth step on the files of the project.
const [logPath = '', contents = '', verb = '', killAt = ''] = process.argv.slice(2);
let steps = 0;
let isCounting = false;

type Call = (...args: unknown[]) => unknown;
for (const name of ['mkdirSync', 'renameSync', 'unlinkSync', 'rmdirSync', 'chmodSync', 'fchmodSync', 'symlinkSync'] as const) {
  const original = fs[name] as Call;
  (fs as unknown as Record<string, Call>)[name] = (...args) => {
    if (isCounting && ++steps === Number(killAt)) process.kill(process.pid, 'SIGKILL');
    return original(...args);
  };
}
syncBuiltinESMExports();

const { ContentStore } = await import('../../src/host/effects/content-store.ts');
const { redo, undo } = await import('../../src/sessions/undo.ts');
const { UndoLog } = await import('../../src/sessions/undo-log.ts');
const store = new ContentStore(contents);
const options = { log: new UndoLog(logPath), store, isDryRun: false };
isCounting = true;
await (verb === 'undo' ? undo({ type: 'last' }, options) : redo(options));
store.close();
