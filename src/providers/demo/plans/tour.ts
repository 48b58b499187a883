import { type Plan, PlanStop } from '../plan.ts';
import { parseFileView } from '../reading/file-view.ts';
import { type Match, type MatchList, parseMatchList } from '../reading/match-list.ts';
import { paragraphs, readCall, type Scene, say, shown } from '../scene.ts';
import { editCall } from './edit-call.ts';
import { runCommand, testWords } from './run.ts';
import { mustCall } from './steps.ts';

const PATTERN = 'discount';
const WRONG = '(cents * discountPercent) / 10;';
const RIGHT = '(cents * discountPercent) / 100;';
const TEST_COMMAND = 'node --test';

/** The tour: finds the planted bug of the sample project, mends it and runs the tests, with a word before each step. */
export function* planTour(scene: Scene): Plan {
  const search = yield* mustCall(scene, say(scene, 'tourSearch', { pattern: PATTERN }), {
    tool: 'Grep',
    input: { pattern: PATTERN },
  });
  const found = parseMatchList(search.text);
  const path = sourceOf(found);
  if (path === null) throw new PlanStop(say(scene, 'tourNoSample', { pattern: PATTERN }));

  const read = yield* mustCall(
    scene,
    say(scene, 'tourRead', { path: shown(scene, path), n: found.matches.length }),
    readCall(path),
  );
  const { lines } = parseFileView(read.text);
  const line = lines.findIndex((text) => text.includes(WRONG)) + 1;
  if (line === 0)
    throw new PlanStop(
      say(scene, lines.some((text) => text.includes(RIGHT)) ? 'tourFixedAlready' : 'tourOtherFile', { path: shown(scene, path) }),
    );

  const edit = { oldText: WRONG, newText: RIGHT };
  yield* mustCall(
    scene,
    say(scene, 'tourEdit', { path: shown(scene, path), line, wrong: WRONG, right: RIGHT }),
    editCall(path, edit, false),
  );
  const result = yield* runTests(scene, path);
  return paragraphs(
    say(scene, 'tourDone', { path: shown(scene, path), line, wrong: WRONG, right: RIGHT }),
    testWords(scene, TEST_COMMAND, result),
    say(scene, 'tourNext'),
  );
}

// What was changed stays true where the tests could not run, so it is told with the reason.
function* runTests(scene: Scene, path: string): ReturnType<typeof runCommand> {
  try {
    return yield* runCommand(scene, TEST_COMMAND, { words: say(scene, 'tourTest', { command: TEST_COMMAND }) });
  } catch (thrown) {
    if (thrown instanceof PlanStop)
      throw new PlanStop(paragraphs(say(scene, 'tourUntested', { path: shown(scene, path) }), thrown.message));
    throw thrown;
  }
}

// The sources of a hit: neither a test nor a text about the code. The line that computes is the best hint.
function sourceOf({ matches, root }: MatchList): string | null {
  const isSource = (match: Match): boolean => /\.[mc]?[jt]s$/.test(match.path) && !/(?:^|\/)tests?\/|\.test\./.test(match.path);
  const sources = matches.filter(isSource);
  const match = sources.find((candidate) => candidate.text.includes('/ 10')) ?? sources[0];
  if (match === undefined) return null;
  return root === null || match.path.startsWith('/') ? match.path : `${root.replace(/\/$/, '')}/${match.path}`;
}
