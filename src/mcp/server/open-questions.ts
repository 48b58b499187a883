import { createHash, randomBytes } from 'node:crypto';

interface AskedCall {
  readonly name: string;
  readonly input: unknown;
}

interface OpenQuestion {
  readonly fingerprint: string;
  /** What tells it from any other; the call itself may be large. */
  readonly call: string;
  readonly expiresAt: number;
}

const MAX_OPEN = 100;
const OPEN_MS = 10 * 60_000;

/**
 * Questions that a client was handed and has not brought back. A client holds nothing but a random token, good once and for the very
 * call that was asked about.
 */
export class OpenQuestions {
  readonly #open = new Map<string, OpenQuestion>();

  /** Returns the token to hand out. */
  keep(call: AskedCall, fingerprint: string): string {
    const token = randomBytes(18).toString('base64url');
    const [oldest] = this.#open.keys();
    if (this.#open.size >= MAX_OPEN && oldest !== undefined) this.#open.delete(oldest);
    this.#open.set(token, { fingerprint, call: digestOf(call), expiresAt: performance.now() + OPEN_MS });
    return token;
  }

  /** The fingerprint of the question that a token stands for; null where it is none, too old, or of another call. */
  take(token: unknown, call: AskedCall): string | null {
    if (typeof token !== 'string') return null;
    const question = this.#open.get(token);
    this.#open.delete(token);
    const isOf = question?.call === digestOf(call) && performance.now() < question.expiresAt;
    return isOf ? question.fingerprint : null;
  }
}

function digestOf(call: AskedCall): string {
  return createHash('sha256').update(JSON.stringify(call)).digest('base64url');
}
