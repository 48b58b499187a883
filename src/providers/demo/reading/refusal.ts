/** Why a call failed, as far as its words tell. */
export type RefusalKind = 'denied' | 'disabled' | 'relative_path' | 'not_found' | 'directory' | 'not_unique' | 'other';

/** Reads the kind of a failure from the words of an `isError` answer. */
export function refusalKindOf(text: string): RefusalKind {
  return KINDS.find(([, words]) => words.test(text))?.[0] ?? 'other';
}

/** The first line of a failure, for quoting. */
export function firstLineOf(text: string): string {
  // What a command printed is not the reason; the reason stands behind it.
  const reason = text.replace(/^<output>[\s\S]*<\/output>/, '').replace(/<exit_code>.*?<\/exit_code>/, '');
  return (reason.split('\n').find((row) => row.trim() !== '') ?? text.split('\n')[0] ?? '').trim();
}

/** The absolute path that a refusal of a relative path names as the one that was probably meant, or null. */
export function meantPathIn(text: string): string | null {
  const quoted = /[`"'“](\/[^`"'”\n]+)[`"'”]/.exec(text)?.[1];
  return quoted ?? /(?:^|\s)(\/[^\s,;]+?)(?=[.?!]?(?:\s|$))/.exec(text)?.[1] ?? null;
}

/** The near names that a not-found error offers: path-like words of it whose base name resembles the one asked for. */
export function nearPathsIn(text: string, asked: string): readonly string[] {
  const wanted = baseName(asked).toLowerCase();
  const words = [...text.matchAll(/[\w@./\\-]*\w/g)].map((found) => found[0]);
  const near = words.filter((word) => word !== asked && /[./]/.test(word) && resembles(baseName(word).toLowerCase(), wanted));
  return [...new Set(near)].filter((word) => !asked.endsWith(word) && !word.endsWith(asked));
}

/** The last part of a path. */
export function baseName(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== '') ?? path;
}

const KINDS: readonly (readonly [RefusalKind, RegExp])[] = [
  // What the operating system forbids is none of the policy's business, though it says so in the same words.
  ['other', /^(?:permission denied|not permitted): \/|\b(?:EACCES|EPERM)\b/i],
  ['not_found', /\b(?:not found|there is no file|no file (?:named|at)|no such file|does not exist|doesn't exist|ENOENT)\b/i],
  ['relative_path', /\b(?:not absolute|must be absolute|relative path|is relative|absolute path)\b/i],
  ['directory', /\b(?:is a (?:directory|folder)|EISDIR)\b|\bnot a file\b/i],
  ['not_unique', /\boccurs \d+ times\b|\bnot unique\b|\bmatches \d+ places\b/i],
  ['disabled', /\b(?:is|are) (?:disabled|switched off|turned off|not enabled)\b/i],
  [
    'denied',
    /\b(?:denied|denies|declined|refused|rejected|not allowed|not permitted|forbidden|plan mode|needs? (?:a )?permission|did not allow|not approved|says so)\b|needs approval/i,
  ],
];

function resembles(name: string, wanted: string): boolean {
  if (name === '' || wanted === '') return false;
  return name === wanted || stem(name) === stem(wanted) || (stem(wanted).length > 2 && name.includes(stem(wanted)));
}

function stem(name: string): string {
  return name.replace(/\.[^.]*$/, '');
}
