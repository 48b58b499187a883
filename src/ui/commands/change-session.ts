import { rewindPicker } from '../chat/rewind-picker.ts';
import { type CommandContext, showLines } from './command.ts';

/** `/model` lists, `/model NAME` goes on with another one. */
export async function changeModel(context: CommandContext): Promise<void> {
  const { argument, session, enter, state } = context;
  const { say } = state;
  if (argument === '') {
    const names = (await session.models?.()) ?? [];
    return showLines(context, [
      say('model_now', { model: session.facts.model }),
      ...names.map((name) => `  ${name}`),
      say('model_change'),
    ]);
  }
  const next = await session.switchModel?.(argument);
  if (next === undefined) return;
  enter({ ...next, welcome: [say('model_changed', { model: next.facts.model })] });
}

/** `/clear`: nothing of the conversation so far goes to the model any more. */
export async function startAnew({ session, enter, state }: CommandContext): Promise<void> {
  const next = await session.startAnew?.();
  if (next !== undefined) enter({ ...next, welcome: [state.say('cleared', { session: session.id })] });
}

/** `/rewind` lets choose among the prompts, `/rewind N` goes back to the end of a turn. */
export async function rewindSession(context: CommandContext): Promise<void> {
  const { argument, session, state, pick } = context;
  const { say } = state;
  if (argument !== '') {
    if (!/^\d{1,6}$/.test(argument)) return showLines(context, [say('rewind_number')]);
    return showLines(context, (await session.rewind?.({ toTurn: Number(argument), part: 'both' })) ?? []);
  }
  const picker = rewindPicker((await session.turns?.()) ?? [], say);
  if (picker === null) return showLines(context, [say('rewind_nothing')]);
  pick(picker);
}
