import { parentPort, workerData } from 'node:worker_threads';
import { checkInput } from '../../core/check-input.ts';
import type { CheckJob, CheckMessage } from './foreign-check.ts';

// The entry of a thread: importing it does the job.
const { schema, input } = workerData as CheckJob;
// The checker is loaded by its first use.
await checkInput({ type: 'object' }, {});
tell({ type: 'begins' });
tell({ type: 'found', problem: await checkInput(schema, input) });

function tell(message: CheckMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(message);
}
