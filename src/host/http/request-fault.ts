import type { ProviderError } from '../../core/errors.ts';
import { isSecretHeader } from './secrets.ts';

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** What no client could send, and no second try mends: null where there is none. The value of a header is never told. */
export function requestFault(url: string, headers: Readonly<Record<string, string>>): ProviderError | null {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    return badRequest('The base URL is no address that begins with http:// or https://.');
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name))
      return badRequest(`${JSON.stringify(name)} is no name for a header; look for it in the settings.`);
    if (!HEADER_VALUE.test(value)) return valueFault(name);
  }
  return null;
}

function valueFault(name: string): ProviderError {
  const message = `The header "${name}" holds a character that no header may hold, such as a line break or a typographic quote.`;
  return isSecretHeader(name)
    ? { kind: 'key_rejected', message: `${message} Copy the key anew.`, status: null }
    : badRequest(message);
}

function badRequest(message: string): ProviderError {
  return { kind: 'bad_request', message, status: null };
}
