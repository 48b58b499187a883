import type { Redirection } from 'unbash';
import { actsBeyondRules, changesFiles, type Finding, onlyReads } from './finding.ts';
import { FILE, pathsOf } from './folders.ts';
import { partOf } from './part.ts';
import type { PathUse } from './report.ts';
import { readWord, type ShellWord } from './shell-word.ts';
import { addPart, type Spot, type Walk, walkContent, readerAt } from './walk.ts';
import { contentOfParts, contentOfWords } from './walk-words.ts';

/** Walks redirections: each that opens a file is a part of its own. */
export function walkRedirections(walk: Walk, redirections: readonly Redirection[], spot: Spot): void {
  for (const redirection of redirections) walkRedirection(walk, redirection, spot);
}

function walkRedirection(walk: Walk, redirection: Redirection, spot: Spot): void {
  const { numbers } = walk.names;
  if (redirection.descriptor?.type === 'FileDescriptorVariable') {
    addPart(walk, partOf(`{${redirection.descriptor.name}}`, [], actsBeyondRules('a redirection sets a variable')));
  }
  if (redirection.type === 'HereDoc') {
    return walkContent(walk, contentOfParts(redirection.body.parts, numbers), spot, '<<');
  }
  const { target, operator } = redirection;
  if (target === undefined) {
    addPart(walk, partOf(operator, [], actsBeyondRules('a redirection has no target')));
    return;
  }
  walkContent(walk, contentOfWords([target], numbers), spot, `${operator} ${target.text}`);
  if (redirection.type === 'HereString') return;
  const word = readWord(target, readerAt(walk, spot));
  const finding = inspectRedirect(operator, word, walk, spot);
  if (finding !== null) addPart(walk, partOf(`${operator} ${word.text}`, [], finding));
}

/** Null where no file is opened, as in `2>&1` and `> /dev/null`. */
function inspectRedirect(operator: string, word: ShellWord, walk: Walk, { folders }: Spot): Finding | null {
  if (operator.endsWith('&') && word.value !== null && /^(?:\d+-?|-)$/.test(word.value)) return null;
  if (word.start.startsWith('/dev/tcp') || word.start.startsWith('/dev/udp')) {
    return actsBeyondRules('bash connects to what /dev/tcp names', { needsNetwork: true });
  }
  if (word.kind === 'pipe') return null;
  const paths = pathsOf(word, { folders, facts: walk.facts }, FILE);
  if (operator === '<' && isAmongKnown(word, paths)) return onlyReads('the input is read from a file', paths);
  if (word.value === null) return actsBeyondRules('where a redirection leads is known only at run time', { writes: paths });
  if (paths.length === 0) return null;
  if (operator === '<') return onlyReads('the input is read from a file', paths);
  if (operator === '<&') return actsBeyondRules('a copied descriptor is not a number');
  return changesFiles('the output is written to a file', { writes: paths });
}

/** A loop goes over files that are known, or over all below a folder; but bash would connect to what lies in /dev/tcp. */
function isAmongKnown({ value, oneOf, below }: ShellWord, paths: readonly PathUse[]): boolean {
  if (value !== null || (oneOf === undefined && below === undefined) || paths.length === 0) return false;
  return paths.every(({ path }) => path !== null && path !== '/' && !/^\/dev(?:\/|$)/.test(path));
}
