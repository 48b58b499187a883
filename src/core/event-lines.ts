import { type AgentEvent, isForPerson, isOfSubAgent } from './agent-event.ts';
import { displayLine } from './display-text.ts';
import { textOf } from './message.ts';

/** One plain line a tool call, and one for what a person should know; the same in the line chat and on a headless run's stderr. */
export class EventLines {
  readonly #subjects = new Map<string, string>();
  readonly #told = new Set<string>();

  /** The lines for an event, without line ends. A sub-agent has one for its whole work, that of the call which started it. */
  accept(event: AgentEvent): readonly string[] {
    if (isOfSubAgent(event) && !isForPerson(event)) return [];
    switch (event.type) {
      case 'tool_start':
        this.#subjects.set(event.toolUseId, event.subject);
        return [];
      case 'tool_result': {
        const subject = this.#subjects.get(event.toolUseId) ?? '';
        const outcome = event.result.isError
          ? `failed: ${displayLine(faultOf(textOf(event.result.content)), 160)}`
          : outcomeOf(event);
        return [
          `* ${displayLine(event.name)}${subject === '' ? '' : ` ${displayLine(subject, 80)}`} — ${outcome} (${event.durationMs} ms)`,
        ];
      }
      case 'model':
        return event.event.type === 'tool_unusable' ? this.#unusable(event.event) : [];
      case 'model_idle':
        return [`* nothing from the model for ${Math.round(event.silentMs / 1000)} s; still waiting`];
      case 'retry_wait':
        return [
          `* trying again in ${Math.max(0, Math.ceil((event.untilMs - Date.now()) / 1000))} s: ${displayLine(event.cause, 160)}`,
        ];
      case 'message_replaced':
        return [`* the answer broke off (${displayLine(event.reason, 160)}); what was shown of it no longer counts`];
      case 'compacted': {
        const author = event.by === 'model' ? 'by the model' : "from the session's record";
        const kept = event.keptMessages === 0 ? '' : `, with the last ${event.keptMessages} messages as they are`;
        return [
          `* the conversation was compacted (${displayLine(event.reason, 160)}): it goes on from a summary ${author}${kept}`,
        ];
      }
      case 'notice':
        return [`* ${displayLine(event.text, 400)}`];
      case 'error':
        return [
          `error ${event.error.code}: ${displayLine(event.error.message, 400)}`,
          `  ${displayLine(event.error.remedy, 400)}`,
        ];
      default:
        return [];
    }
  }

  /** Once for each tool, however many requests there are. */
  #unusable({ name, problem }: { readonly name: string; readonly problem: string }): readonly string[] {
    if (this.#told.has(name)) return [];
    this.#told.add(name);
    return [`* ${displayLine(name)} is not offered to this model: ${displayLine(problem, 160)}`];
  }
}

/** The first line of a result, which tools write as a summary; a command's exit code. */
function outcomeOf({ result }: Extract<AgentEvent, { type: 'tool_result' }>): string {
  const text = textOf(result.content);
  const exitCode = /<exit_code>(\d+)<\/exit_code>/.exec(text)?.[1];
  if (exitCode !== undefined) return `exit code ${exitCode}`;
  const firstLine = text.split('\n', 1)[0] ?? '';
  return /^\d+\t/.test(firstLine) ? countLines(text) : displayLine(firstLine.replace(/:$/, ''), 80);
}

/** Of a command that was stopped its output is not the news, but why. */
function faultOf(text: string): string {
  return text.startsWith('<output>') ? (text.split('\n').at(-1) ?? text) : text;
}

function countLines(text: string): string {
  const lines = text.split('\n').filter((line) => /^\d+\t/.test(line)).length;
  return `${lines} line${lines === 1 ? '' : 's'}`;
}
