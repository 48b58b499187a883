import { compose } from '../app/compose.ts';
import { AgentError } from '../core/errors.ts';
import { displayJson, displayLine, displayText } from '../core/display-text.ts';
import { EventLines } from '../core/event-lines.ts';
import { monotonicMs } from '../core/monotonic-time.ts';
import { renderResult } from '../headless/json-result.ts';
import { exitCodeOf, type RunSummary, SummaryCollector } from '../headless/outcome.ts';
import { renderEvent, renderStart } from '../headless/stream-json.ts';
import type { ChatFlags } from './args/flags.ts';
import { composeRequest } from './compose-request.ts';
import { assertImagesFit, givenImages } from './given-images.ts';
import { interruptible } from './interrupt.ts';
import { readStdin } from './read-stdin.ts';
import { writeOut } from './write-out.ts';

/** `wield -p`: one prompt, one answer. Resolves to the exit code. */
export async function print(given: string | null, flags: ChatFlags): Promise<number> {
  if (flags.resume === true) await (await import('./resume-choice.ts')).withChosenSession(flags, null);
  const prompt = await fullPrompt(given);
  const images = await givenImages(flags);
  const session = await compose(composeRequest(flags, { canAsk: false, firstPrompt: prompt }));
  await assertImagesFit(images, session.model);
  const startedAt = monotonicMs();
  const notices = session.model.isDemo
    ? [`demo model, not an AI (${session.model.because})`, ...session.notices]
    : session.notices;
  for (const notice of notices) process.stderr.write(`${displayText(notice)}\n`);
  const { sessionId } = session.agent;
  const input = images.length === 0 ? prompt : [{ type: 'text', text: prompt } as const, ...images];
  const isStream = flags.outputFormat === 'stream-json';
  if (isStream) {
    await writeLine(
      renderStart({
        sessionId,
        model: session.model.model,
        cwd: session.cwd,
        tools: session.toolNames,
        permissionMode: session.mode,
        sandbox: session.sandbox,
      }),
    );
  }
  const summary = new SummaryCollector();
  const lines = new EventLines();
  const { value: signalCode } = await interruptible(async (signal) => {
    for await (const event of session.agent.run(input, signal)) {
      summary.accept(event);
      for (const line of lines.accept(event)) process.stderr.write(`${line}\n`);
      if (isStream)
        for (const line of renderEvent(event, { sessionId, withPartials: flags.includePartialMessages ?? false }))
          await writeLine(line);
    }
  });
  const result = summary.summary();
  await writeAnswer(result, flags, { sessionId, durationMs: Math.round(monotonicMs() - startedAt) });
  await session.close();
  explainEnd(result);
  return signalCode ?? exitCodeOf(result);
}

async function fullPrompt(given: string | null): Promise<string> {
  const piped = await readStdin(given === '-' || given === null);
  const parts = [given === '-' ? null : given, piped].map((part) => part?.trim() ?? '').filter((part) => part !== '');
  if (parts.length === 0)
    throw new AgentError({
      code: 'misuse',
      message: 'There is no prompt.',
      remedy: 'Write wield -p "what to do", or pipe text in.',
    });
  return parts.join('\n\n');
}

async function writeAnswer(
  result: RunSummary,
  { outputFormat }: ChatFlags,
  place: { sessionId: string; durationMs: number },
): Promise<void> {
  if (outputFormat !== 'text') return writeLine(renderResult(result, place));
  if (result.text !== '') await writeOut(`${process.stdout.isTTY ? displayText(result.text) : result.text}\n`);
}

function writeLine(line: object): Promise<void> {
  return writeOut(`${displayJson(line)}\n`);
}

function explainEnd({ outcome, denials }: RunSummary): void {
  if (outcome === 'max_turns') process.stderr.write('Stopped at the turn limit; --continue goes on.\n');
  if (outcome === 'refused') process.stderr.write('The model declined to answer.\n');
  for (const { name, because } of denials)
    process.stderr.write(`denied: ${displayLine(name)}, because ${displayText(because)}\n`);
}
