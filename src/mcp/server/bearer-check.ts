import { createHash, timingSafeEqual } from 'node:crypto';

/** Tells whether an Authorization header shows the token, in a time that says nothing of how close it came. */
export function bearerCheck(token: string): (header: string | undefined) => boolean {
  const wanted = digest(token);
  return (header) => {
    const [, shown] = /^Bearer +(\S+)$/i.exec(header ?? '') ?? [];
    return shown !== undefined && timingSafeEqual(digest(shown), wanted);
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
