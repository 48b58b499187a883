import { type Answer, type Plan, PlanStop } from '../plan.ts';
import { type CommandResult, failureLines, parseCommandResult, parseTestCounts } from '../reading/command-result.ts';
import { parseFileList } from '../reading/file-list.ts';
import { fenced, globCall, hasTool, joined, listed, paragraphs, readCall, type Scene, say } from '../scene.ts';
import type { GitTask, RunTask, ScriptTask, TestTask } from '../understanding/task.ts';
import { packageObject, scriptsOf } from './manifest.ts';
import { failure, makeCall, makeCalls, mustCall, requireTool } from './steps.ts';
import testRunners from './test-runners.json' with { type: 'json' };

const TEST_DEADLINE_MS = 300_000;
const MOST_LINES = 15;
const MOST_DIFF_LINES = 80;

/** Runs a command exactly as it was given, and reports its exit code and last lines. */
export function* planRun(scene: Scene, task: RunTask): Plan {
  const result = yield* runCommand(scene, task.command);
  return resultWords(scene, task.command, result);
}

/** Runs the project's tests by the command that its own files name. */
export function* planTest(scene: Scene, task: TestTask): Plan {
  const { command, hasManifest } = yield* testCommand(scene, task.path);
  if (command === null) return say(scene, hasManifest ? 'noTestCommand' : 'noTestSetup');
  const result = yield* runCommand(scene, command, { timeoutMs: TEST_DEADLINE_MS });
  return testWords(scene, command, result);
}

/** Runs the first of some scripts that package.json has. */
export function* planScript(scene: Scene, task: ScriptTask): Plan {
  requireTool(scene, 'Bash');
  const answer = yield* makeCall(scene, say(scene, 'readingManifest'), readCall('package.json'));
  const scripts = scriptsOf(packageObject(answer));
  const name = task.names.find((candidate) => scripts.has(candidate));
  if (name === undefined)
    return say(scene, scripts.size === 0 ? 'noScripts' : 'noSuchScript', {
      name: task.names[0] ?? '',
      names: listed(scene, [...scripts.keys()], 20),
    });
  return yield* planRun(scene, { intent: 'run', command: name === 'start' ? 'npm start' : `npm run ${name}` });
}

/** Tells the state, the changes or the history of the repository. */
export function* planGit(scene: Scene, task: GitTask): Plan {
  if (task.since !== null) return yield* commitsSince(scene, task.since);
  const tool = task.of === 'status' ? 'GitStatus' : 'GitDiff';
  if (task.of === 'log' || !hasTool(scene, tool)) {
    const commands = { status: 'git status', diff: 'git diff', log: 'git log --oneline -n 10' } as const;
    return yield* planRun(scene, { intent: 'run', command: commands[task.of] });
  }
  const answer = yield* mustCall(scene, say(scene, 'askingGit'), { tool, input: {} });
  return paragraphs(
    say(scene, task.of === 'status' ? 'gitStatusIs' : 'gitDiffIs'),
    fenced(lastLines(answer.text.split('\n'), MOST_DIFF_LINES, 'first').join('\n'), task.of === 'diff' ? 'diff' : ''),
  );
}

// Newest first, so the first lines are those that are asked for.
function* commitsSince(scene: Scene, since: string): Plan {
  const command = `git log --since=${since.includes(' ') ? `"${since}"` : since} --stat`;
  const result = yield* runCommand(scene, command);
  if (result.exitCode !== 0) return resultWords(scene, command, result);
  if (result.output.length === 0) return say(scene, 'noCommitsSince', { since });
  const rows = result.output.slice(0, MOST_DIFF_LINES);
  const rest = result.output.length - rows.length;
  return paragraphs(
    say(scene, 'commitsSince', { since }),
    fenced(rows.join('\n')),
    rest > 0 ? say(scene, 'moreRows', { n: rest }) : null,
  );
}

/** Runs a command. Stops the plan where it could not run to its end, with what it printed until then. */
export function* runCommand(
  scene: Scene,
  command: string,
  { timeoutMs, words = say(scene, 'running', { command }) }: { readonly timeoutMs?: number; readonly words?: string } = {},
): Plan<CommandResult> {
  const input = timeoutMs === undefined ? { command } : { command, timeout_ms: timeoutMs };
  const answer: Answer = yield* makeCall(scene, words, { tool: 'Bash', input });
  const result = parseCommandResult(answer.text);
  if (answer.isError)
    throw new PlanStop(
      paragraphs(failure(scene, answer).message, result.output.length === 0 ? null : outputWords(scene, result)),
    );
  return result;
}

/** Whether the tests passed by the exit code, with the runner's own counts and last lines. */
export function testWords(scene: Scene, command: string, result: CommandResult): string {
  const counts = parseTestCounts(result.output);
  const verdict = result.exitCode === null ? 'testsUnclear' : result.exitCode === 0 ? 'testsPass' : 'testsFail';
  const failures = result.exitCode === 0 ? [] : failureLines(result.output).slice(0, 5);
  return paragraphs(
    say(scene, verdict, { command, code: result.exitCode ?? '' }),
    counts === null ? null : say(scene, 'testCounts', { passed: counts.passed, failed: counts.failed }),
    failures.length === 0
      ? null
      : say(scene, 'failing', {
          names: joined(
            scene,
            failures.map((row) => `\`${row}\``),
          ),
        }),
    outputWords(scene, result),
  );
}

function resultWords(scene: Scene, command: string, result: CommandResult): string {
  const verdict = result.exitCode === null ? 'ranUnclear' : result.exitCode === 0 ? 'ranWell' : 'ranBadly';
  return paragraphs(say(scene, verdict, { command, code: result.exitCode ?? '' }), outputWords(scene, result));
}

function outputWords(scene: Scene, { output }: CommandResult): string {
  if (output.length === 0) return say(scene, 'noOutput');
  const kept = lastLines(output, MOST_LINES, 'last');
  const head =
    kept.length < output.length ? say(scene, 'lastLines', { n: kept.length, total: output.length }) : say(scene, 'output');
  return paragraphs(head, fenced(kept.join('\n')));
}

function lastLines(lines: readonly string[], most: number, end: 'first' | 'last'): readonly string[] {
  return end === 'first' ? lines.slice(0, most) : lines.slice(-most);
}

function* testCommand(
  scene: Scene,
  path: string | null,
): Plan<{ readonly command: string | null; readonly hasManifest: boolean }> {
  requireTool(scene, 'Bash');
  const markers = testRunners.flatMap((runner) => runner.files);
  const [manifest, listing] = yield* makeCalls(scene, say(scene, 'lookingForTests'), [
    readCall('package.json'),
    globCall(`{${markers.join(',')}}`),
  ]);
  const script = manifest === undefined ? undefined : scriptsOf(packageObject(manifest)).get('test');
  if (script !== undefined && !script.includes('no test specified'))
    return { command: path === null ? 'npm test' : `npm test -- ${path}`, hasManifest: true };
  const files = listing === undefined || listing.isError ? [] : parseFileList(listing.text).files;
  const runner = testRunners.find((candidate) => files.some((file) => new RegExp(candidate.mark).test(file)));
  const hasManifest = manifest !== undefined && !manifest.isError;
  if (runner === undefined) return { command: null, hasManifest };
  return { command: path === null ? runner.command : `${runner.command} ${path}`, hasManifest };
}
