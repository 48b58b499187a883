import { styled, type Style, type Theme } from '../theme.ts';

/** The styles of a theme by name. */
export type StyleName = { [K in keyof Theme]: Theme[K] extends Style ? K : never }[keyof Theme];

/** A stretch of text that looks the same throughout. `href` makes it a link that the terminal follows. */
export interface Span {
  readonly text: string;
  readonly styles: readonly StyleName[];
  readonly href?: string;
}

/** One line of spans as a terminal shows it. Each style ends on its line, so that lines can stand anywhere. */
export function paint(spans: readonly Span[], theme: Theme): string {
  return spans.map((span) => paintSpan(span, theme)).join('');
}

/** A text in one style, by its name. */
export function paintText(text: string, style: StyleName, theme: Theme): string {
  return styled(theme[style], text);
}

function paintSpan({ text, styles, href }: Span, theme: Theme): string {
  const shown = styles.reduceRight((inner, style) => styled(theme[style], inner), text);
  return href === undefined || text === '' ? shown : `\u001b]8;;${href}\u001b\\${shown}\u001b]8;;\u001b\\`;
}
