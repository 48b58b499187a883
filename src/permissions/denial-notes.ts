import type { SandboxDenial } from '../core/policy.ts';

// What was noted first is forgotten first.
const MAX_COMMANDS = 200;

/** What the sandbox kept commands from in this session, by the exact command. */
export class DenialNotes {
  readonly #byCommand = new Map<string, SandboxDenial>();

  note(command: string, denial: SandboxDenial): void {
    const before = this.of(command);
    this.#byCommand.delete(command);
    this.#byCommand.set(command, {
      network: before.network === true || denial.network === true,
      writable: [...new Set([...(before.writable ?? []), ...(denial.writable ?? [])])],
    });
    const [oldest] = this.#byCommand.keys();
    if (this.#byCommand.size > MAX_COMMANDS && oldest !== undefined) this.#byCommand.delete(oldest);
  }

  of(command: string): SandboxDenial {
    return this.#byCommand.get(command) ?? {};
  }
}
