import { type CommandContext, showLines } from './command.ts';

const MAX_LINES = 400;

/** `/open N`, and Ctrl-O for the last one: all that a call answered. */
export async function openCall(context: CommandContext): Promise<void> {
  const { argument, state } = context;
  const call =
    argument === '' ? state.calls.at(-1) : state.calls.find(({ number }) => String(number) === argument.replace('#', ''));
  if (call === undefined)
    return showLines(context, [
      argument === ''
        ? state.say('open_nothing')
        : state.say('open_missing', { number: argument.replace('#', ''), count: state.calls.length }),
    ]);
  const lines = call.text.split('\n');
  const left = lines.length - MAX_LINES;
  showLines(context, [
    `#${call.number} ${call.name} ${call.subject}`,
    ...lines.slice(0, MAX_LINES).map((line) => `  ${line}`),
    ...(left > 0 ? [`  ${state.say('more_lines', { count: left })}`] : []),
  ]);
}

/** `/diff` and `/diff last`. */
export async function showDiff(context: CommandContext): Promise<void> {
  const { argument, session, show, state } = context;
  const patch = await session.diff?.(argument === 'last' ? { type: 'last' } : { type: 'to', turn: 0 });
  if (patch === undefined || patch === null || patch === '') return showLines(context, [state.say('diff_nothing')]);
  show({ type: 'patch', patch });
}
