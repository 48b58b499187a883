import type { Emit } from '../core/agent-event.ts';
import type { PermissionAnswer } from '../core/permission.ts';
import type { Asker, Question } from '../calls/permit-call.ts';

/** Puts questions to a person, one at a time, and waits for the answers. */
export class QuestionDesk {
  readonly #open = new Map<string, (answer: PermissionAnswer) => void>();
  #last: Promise<unknown> = Promise.resolve();
  #count = 0;

  /** Asks in the name of the agent that emits so. */
  askerFor(emit: Emit): Asker {
    return (question, signal) => {
      const answer = this.#last.then(() => this.#askNow(question, signal, emit));
      this.#last = answer;
      return answer;
    };
  }

  /** An answer to a question that is no longer open is dropped. */
  answer(requestId: string, answer: PermissionAnswer): void {
    this.#open.get(requestId)?.(answer);
  }

  #askNow(question: Question, signal: AbortSignal, emit: Emit): Promise<PermissionAnswer> {
    if (signal.aborted) return Promise.resolve({ type: 'deny' });
    const requestId = `ask_${++this.#count}`;
    const { toolUseId, name, subject, details, judgement } = question;
    return new Promise((resolve) => {
      const settle = (answer: PermissionAnswer): void => {
        this.#open.delete(requestId);
        signal.removeEventListener('abort', onAbort);
        resolve(answer);
      };
      const onAbort = (): void => settle({ type: 'deny' });
      this.#open.set(requestId, settle);
      signal.addEventListener('abort', onAbort, { once: true });
      emit({
        type: 'permission_request',
        requestId,
        toolUseId,
        name,
        subject,
        details,
        parts: judgement.parts,
        offers: judgement.offers,
      });
    });
  }
}
