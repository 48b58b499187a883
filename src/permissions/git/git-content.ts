import type { ShellPart } from '../../shell/report.ts';

/**
 * What of a repository a git command may show: names and messages only, files as they are tracked now, also as they were once, or any
 * object, those that nothing names any more too.
 */
export type GitContent = 'names' | 'files' | 'history' | 'objects';

// Beyond those that read no content at all.
const SHOW_NAMES: ReadonlySet<string> = new Set(['check-ignore', 'config', 'rev-list', 'rev-parse', 'shortlog', 'show-ref']);
const SHOW_OBJECTS: ReadonlySet<string> = new Set(
  'archive bundle cat-file diff-tree fast-export format-patch range-diff show stash whatchanged'.split(' '),
);
// Of git log these show no content; any other option may.
const NAMES_OF_LOG =
  /^-(?:\d+|n\d*|i|E|F)$|^--(?:oneline|graph|stat|shortstat|numstat|name-only|name-status|all|branches|tags|remotes|decorate|reverse|follow|no-merges|merges|first-parent|no-color|no-decorate|abbrev-commit|date-order|topo-order)$|^--(?:decorate|format|pretty|author|committer|since|until|after|before|date|abbrev|grep|max-count|skip|stat|diff-filter)=/;

/** What a part that runs git may show. What is not known to show less may show all. */
export function gitContent({ words, plainWords = words }: ShellPart): GitContent {
  const [verb, ...args] = plainWords.slice(1);
  if (verb === undefined || verb === null) return 'history';
  const options = args.filter((word) => word === null || word.startsWith('-'));
  if (SHOW_NAMES.has(verb)) return 'names';
  if (verb === 'status') return options.every((word) => word !== null && /^-[sbuz]+$|^--[a-u]/.test(word)) ? 'names' : 'files';
  if (verb === 'cat-file' && options.some((word) => word === null || word.startsWith('--b'))) return 'objects';
  if (SHOW_OBJECTS.has(verb)) return verb !== 'stash' && args.includes(null) ? 'objects' : 'history';
  if (verb === 'log' || verb === 'reflog')
    return options.every((word) => word !== null && NAMES_OF_LOG.test(word)) ? 'names' : 'history';
  const ended = args.indexOf('--');
  const operands = (ended < 0 ? args : args.slice(0, ended)).filter((word) => word === null || !word.startsWith('-'));
  // The pattern of grep is none of them.
  return operands.length > (verb === 'grep' ? 1 : 0) ? 'history' : 'files';
}

const ID = /^[0-9a-f]{4,64}(?=$|[:^~@])/;

/** The ids of objects that a part names, as such or as ends of a range. */
export function idsIn({ words }: ShellPart): readonly string[] {
  const operands = words.filter((word): word is string => word !== null && !word.startsWith('-'));
  return operands.flatMap((word) => word.split(/\.{2,3}/)).flatMap((word) => ID.exec(word)?.[0] ?? []);
}

/** `--recurse-submodules`, `--submodule=diff` and what git takes for them: they go into the repositories that stand in this one. */
export function goesIntoInner({ words }: ShellPart): boolean {
  return words.some((word) => word === null || /^--(?:rec|su)/.test(word));
}
