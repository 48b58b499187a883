import { createInterface } from 'node:readline';
import type { LineTerminal } from '../ui/line-chat.ts';

/** Nobody answers a question so soon: what comes then was typed or pasted for something else. */
const DEAF_MS = 200;

/** Lines on this terminal. Closed input reads as null; Ctrl-C goes to the listener, or, with none, ends the reading. */
export function createLineTerminal(): LineTerminal & { close(): void } {
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
  const lines = createInterface({ input: process.stdin, output: process.stdout, terminal: isTerminal });
  const waiting: ((line: string | null) => void)[] = [];
  const typed: string[] = [];
  let isClosed = false;
  let deafUntil = 0;
  let interrupt: (() => void) | null = null;
  const settleAll = (): void => {
    for (const settle of waiting.splice(0)) settle(null);
  };
  lines.on('line', (line) => {
    if (performance.now() < deafUntil) {
      lines.prompt();
      return;
    }
    const settle = waiting.shift();
    if (settle === undefined) typed.push(line);
    else settle(line);
  });
  lines.on('close', () => {
    isClosed = true;
    settleAll();
  });
  const onSigint = (): void => {
    settleAll();
    if (interrupt === null) lines.close();
    else interrupt();
  };
  lines.on('SIGINT', onSigint);
  process.on('SIGINT', onSigint);
  const readLine = (prompt: string): Promise<string | null> => {
    const early = typed.shift();
    if (early !== undefined || isClosed) return Promise.resolve(early ?? null);
    return new Promise((resolve) => {
      waiting.push(resolve);
      lines.setPrompt(prompt);
      lines.prompt();
    });
  };
  return {
    write: (text) => void process.stdout.write(text),
    readLine,
    readAnswer: (prompt) => {
      if (isTerminal) {
        typed.length = 0;
        // The half of a line too. Source: node:readline, rl.write(data, key)
        lines.write(null, { ctrl: true, name: 'u' });
        deafUntil = performance.now() + DEAF_MS;
      }
      return readLine(prompt);
    },
    onInterrupt: (listener) => {
      interrupt = listener;
    },
    close: () => {
      process.off('SIGINT', onSigint);
      lines.close();
    },
  };
}
