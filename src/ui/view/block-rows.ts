import { displayLine, displayText } from '../../core/display-text.ts';
import { isJsonObject } from '../../core/json-value.ts';
import type { Block } from '../chat/blocks.ts';
import { styled, type Theme } from '../theme.ts';
import { compareLines } from '../diff/compare-lines.ts';
import { diffRows } from '../diff/diff-rows.ts';
import { bare, hunksOf } from '../diff/hunks.ts';
import { callRows } from './call-rows.ts';
import type { DrawFacts } from './draw-facts.ts';
import { subjectOf, verbOf } from './call-outcome.ts';
import { patchRows } from './patch-rows.ts';

/** A block as the lines that the scrollback keeps. Their own line breaks are ours; longer ones are broken by the terminal. */
export function blockRows(block: Block, facts: DrawFacts): readonly string[] {
  const { theme, say } = facts;
  switch (block.type) {
    case 'welcome':
      return block.lines;
    case 'prompt':
      return promptRows(block.text, block.mark, theme);
    case 'answer':
      return block.rows;
    case 'call':
      return callRows(block.call, facts);
    case 'question':
      return questionRows(block, facts);
    case 'notice':
      return [styled(theme.dim, `* ${displayLine(block.text, 400)}`)];
    case 'error':
      return [
        `${styled(theme.error, `✗ ${displayLine(block.error.message, 600)}`)} ${styled(theme.dim, `(${displayLine(block.error.code)})`)}`,
        `  ${say('error_saved')}`,
        `  ${say('error_next', { remedy: displayLine(block.error.remedy, 600) })}`,
      ];
    case 'lines':
      return block.lines.map((line) => displayText(line));
    case 'patch':
      return patchRows(block.patch, facts, Infinity);
  }
}

/** Whether a blank line stands before a block, so that the parts of a conversation can be told apart. */
export function hasGapBefore(block: Block['type'], last: Block['type'] | null): boolean {
  if (last === null) return false;
  if (block === 'prompt' || block === 'lines' || block === 'error') return true;
  return (block === 'answer') !== (last === 'answer') && !(last === 'prompt' && block === 'notice');
}

function promptRows(text: string, mark: string, theme: Theme): readonly string[] {
  const [first = '', ...rest] = displayText(text).split('\n');
  return [
    `${styled(theme.accent, mark)} ${styled(theme.prompt, first)}`,
    ...rest.map((line) => `  ${styled(theme.prompt, line)}`),
  ];
}

function questionRows({ request, input, before }: Extract<Block, { type: 'question' }>, facts: DrawFacts): readonly string[] {
  const { theme, cwd, say } = facts;
  const verb = verbOf(request.name, say);
  const head = `${styled(theme.warning, '?')} ${styled(theme.bold, say('asks_to', { verb }))} ${subjectOf(request.subject, cwd)}`;
  return [head, ...(proposedRows(input, before, facts) ?? request.details.map((line) => `  ${line}`))];
}

/** An edit is shown as what it takes away and what it puts there. */
function proposedRows(input: unknown, present: string | null, { theme, columns, say }: DrawFacts): readonly string[] | null {
  if (!isJsonObject(input)) return null;
  const { old_string: before, new_string: after, content } = input;
  if (Object.keys(input).length > 3) return null;
  if (typeof content === 'string' && present !== null) {
    const rows = diffRows(hunksOf(compareLines(present, content)), {
      width: columns - 5,
      theme,
      isSideBySide: false,
      showsLineEnds: false,
      say,
    });
    return rows.map((row) => `    ${row}`);
  }
  if (typeof before !== 'string' || typeof after !== 'string') return null;
  const styles = { ' ': theme.dim, '-': theme.removed, '+': theme.added } as const;
  return compareLines(before, after).map(({ sign, text }) => `    ${styled(styles[sign], `${sign} ${displayText(bare(text))}`)}`);
}
