import { writeSync } from 'node:fs';
import type { TerminalPort } from '../ui/chat/terminal-port.ts';
import type { Reflow } from '../ui/inline/paint.ts';

// Bracketed paste, keys with their modifiers, and the window's title put by. Sources: xterm control sequences; kitty keyboard protocol,
// progressive enhancement.
const TAKE = '\u001b[22;2t\u001b[?2004h\u001b[>1u\u001b[>4;1m';
const GIVE_BACK = '\u001b[23;2t\u001b[>4;0m\u001b[<u\u001b[?2004l\u001b[?7h\u001b[?25h\u001b[?2026l';

/** This program's own terminal. However the program ends, the terminal is given back as it was. */
export function createRawTerminal(environment: NodeJS.ProcessEnv): TerminalPort {
  const { stdin, stdout } = process;
  let isTaken = false;
  const start = (): void => {
    if (isTaken) return;
    isTaken = true;
    stdin.setRawMode(true);
    stdin.resume();
    stdout.write(TAKE);
  };
  const stop = (): void => {
    if (!isTaken) return;
    isTaken = false;
    // At once: the program may be on its last breath.
    tryTo(() => writeSync(1, GIVE_BACK));
    tryTo(() => stdin.setRawMode(false));
    stdin.pause();
  };
  process.on('exit', stop);
  stdin.setEncoding('utf8');
  return {
    get size() {
      return { columns: stdout.columns || 80, rows: stdout.rows || 24 };
    },
    reflow: reflowOf(environment),
    // The Linux console and screen show what they do not know.
    tellsBackground: environment['TERM'] !== 'linux' && environment['STY'] === undefined,
    start,
    stop,
    write: (bytes) => stdout.write(bytes),
    onDrain: (listener) => void stdout.on('drain', listener),
    onData: (listener) => void stdin.on('data', (data) => (isTaken ? listener(String(data)) : undefined)),
    onResize: (listener) => void stdout.on('resize', listener),
    suspend: () => {
      stop();
      return new Promise((resolve) => {
        // Neither a paused keyboard nor a listener for a signal keeps the program from ending.
        const alive = setInterval(() => undefined, 1000);
        process.once('SIGCONT', () => {
          clearInterval(alive);
          start();
          resolve();
        });
        // The whole group, as the terminal itself would do it: who started us may wait for us.
        process.kill(0, 'SIGTSTP');
      });
    },
  };
}

/** What this terminal does with rows that a narrower window cuts. */
function reflowOf({ TERM_PROGRAM, TERM, XTERM_VERSION, STY }: NodeJS.ProcessEnv): Reflow {
  if (TERM_PROGRAM === 'vscode') return 'not-cursor-line';
  return XTERM_VERSION !== undefined || STY !== undefined || TERM === 'linux' ? 'none' : 'all';
}

function tryTo(work: () => void): void {
  try {
    work();
  } catch {
    // A terminal that is gone needs nothing back.
  }
}
