/**
 * A path or a name with one character a byte, since a name on Linux is bytes and need not be UTF-8. ASCII names are themselves.
 * It is a key, a sort order and a JSON string; for the system it becomes a `systemPath`, for people a `shownPath`.
 */
export type RawPath = string;

// oxlint-disable-next-line no-control-regex -- all of ASCII is meant
const ASCII = /^[\u0000-\u007f]*$/;

export function rawPath(path: string): RawPath {
  return ASCII.test(path) ? path : Buffer.from(path, 'utf8').toString('latin1');
}

/** Whether a text is one: each character a byte, none of them NUL. What comes from a file of somebody else may be anything. */
export function isRawPath(text: string): text is RawPath {
  return BYTES.test(text);
}
// oxlint-disable-next-line no-control-regex -- any byte but NUL is meant
const BYTES = /^[\u0001-\u00ff]*$/;

/** What node:fs takes. Errors: throws for what is no raw path, since as bytes it would become another one. */
export function systemPath(raw: RawPath): string | Buffer {
  if (ASCII.test(raw)) return raw;
  if (!isRawPath(raw)) throw new TypeError(`${JSON.stringify(raw)} is no path of bytes.`);
  return Buffer.from(raw, 'latin1');
}

/** As text; bytes that are no UTF-8 show as U+FFFD. */
export function shownPath(raw: RawPath): string {
  return ASCII.test(raw) ? raw : Buffer.from(raw, 'latin1').toString('utf8');
}

export function parentOf(raw: RawPath): RawPath {
  const end = raw.lastIndexOf('/');
  return end <= 0 ? '/' : raw.slice(0, end);
}

export function nameOf(raw: RawPath): string {
  return raw.slice(raw.lastIndexOf('/') + 1);
}

export function joinRaw(folder: RawPath, name: string): RawPath {
  return folder === '/' ? `/${name}` : `${folder}/${name}`;
}
