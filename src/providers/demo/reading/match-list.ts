/** A line that Grep found. `path` is relative to `root` of the list. */
export interface Match {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** What a Grep answer shows. `total` counts what was left out as well, as far as the answer tells; `root` is null where it is not named. */
export interface MatchList {
  readonly matches: readonly Match[];
  readonly total: number;
  readonly isPartial: boolean;
  readonly root: string | null;
}

/** Reads a Grep answer in content mode: `PATH:LINE: text` between a header and notes. */
export function parseMatchList(text: string): MatchList {
  const rows = text.split('\n');
  const header = rows.find((row) => /\bmatch(?:es)?\b/i.test(row) && !MATCH.test(row)) ?? '';
  const matches = rows.flatMap(matchOf);
  const counts = [...(header.split(/\b(?:in|under)\b/)[0] ?? '').matchAll(/\d[\d,]*/g)].map((found) =>
    Number(found[0].replaceAll(',', '')),
  );
  const isNone = /\bno match/i.test(header);
  const total = isNone ? 0 : Math.max(matches.length, ...counts);
  return {
    matches,
    total,
    isPartial: total > matches.length || /\b(?:partial|more match|limit)/i.test(text),
    root: rootIn(header),
  };
}

/** The files of the matches, each once, in order. */
export function filesOf(matches: readonly Match[]): readonly string[] {
  return [...new Set(matches.map((match) => match.path))];
}

const MATCH = /^(\S.*?):(\d+):(?: (.*)|(.*))$/;

function matchOf(row: string): readonly Match[] {
  const found = MATCH.exec(row);
  if (found === null) return [];
  return [{ path: (found[1] ?? '').replace(/^\.\//, ''), line: Number(found[2]), text: found[3] ?? found[4] ?? '' }];
}

function rootIn(header: string): string | null {
  return /\b(?:under|in|below)\s+((?:\/|[A-Za-z]:[\\/]).*?):?\s*$/.exec(header)?.[1] ?? null;
}
