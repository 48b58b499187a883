import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type EvaluationRequest, prepareEvaluation } from '../../src/app/evaluation/evaluate-tools.ts';
import { shippedTasks } from '../../src/app/evaluation/evaluation-files.ts';
import type { EvaluationReport, WordingScore } from '../../src/evaluation/report.ts';
import { NO_CALL, ownTool } from '../../src/evaluation/task.ts';
import { type ChatServer, startChatServer } from '../loopback/chat-server.ts';
import { createScratch, type Scratch } from '../e2e/run-wield.ts';
import { choiceOf, type Skill, startSkilledServer } from './skilled-server.ts';

let scratch: Scratch;
let server: ChatServer | null = null;
beforeEach(() => {
  scratch = createScratch();
});
afterEach(async () => {
  await server?.close();
  server = null;
  scratch.remove();
});

const tasks = await shippedTasks();

async function evaluate(
  skillFor: Parameters<typeof startSkilledServer>[1],
  more: Partial<EvaluationRequest> = {},
): Promise<EvaluationReport> {
  server = await startSkilledServer(tasks, skillFor);
  return ask(server, more);
}

async function ask(server: ChatServer, more: Partial<EvaluationRequest>): Promise<EvaluationReport> {
  const settings = { providers: { loop: { baseUrl: server.baseUrl, format: 'openai-chat', models: { model: {} } } } };
  const path = join(scratch.home, '.config/wield/settings.json');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(settings));
  const evaluation = await prepareEvaluation({
    cwd: scratch.root,
    environment: { HOME: scratch.home, PATH: process.env['PATH'] },
    model: 'loop/model',
    taskFiles: [],
    ownTasksOnly: false,
    modules: [],
    wordingFiles: [],
    only: [],
    languages: [],
    limit: null,
    rounds: 1,
    parallel: 4,
    seed: 1,
    ...more,
  });
  return evaluation.run(new AbortController().signal, () => undefined);
}

/** What a report of these choices has to say, counted by hand. */
function expectedCounts(skill: Skill): Readonly<Record<string, Readonly<Record<string, number>>>> {
  const counts: Record<string, Record<string, number>> = {};
  for (const [place, task] of tasks.entries()) {
    const chosen = choiceOf(task, place, skill) ?? NO_CALL;
    const row = task.expect.some(({ tool }) => tool === chosen) ? chosen : ownTool(task);
    counts[row] ??= {};
    counts[row][chosen] = (counts[row][chosen] ?? 0) + 1;
  }
  return counts;
}

function countsOf({ confusion: { rows, columns, counts } }: WordingScore): ReturnType<typeof expectedCounts> {
  return Object.fromEntries(
    rows.map((row, i) => [
      row,
      Object.fromEntries(columns.flatMap((column, j) => ((counts[i]?.[j] ?? 0) === 0 ? [] : [[column, counts[i]?.[j] ?? 0]]))),
    ]),
  );
}

function only(report: EvaluationReport): WordingScore {
  const [score] = report.wordings;
  if (score === undefined) throw new Error('there is one wording');
  return score;
}

describe('the tasks that ship', () => {
  test('are at least 120, as many in Chinese as in English, with several for each tool and none twice', () => {
    const count = (language: string): number => tasks.filter((task) => task.language === language).length;
    expect([tasks.length >= 120, count('en'), count('zh')]).toEqual([true, tasks.length / 2, tasks.length / 2]);
    const byTool = Map.groupBy(tasks, ownTool);
    expect([...byTool.keys()].toSorted()).toEqual(
      [
        NO_CALL,
        'Bash',
        'BashKill',
        'BashOutput',
        'CreateTodos',
        'EditFile',
        'GitDiff',
        'GitStatus',
        'Glob',
        'Grep',
        'ReadFile',
        'Task',
        'UpdateTodo',
        'WebFetch',
        'WriteFile',
      ].toSorted(),
    );
    expect(Math.min(...[...byTool.values()].map((row) => row.length))).toBeGreaterThanOrEqual(8);
    expect(new Set(tasks.map(({ prompt }) => prompt)).size).toBe(tasks.length);
  });
});

describe('an evaluation', () => {
  test('shows the skill that was built into the model', async () => {
    const skill: Skill = { rightTool: 0.8, seed: 11 };
    const report = await evaluate(() => skill);
    const score = only(report);
    expect(countsOf(score)).toEqual(expectedCounts(skill));
    const right = tasks.filter((task, place) => (choiceOf(task, place, skill) ?? NO_CALL) === ownTool(task)).length;
    expect(score.rightTool).toMatchObject({ right, count: tasks.length });
    expect(score.rightTool.interval.low).toBeLessThan(0.8);
    expect(score.rightTool.interval.high).toBeGreaterThan(0.8);
    expect(score.byTool.map(({ tool }) => tool)).toHaveLength(15);
    expect([report.usage.inputTokens, report.notices, server?.faults]).toEqual([tasks.length * 10, [], []]);
  });

  test('shows that two tools are taken for each other, and no others', async () => {
    const skill: Skill = { rightTool: 1, confusion: { tools: ['Glob', 'Grep'], rate: 0.4 }, seed: 5 };
    const { confusion, mistakes } = only(await evaluate(() => skill));
    const counts = countsOf({ confusion } as WordingScore);
    expect(counts).toEqual(expectedCounts(skill));
    const mixed = (counts['Glob']?.['Grep'] ?? 0) + (counts['Grep']?.['Glob'] ?? 0);
    // 40 % of 26.
    expect([
      mixed >= 5,
      mixed <= 16,
      mistakes.filter(({ chosen, expected }) => chosen !== expected && !['Glob', 'Grep'].includes(chosen)).length,
    ]).toEqual([true, true, 0]);
  });

  test('tells right arguments from wrong ones', async () => {
    const report = await evaluate(() => ({ rightTool: 1, seed: 1 }), { only: ['BashKill', 'UpdateTodo'] });
    const byTool = Object.fromEntries(
      only(report).byTool.map(({ tool, rightArguments }) => [tool, [rightArguments.right, rightArguments.count]]),
    );
    // The server gives an id that is none where the task expects a pattern.
    expect(byTool).toEqual({ BashKill: [8, 8], UpdateTodo: [0, 8] });
  });
});

describe('a comparison', () => {
  const better = { name: 'clearer', tools: { Grep: 'Finds text in files. CLEARER' } };

  function writeWording(): readonly string[] {
    writeFileSync(scratch.path('clearer.json'), JSON.stringify(better));
    return ['clearer.json'];
  }

  function isClearer(request: { readonly body: unknown }): boolean {
    return JSON.stringify(request.body).includes('CLEARER');
  }

  test('finds the better wording, by how much, and says how sure that is', async () => {
    const [low, high] = [
      { rightTool: 0.6, seed: 3 },
      { rightTool: 0.9, seed: 3 },
    ] as const;
    const report = await evaluate((request) => (isClearer(request) ? high : low), {
      wordingFiles: writeWording(),
      languages: ['en'],
    });
    const [measure] = report.comparison?.measures ?? [];
    const english = tasks.filter(({ language }) => language === 'en');
    const differs = english.filter((task, place) => choiceOf(task, place, low) !== choiceOf(task, place, high)).length;
    expect(measure).toMatchObject({
      measure: 'right tool',
      difference: differs / english.length,
      onlyFirst: 0,
      onlySecond: differs,
      test: 'exact McNemar test',
    });
    expect(measure?.chance).toBeLessThan(0.001);
    expect(measure?.interval.low).toBeGreaterThan(0.1);
    expect(measure?.interval.high).toBeLessThan(0.5);
    expect([report.comparison?.first, report.comparison?.second, report.comparison?.pairs]).toEqual([
      'present',
      'clearer',
      english.length,
    ]);
  });

  test('claims nothing where two wordings do equally well, also where each task is asked twice', async () => {
    const [one, two] = [
      { rightTool: 0.8, seed: 21 },
      { rightTool: 0.8, seed: 22 },
    ] as const;
    const report = await evaluate((request) => (isClearer(request) ? one : two), {
      wordingFiles: writeWording(),
      rounds: 2,
      limit: 50,
    });
    const [measure] = report.comparison?.measures ?? [];
    expect([measure?.test, report.comparison?.pairs]).toEqual(['paired sign-flip test over tasks', 100]);
    expect(measure?.chance).toBeGreaterThan(0.05);
    expect(report.comparison?.byTool.every(({ chance }) => chance > 0.05)).toBe(true);
  });
});

describe('a model that does not answer', () => {
  const one: Partial<EvaluationRequest> = { only: ['ReadFile'], languages: ['en'], limit: 2, parallel: 1 };

  test('counts neither as right nor as wrong, and its words are told', async () => {
    const call = { name: 'ReadFile', input: { path: '/home/ada/shop/package.json' } };
    server = await startChatServer([{ calls: [call] }, { status: 400, error: { message: 'no such luck' } }]);
    const report = await ask(server, one);
    expect([only(report).unanswered, only(report).rightTool.count]).toEqual([1, 1]);
    expect(report.notices).toEqual([expect.stringContaining('no such luck')]);
  });

  test('ends an evaluation at once where nothing was answered yet', async () => {
    server = await startChatServer([{ status: 401, error: { message: 'a bad key' } }]);
    await expect(ask(server, one)).rejects.toMatchObject({ code: 'model_key_rejected' });
    expect(server.requests.length).toBe(1);
  });
});
