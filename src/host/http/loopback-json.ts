import { systemCodeOf } from '../../core/errors.ts';

/** What a server on this machine answered to a GET. `refused`: nothing listens. `unusable`: no JSON, an error, or nothing in time. */
export type LoopbackAnswer =
  | { readonly type: 'json'; readonly value: unknown }
  | { readonly type: 'refused' }
  | { readonly type: 'unusable' };

const MAX_BYTES = 1_048_576;

/** Asks a server on loopback, without a key and without following it elsewhere, until the signal ends it. Errors: never throws. */
export function readLoopbackJson(url: string, signal: AbortSignal): Promise<LoopbackAnswer> {
  if (!isLoopback(url)) return Promise.resolve({ type: 'unusable' });
  return new Promise((resolve) => {
    // Not `import 'node:http'`: an ES import reads every export and so loads all of undici (about 40 ms at start).
    const { get } = process.getBuiltinModule('node:http');
    const request = get(url, { signal, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (text.length > MAX_BYTES) request.destroy();
      });
      response.on('end', () => resolve(response.statusCode === 200 ? parsed(text) : { type: 'unusable' }));
      response.on('close', () => resolve({ type: 'unusable' }));
      response.on('error', () => resolve({ type: 'unusable' }));
    });
    request.on('error', (error) => resolve({ type: systemCodeOf(error) === 'ECONNREFUSED' ? 'refused' : 'unusable' }));
  });
}

/** Tells whether a URL leads to this machine over plain HTTP, with no password in it. Names other than localhost are not looked up. */
export function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, username, password } = new URL(url);
  return protocol === 'http:' && username + password === '' && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

function parsed(text: string): LoopbackAnswer {
  try {
    return { type: 'json', value: JSON.parse(text) };
  } catch {
    return { type: 'unusable' };
  }
}
