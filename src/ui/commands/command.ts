import type { AgentEvent } from '../../core/agent-event.ts';
import type { Block } from '../chat/blocks.ts';
import type { Picker } from '../chat/picker.ts';
import type { ChatSession } from '../chat/session-port.ts';
import type { ChatState } from '../chat/state.ts';
import type { CommandWord } from '../editor/completion.ts';
import type { ThemeChoice } from '../theme.ts';

/** What a command of the chat may use. */
export interface CommandContext {
  /** What stands behind the name. */
  readonly argument: string;
  readonly state: ChatState;
  readonly session: ChatSession;
  readonly commands: readonly ChatCommand[];
  show(block: Block): void;
  chooseTheme(choice: ThemeChoice): void;
  readonly themeChoice: ThemeChoice;
  /** Goes on in another session. */
  enter(session: ChatSession): void;
  /** Bytes for the terminal itself; they must draw nothing. */
  write(bytes: string): void;
  leave(): void;
  /** Sends a prompt, or queues it while something runs. `shown` is what stands in the scrollback. */
  prompt(text: string, shown: string): void;
  /** Draws what happens until it has ended; Escape stops it. */
  follow(work: (signal: AbortSignal) => AsyncIterable<AgentEvent>): Promise<void>;
  /** Opens a list to choose from. */
  pick(picker: Picker): void;
}

/** One command of the chat, behind its `/`. */
export interface ChatCommand extends CommandWord {
  readonly worksWhileBusy: boolean;
  run(context: CommandContext): Promise<void>;
}

export function showLines({ show }: CommandContext, lines: readonly string[]): void {
  show({ type: 'lines', lines });
}
