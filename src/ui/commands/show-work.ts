import { type CommandContext, showLines } from './command.ts';

const MAX_LINES = 400;

/** `/open N`, and Ctrl-O for the last one: all that a call answered. */
export async function openCall(context: CommandContext): Promise<void> {
  const { argument, state } = context;
  const call =
    argument === '' ? state.calls.at(-1) : state.calls.find(({ number }) => String(number) === argument.replace('#', ''));
  if (call === undefined)
    return showLines(context, [
      argument === '' ? 'Nothing was called yet.' : `There is no call #${argument} among the last ${state.calls.length}.`,
    ]);
  const lines = call.text.split('\n');
  const left = lines.length - MAX_LINES;
  showLines(context, [
    `#${call.number} ${call.name} ${call.subject}`,
    ...lines.slice(0, MAX_LINES).map((line) => `  ${line}`),
    ...(left > 0 ? [`  … ${left} more lines`] : []),
  ]);
}

/** `/diff` and `/diff last`. */
export async function showDiff(context: CommandContext): Promise<void> {
  const { argument, session, show } = context;
  const patch = await session.diff?.(argument === 'last' ? { type: 'last' } : { type: 'to', turn: 0 });
  if (patch === undefined || patch === null || patch === '') return showLines(context, ['Nothing was changed.']);
  show({ type: 'patch', patch });
}
