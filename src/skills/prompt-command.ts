import { parseFrontMatter } from './front-matter.ts';

/** A prompt that a person keeps in a Markdown file and calls by the file's name. */
export interface PromptCommand {
  /** As it is typed behind the `/`; folders stand before it, with colons. */
  readonly name: string;
  readonly description: string;
  readonly path: string;
}

const NAME = /^[a-z0-9][\w-]*(?::[a-z0-9][\w-]*)*$/i;
const MAX_DESCRIPTION_CHARS = 200;

/** `relative` is the path below the folder of commands. Null where its name cannot be typed as a command. */
export function parsePromptCommand(path: string, relative: string, text: string): PromptCommand | null {
  const name = relative.replace(/\.md$/i, '').split('/').join(':').toLowerCase();
  if (!NAME.test(name)) return null;
  const { fields, body } = parseFrontMatter(text);
  const firstLine = body.trim().split('\n', 1)[0] ?? '';
  const description = fields.get('description') ?? firstLine.replace(/^#+\s*/, '');
  return { name, description: description.slice(0, MAX_DESCRIPTION_CHARS), path };
}

/** The prompt, with what was typed behind its name in its gaps: `$ARGUMENTS` is all of it, `$1` to `$9` its words. Without a gap it stands below. */
export function fillPrompt(text: string, argument: string): string {
  const { body } = parseFrontMatter(text);
  const words = argument.split(/\s+/).filter((word) => word !== '');
  const hasGap = /\$(?:ARGUMENTS\b|[1-9](?!\d))/.test(body);
  // One pass: what was typed is not looked through for gaps.
  const filled = body.replaceAll(/\$(?:ARGUMENTS\b|([1-9])(?!\d))/g, (_, number?: string) =>
    number === undefined ? argument : (words[Number(number) - 1] ?? ''),
  );
  const prompt = filled.trim();
  return hasGap || argument === '' ? prompt : `${prompt}\n\n${argument}`;
}
