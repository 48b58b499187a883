import type { WebAccess } from '../core/web-access.ts';

/** The public web; what reads it is loaded with the first page. */
export function lazyWeb(): WebAccess {
  return {
    fetch: async (url, signal) => (await import('../host/web/web-access.ts')).createWebAccess().fetch(url, signal),
  };
}
