import { join } from 'node:path';
import type { DecisionPart } from '../../core/permission.ts';
import type { ShellPart } from '../../shell/report.ts';
import { type DeepRead, deepPlace, foundBelow, type Place, type Reader } from '../deep-reads.ts';
import type { Gate } from '../gate.ts';
import { gitContent, goesIntoInner, idsIn } from './git-content.ts';
import { secretOf } from '../judge-files.ts';
import type { RepositorySeen } from './repository-looks.ts';

/** What git looks at: in a repository it shows the content of what that tracks; elsewhere it reads folders like any other program. */
export async function gitPlace(gate: Gate, part: Reader, read: DeepRead): Promise<Place> {
  const { path, considered } = read;
  if (gate.options.mode === 'bypassPermissions' || part.gitFolder === null) return { considered, granted: [] };
  const [look, own] = await Promise.all([gate.repositories.at(path), gate.repositories.at(part.gitFolder)]);
  if ('refusal' in own && own.refusal === 'no_repository' && !worksAnywhere(part)) return { considered, granted: [] };
  const isOfRepository = 'tracked' in look && 'tracked' in own && look.root === own.root;
  if (!isOfRepository || !readsTrackedOnly(part)) return deepPlace(gate, part, read);
  // What cannot be looked at is asked about for that, with the part.
  const shown = await shownBy(gate, part, look);
  const found = [...namedIn(part, path), ...(typeof shown === 'string' ? [] : shown)].filter(
    (file) => secretOf(gate, file) !== null,
  );
  const [first] = found;
  if (first === undefined) return { considered, granted: [], ...(typeof shown === 'string' ? { unknown: shown } : {}) };
  return {
    considered: [...considered, { part: await foundBelow(gate, part, { path, found: first }), rules: [] }],
    granted: found,
  };
}

const UNKNOWN_PAST = 'the past of the repository is too long to tell whether it holds secrets';
const UNNAMED = 'it may show objects that no commit names, and so nothing tells whether they are secrets';
const WITHIN = 'it goes into repositories within this one, which are not looked through for secrets';

/** Without a repository these read what they are given; the rest of git does nothing there. */
function worksAnywhere({ words, plainWords = words }: ShellPart): boolean {
  return plainWords[1] === null || plainWords[1] === 'diff' || plainWords[1] === 'grep';
}

/** The files whose content it may show; where that is not known, why. */
async function shownBy(gate: Gate, part: ShellPart, look: RepositorySeen): Promise<readonly string[] | string> {
  const content = gitContent(part);
  if (content === 'names') return [];
  if (look.inner.length > 0 && goesIntoInner(part)) return WITHIN;
  if (content === 'objects') return UNNAMED;
  const past = content === 'history' ? await gate.repositories.past(look.root) : [];
  if (content === 'history' && !(await gate.repositories.areCommits(look.root, idsIn(part)))) return UNNAMED;
  return past === null ? UNKNOWN_PAST : [...(look.tracked ?? []), ...past];
}

/** `git config --list` and `git remote -v` show addresses with what is in them. */
export async function configPlace(gate: Gate, { words, plainWords = words, gitFolder }: ShellPart): Promise<Place | null> {
  const isShown = plainWords.some((word) => word === null || word === 'config' || word === 'remote' || word === 'var');
  if (gitFolder === null || !isShown || gate.options.mode === 'bypassPermissions') return null;
  const look = await gate.repositories.at(gitFolder);
  if (!('holdsToken' in look) || !look.holdsToken) return null;
  const because = 'the configuration of git there holds a token';
  const part: DecisionPart = { text: `read the configuration of ${gitFolder}`, decision: 'ask', cause: 'secret', because };
  return { considered: [{ part, rules: [] }], granted: [] };
}

/** `git grep --no-index` and its like read what is not tracked; git takes any beginning of an option for it. What else git shows is tracked. */
function readsTrackedOnly({ gitFolder, words }: ShellPart): boolean {
  if (gitFolder === null || !words.includes('grep')) return gitFolder !== null;
  return words.every((word) => word !== null && !/^--(?:no-[ie]|u)/.test(word));
}

/** What may be meant by words such as `HEAD:.env` or `-L1,9:.env`: a file that was tracked once. */
function namedIn({ words }: ShellPart, folder: string): string[] {
  const naming = words.filter((word): word is string => word !== null && (word.includes(':') || !word.startsWith('-')));
  return naming.map((word) => join(folder, word.slice(word.lastIndexOf(':') + 1)));
}
