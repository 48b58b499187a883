import { AgentError } from '../core/errors.ts';
import { isJsonObject, type JsonObject } from '../core/json-value.ts';

/** The value of `--input`. Errors: AgentError `misuse`, with an example. */
export function parseJsonInput(text: string | null, example: string): JsonObject {
  try {
    const input: unknown = JSON.parse(text ?? '');
    if (isJsonObject(input)) return input;
  } catch {
    // Said below.
  }
  throw new AgentError({
    code: 'misuse',
    message: '--input is not a JSON object.',
    remedy: `Write it as in --input '${example}'.`,
  });
}
