import { isJsonObject } from '../../core/json-value.ts';
import { maskSecrets } from '../../host/http/secrets.ts';

// The same word that stands for a key in errors: host/http/secrets.ts.
const MASK = '[key]';
const WORD = '[A-Za-z0-9_-]';

/** What keys of providers and hosts look like. Each shape has a beginning that nothing else has, or a name that says what it is. */
const SHAPES: readonly RegExp[] = [
  new RegExp(`\\b(?:sk|rk|pk)[-_](?:ant-|proj-|or-|live_|test_|svcacct-|admin-)?${WORD}{16,}`, 'g'),
  new RegExp(`\\bAIza${WORD}{30,}`, 'g'),
  /\b(?:gsk_|xai-|pplx-|nvapi-|csk-|tgp_v1_|fw_|r8_|hf_|dop_v1_|npm_)[A-Za-z0-9_-]{20,}/g,
  /\b(?:gh[oprsu]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,}|glpat-[A-Za-z0-9_-]{18,})/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g,
  /-----BEGIN (?:[A-Z]{1,12} ){0,3}PRIVATE KEY-----[\s\S]*?(?:-----END (?:[A-Z]{1,12} ){0,3}PRIVATE KEY-----|$)/g,
];
/** A name in capitals that says it holds a key, or the scheme of a header; what stands before the key stays. */
const NAMED: readonly RegExp[] = [
  /\b([A-Z0-9_]{0,40}(?:API_?KEY|TOKEN|SECRET|PASSWORD|ACCESS_KEY|PRIVATE_KEY)["']?\s?[=:]\s?["']?)[A-Za-z0-9_\-./+=]{12,}/g,
  /\b(Bearer\s)[A-Za-z0-9_\-./+=]{16,}/gi,
];

/** A text without what looks like a key, and without the keys that are known. */
export function maskKeys(text: string, known: readonly string[] = []): string {
  const plain = SHAPES.reduce((masked, shape) => masked.replaceAll(shape, MASK), maskSecrets(text, known));
  return NAMED.reduce((masked, shape) => masked.replaceAll(shape, `$1${MASK}`), plain);
}

/** More than any call may nest; what goes deeper was not written here, and would end the stack of whoever reads it. */
const MAX_DEPTH = 500;

/** A value of a session file with all of its texts masked, names of fields too. Pictures stay as they are. */
export function maskValue(value: unknown, known: readonly string[], depth = 0): unknown {
  if (depth > MAX_DEPTH) return '[too deep]';
  if (typeof value === 'string') return maskKeys(value, known);
  if (isLines(value)) return maskLines(value, known);
  if (Array.isArray(value)) return value.map((item) => maskValue(item, known, depth + 1));
  if (!isJsonObject(value)) return value;
  const isImage = value['type'] === 'image';
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      maskKeys(name, known),
      isImage && name === 'data' ? item : maskValue(item, known, depth + 1),
    ]),
  );
}

function isLines(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 1 && value.every((item) => typeof item === 'string');
}

/** A private key goes over several lines, each of which may begin with the sign of a diff. As many lines as before come back. */
function maskLines(lines: readonly string[], known: readonly string[]): readonly string[] {
  let isInKey = false;
  return lines.map((line) => {
    const starts = KEY_START.test(line);
    const isOfKey = isInKey || starts;
    isInKey = isOfKey && !KEY_END.test(line);
    if (!isOfKey) return maskKeys(line, known);
    return starts ? maskKeys(line, known) : `${/^[ +-]/.exec(line)?.[0] ?? ''}${MASK}`;
  });
}
const KEY_START = /-----BEGIN (?:[A-Z]{1,12} ){0,3}PRIVATE KEY-----/;
const KEY_END = /-----END (?:[A-Z]{1,12} ){0,3}PRIVATE KEY-----/;
