import { STEADY_RULES } from './steady-rules.ts';

/** A folder that stands elsewhere on another machine, and the name that stands for it. */
export interface Place {
  readonly name: string;
  /** Absolute, without a slash at its end. */
  readonly path: string;
}

/** The folder of a session, the person's home, and the system's folder for temporary files, the most exact first. */
export function placesOf(paths: { readonly cwd: string; readonly home: string; readonly temp: string }): readonly Place[] {
  const places = [
    { name: 'folder', path: paths.cwd },
    { name: 'home', path: paths.home },
    { name: 'temp', path: paths.temp.replace(/(?<=.)\/+$/, '') },
  ];
  return places.filter(({ path }) => path.length > 1);
}

/** A text with names in place of the places. */
export function withoutPlaces(text: string, places: readonly Place[]): string {
  return places.reduce((named, { name, path }) => replacePath(named, path, `{${name}}`), text);
}

/** A text that names places where they are now, by what stood for them then. */
export function movePlaces(text: string, then: readonly Place[], now: readonly Place[]): string {
  const moves = then.flatMap(({ name, path }) => {
    const to = now.find((place) => place.name === name)?.path;
    return to === undefined || to === path ? [] : [{ from: path, to }];
  });
  // In one pass over marks: a place may lie in another one's new path.
  const marked = moves.reduce((all, { from }, i) => replacePath(all, from, `\u0000${i}\u0000`), text);
  return moves.reduce((all, { to }, i) => all.replaceAll(`\u0000${i}\u0000`, to), marked);
}

/** A text that is the same in each run, and the names of the rules that changed something. */
export function steadyText(text: string): { readonly text: string; readonly rules: readonly string[] } {
  let steady = text;
  const rules: string[] = [];
  for (const { name, pattern, put } of STEADY_RULES) {
    const next = steady.replaceAll(pattern, put);
    if (next !== steady) rules.push(name);
    steady = next;
  }
  return { text: steady, rules };
}

/** A path and what is below it, wherever it stands in a text; a longer name that only begins like it is left alone. */
export function replacePath(text: string, from: string, to: string): string {
  if (from === to || !text.includes(from)) return text;
  return text.split(from).reduce((joined, rest) => joined + (isWhole(joined, rest) ? to : from) + rest);
}

/** Every text of a JSON value put through a function, keys left as they are. */
export function mapTexts<T>(value: T, change: (text: string) => string): T {
  // Of the same shape: texts become texts and nothing else is changed.
  return mapped(value, change) as T;
}

function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapped(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapped(item, change)]));
}

function isWhole(before: string, after: string): boolean {
  return !/[\w.-]$/.test(before) && !/^(?:[\w-]|\.\w)/.test(after);
}
