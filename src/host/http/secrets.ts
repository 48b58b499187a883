import { mapTexts } from '../../core/steady-text.ts';

const SECRET_NAME = /auth|key|token|secret|password|cookie|credential|signature/i;
const MIN_CHARS = 8;
const MASK = '[key]';

/** Tells whether a header carries a key, by its name. */
export function isSecretHeader(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** The keys of a request: those in headers, in the query and before the host. Shorter ones would mask words that are none. */
export function secretsOf(url: string, headers: Readonly<Record<string, string>>): string[] {
  const named = Object.entries(headers).flatMap(([name, value]) => (isSecretHeader(name) ? partsOf(value) : []));
  const found = new Set([...named, ...secretsInUrl(url)].filter((secret) => secret.length >= MIN_CHARS));
  return [...found].toSorted((a, b) => b.length - a.length);
}

/** A text without the secrets, also where its end was cut off inside one. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((masked, secret) => maskEnd(masked.replaceAll(secret, MASK), secret), text);
}

/** A value without the secrets, in names of fields and in texts, also as JSON within texts writes them. */
export function maskSecretsIn<T>(value: T, secrets: readonly string[]): T {
  const json = JSON.stringify(value);
  const written = spellings(secrets).map((secret) => JSON.stringify(secret).slice(1, -1));
  // Neither a secret nor the word for it ends a text of JSON.
  return JSON.parse(written.reduce((text, secret) => text.replaceAll(secret, MASK), json)) as T;
}

/** The same, also where a text ends inside a secret. */
export function withoutSecrets<T>(value: T, secrets: readonly string[]): T {
  return mapTexts(maskSecretsIn(value, secrets), (text) => maskSecrets(text, secrets));
}

/** Secrets as they are, and as JSON writes them, once and twice; the longest first. */
export function spellings(secrets: readonly string[]): readonly string[] {
  const escaped = (secret: string): string => JSON.stringify(secret).slice(1, -1);
  const all = secrets.flatMap((secret) => [secret, escaped(secret), escaped(escaped(secret))]);
  return [...new Set(all)].toSorted((a, b) => b.length - a.length);
}

/** The key alone is repeated more often than the scheme before it. */
function partsOf(value: string): string[] {
  return [value, ...value.split(/[\s;,]+/)].map((part) => part.trim());
}

function secretsInUrl(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { password, searchParams } = new URL(url);
  const named = [...searchParams].flatMap(([name, value]) => (isSecretHeader(name) ? [value, encodeURIComponent(value)] : []));
  return [password, decoded(password), ...named];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function maskEnd(text: string, secret: string): string {
  for (let length = secret.length - 1; length >= MIN_CHARS; length--)
    if (text.endsWith(secret.slice(0, length))) return text.slice(0, -length) + MASK;
  return text;
}
