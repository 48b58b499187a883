import { createPicker } from '../chat/picker.ts';
import { type CommandContext, showLines } from './command.ts';

/** `/compact`: a summary in place of the older messages. */
export async function compactSession({ session, follow }: CommandContext): Promise<void> {
  const { compact } = session;
  if (compact !== undefined) await follow(compact);
}

/** `/resume` lets choose among the sessions of this folder, `/resume ID` goes on with one. */
export async function resumeSession(context: CommandContext): Promise<void> {
  const { argument, session, state, pick, enter } = context;
  const { say } = state;
  if (argument !== '') {
    const next = await session.resume?.(argument);
    if (next !== undefined) enter({ ...next, welcome: [say('resumed', { session: next.id }), ...next.welcome] });
    return;
  }
  const choices = ((await session.sessions?.()) ?? []).filter(({ id }) => id !== session.id);
  if (choices.length === 0) return showLines(context, [say('resume_nothing')]);
  const items = choices.map(
    ({ id, time, title }) =>
      ({
        label: `${time}  ${title}`,
        summary: '',
        leads: { type: 'wish', wish: { type: 'command', name: 'resume', argument: id } },
      }) as const,
  );
  pick(createPicker(say('resume_title'), items));
}

/** `/export [FILE]`: the session as a page, or as Markdown or JSON by the name of the file. */
export async function exportSession(context: CommandContext): Promise<void> {
  const { argument, session, state } = context;
  const written = await session.export?.(argument);
  if (written !== undefined) showLines(context, [state.say('exported', { file: written })]);
}
