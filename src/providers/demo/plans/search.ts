import type { Answer, Plan } from '../plan.ts';
import { filesOf, type MatchList, parseMatchList } from '../reading/match-list.ts';
import { refusalKindOf } from '../reading/refusal.ts';
import { bulleted, fenced, paragraphs, readCall, type Scene, say, shown } from '../scene.ts';
import { numberedLines, parseFileView } from '../reading/file-view.ts';
import type { Call } from '../toolbox.ts';
import { escaped } from '../understanding/search-term.ts';
import type { DefinitionTask, SearchTask } from '../understanding/task.ts';
import { placeWords } from './find.ts';
import { failure, makeCall, mustCall } from './steps.ts';

const MOST_SHOWN = 20;
const LINES_AROUND = 30;

/** Searches file contents and shows the lines that were found. */
export function* planSearch(scene: Scene, task: SearchTask): Plan {
  for (const attempt of attemptsFor(task)) {
    const answer = yield* grep(scene, task, attempt);
    const found = parseMatchList(answer.text);
    if (found.matches.length > 0) return foundWords(scene, task, { found, attempt });
  }
  const place = placeWords(scene, task.file?.label ?? task.scope.folder);
  return say(scene, 'noMatch', { pattern: labelOf(task), place });
}

/** Shows the lines around the definition of a name. */
export function* planDefinition(scene: Scene, task: DefinitionTask): Plan {
  const call: Call = { tool: 'Grep', input: { pattern: definitionOf(task.name) } };
  const answer = yield* mustCall(scene, say(scene, 'lookingForDefinition', { name: task.name }), call);
  const [match] = parseMatchList(answer.text).matches;
  if (match === undefined) {
    const scope = { folder: null, glob: null };
    return yield* planSearch(scene, {
      intent: 'search',
      pattern: escaped(task.name),
      isRegex: false,
      ignoresCase: false,
      purpose: 'used',
      file: null,
      scope,
    });
  }
  const from = Math.max(1, match.line - 5);
  const read = yield* mustCall(
    scene,
    say(scene, 'reading', { path: shown(scene, match.path) }),
    readCall(match.path, { offset: from, limit: LINES_AROUND }),
  );
  const view = parseFileView(read.text);
  return paragraphs(
    say(scene, 'definedAt', { name: task.name, path: shown(scene, match.path), line: match.line }),
    fenced(numberedLines(view, from, from + LINES_AROUND - 1)),
    say(scene, 'cannotExplain'),
  );
}

interface Attempt {
  readonly pattern: string;
  readonly ignoresCase: boolean;
  readonly note: 'byName' | 'anyCase' | null;
}

// From the strict to the loose: a definition, the name itself, any case, and at last the words of a phrase.
function attemptsFor(task: SearchTask): readonly Attempt[] {
  const plain = { pattern: task.pattern, ignoresCase: task.ignoresCase, note: null };
  if (task.isRegex) return [plain];
  const word = /^\w+$/.test(task.pattern) ? `\\b${task.pattern}\\b` : task.pattern;
  const anyCase: Attempt = { pattern: task.pattern, ignoresCase: true, note: 'anyCase' };
  const words = task.pattern.split(/\s+/);
  const loose =
    words.length > 1 && words.length < 5 ? [{ pattern: words.join('.*'), ignoresCase: true, note: 'anyCase' as const }] : [];
  if (task.purpose === 'defined')
    return [{ ...plain, pattern: definitionOf(task.pattern) }, { pattern: word, ignoresCase: false, note: 'byName' }, anyCase];
  if (task.purpose === 'used') return [{ ...plain, pattern: word }, anyCase, ...loose];
  return [plain, anyCase, ...loose];
}

function definitionOf(name: string): string {
  return String.raw`\b(?:function\*?|class|const|let|var|type|interface|enum|def|fn|func|struct|trait|module|impl|static|sub|#define)\s+${name}\b`;
}

// A folder that does not exist is no reason to find nothing: the whole project is searched, and the answer says so by its paths.
function* grep(scene: Scene, task: SearchTask, attempt: Attempt): Plan<Answer> {
  const path = task.file?.path ?? task.scope.folder;
  const glob = task.file?.patterns[0] ?? task.scope.glob;
  const rest = { ...(glob === null ? {} : { glob }), ...(attempt.ignoresCase ? { ignore_case: true } : {}) };
  const words = say(scene, 'searching', { pattern: labelOf(task) });
  const answer = yield* makeCall(scene, words, {
    tool: 'Grep',
    input: { pattern: attempt.pattern, ...(path === null ? {} : { path }), ...rest },
  });
  if (!answer.isError) return answer;
  if (path === null || refusalKindOf(answer.text) !== 'not_found') throw failure(scene, answer);
  const name = task.file === null ? {} : { glob: `**/${path.split('/').at(-1) ?? path}` };
  return yield* mustCall(scene, '', { tool: 'Grep', input: { pattern: attempt.pattern, ...rest, ...name } });
}

function foundWords(
  scene: Scene,
  task: SearchTask,
  { found, attempt }: { readonly found: MatchList; readonly attempt: Attempt },
): string {
  const matches = found.matches.map((match) => ({ ...match, path: fromRoot(task, match.path) }));
  const files = filesOf(matches);
  const values = {
    n: found.total,
    files: files.length,
    pattern: labelOf(task),
    place: placeWords(scene, task.file?.label ?? task.scope.folder),
  };
  const rows =
    task.purpose === 'files'
      ? files.map((file) => say(scene, 'fileWithMatches', { file, n: matches.filter((match) => match.path === file).length }))
      : matches.map((match) => `\`${match.path}:${match.line}\` ${codeSpan(match.text)}`);
  return paragraphs(
    attempt.note === null ? null : say(scene, attempt.note, values),
    say(
      scene,
      found.isPartial
        ? 'matchesFoundPartly'
        : task.purpose === 'defined' && attempt.note === null
          ? 'definitionsFound'
          : 'matchesFound',
      values,
    ),
    bulleted(scene, rows, MOST_SHOWN),
  );
}

// A search answers with paths from where it looked; people read them from the project root.
function fromRoot(task: SearchTask, path: string): string {
  if (task.file?.path != null && task.file.path.split('/').at(-1) === path) return task.file.path;
  return task.scope.folder === null || task.file !== null ? path : `${task.scope.folder}/${path}`;
}

function codeSpan(text: string): string {
  const code = text.trim().slice(0, 160);
  return code === '' ? '' : code.includes('`') ? `\`\` ${code} \`\`` : `\`${code}\``;
}

function labelOf(task: SearchTask): string {
  return task.isRegex ? task.pattern : task.pattern.replaceAll(/\\(\W)/g, '$1');
}
