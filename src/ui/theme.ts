/** What goes before and after a text to give it a style; both are empty where there is none. */
export type Style = readonly [open: string, close: string];

/** The styles by name. A flat record: what draws names a meaning, and the theme says how that looks. */
export interface Theme {
  readonly isColored: boolean;
  /** True where the terminal is known to follow OSC 8 links. */
  readonly hasLinks: boolean;
  readonly plain: Style;
  readonly dim: Style;
  readonly bold: Style;
  readonly italic: Style;
  readonly underline: Style;
  readonly strike: Style;
  readonly accent: Style;
  readonly success: Style;
  readonly warning: Style;
  readonly error: Style;
  readonly prompt: Style;
  readonly selected: Style;
  readonly border: Style;
  readonly heading: Style;
  readonly link: Style;
  readonly quote: Style;
  readonly code: Style;
  readonly codeBlock: Style;
  readonly listMark: Style;
  readonly tableHead: Style;
  readonly added: Style;
  readonly removed: Style;
  readonly addedWord: Style;
  readonly removedWord: Style;
  readonly lineNumber: Style;
  readonly keyword: Style;
  readonly string: Style;
  readonly number: Style;
  readonly comment: Style;
  readonly functionName: Style;
  readonly typeName: Style;
}

type StyleName = { [K in keyof Theme]: Theme[K] extends Style ? K : never }[keyof Theme];
export const THEME_NAMES = ['dark', 'light', 'ansi-16', 'colour-blind', 'plain'] as const;
export type ThemeName = (typeof THEME_NAMES)[number];

/** `auto` follows the terminal's background. */
export const THEME_CHOICES = ['auto', ...THEME_NAMES] as const;
export type ThemeChoice = (typeof THEME_CHOICES)[number];

/** Wraps a text in a style. The text must not hold escapes of its own that end the style. */
export function styled([open, close]: Style, text: string): string {
  return text === '' || open === '' ? text : `${open}${text}${close}`;
}

/** A theme by name. `plain` has no styles at all, as NO_COLOR wants it. */
export function createTheme(name: ThemeName, { hasLinks = false }: { readonly hasLinks?: boolean } = {}): Theme {
  const codes = name === 'plain' ? {} : { ...ANSI_16, ...VARIANTS[name] };
  const styles = Object.fromEntries(STYLE_NAMES.map((style) => [style, styleOf(codes[style])]));
  // Each name of the list is there.
  return { ...(styles as Record<StyleName, Style>), isColored: name !== 'plain', hasLinks: hasLinks && name !== 'plain' };
}

/** SGR parameters that open a style; what closes it follows from them. */
type Codes = Readonly<Partial<Record<StyleName, string>>>;

const ANSI_16: Codes = {
  dim: '2',
  bold: '1',
  italic: '3',
  underline: '4',
  strike: '9',
  accent: '36',
  success: '32',
  warning: '33',
  error: '31',
  prompt: '1',
  selected: '7',
  border: '2',
  heading: '1',
  link: '4;36',
  quote: '2;3',
  code: '36',
  listMark: '36',
  tableHead: '1',
  added: '32',
  removed: '31',
  addedWord: '32;7',
  removedWord: '31;7',
  lineNumber: '2',
  keyword: '35',
  string: '32',
  number: '33',
  comment: '2',
  functionName: '34',
  typeName: '36',
};

// Colours of the 256-colour table: the same on every terminal that has it.
const VARIANTS: Readonly<Record<Exclude<ThemeName, 'plain'>, Codes>> = {
  'ansi-16': {},
  dark: {
    accent: '38;5;80',
    code: '38;5;80',
    link: '4;38;5;75',
    listMark: '38;5;80',
    border: '38;5;240',
    lineNumber: '38;5;243',
    added: '38;5;114',
    removed: '38;5;210',
    addedWord: '38;5;16;48;5;114',
    removedWord: '38;5;16;48;5;210',
    keyword: '38;5;176',
    string: '38;5;114',
    number: '38;5;179',
    comment: '38;5;245',
    functionName: '38;5;75',
    typeName: '38;5;80',
  },
  light: {
    accent: '38;5;30',
    code: '38;5;30',
    link: '4;38;5;25',
    listMark: '38;5;30',
    warning: '38;5;130',
    success: '38;5;28',
    error: '38;5;160',
    border: '38;5;250',
    lineNumber: '38;5;245',
    added: '38;5;28',
    removed: '38;5;160',
    addedWord: '38;5;16;48;5;157',
    removedWord: '38;5;16;48;5;217',
    keyword: '38;5;90',
    string: '38;5;28',
    number: '38;5;130',
    comment: '38;5;243',
    functionName: '38;5;25',
    typeName: '38;5;30',
  },
  'colour-blind': {
    // Blue and orange in place of green and red.
    success: '38;5;39',
    error: '38;5;208',
    added: '38;5;39',
    removed: '38;5;208',
    addedWord: '38;5;16;48;5;39',
    removedWord: '38;5;16;48;5;208',
    string: '38;5;39',
  },
};

const STYLE_NAMES: readonly StyleName[] = [
  'plain',
  'dim',
  'bold',
  'italic',
  'underline',
  'strike',
  'accent',
  'success',
  'warning',
  'error',
  'prompt',
  'selected',
  'border',
  'heading',
  'link',
  'quote',
  'code',
  'codeBlock',
  'listMark',
  'tableHead',
  'added',
  'removed',
  'addedWord',
  'removedWord',
  'lineNumber',
  'keyword',
  'string',
  'number',
  'comment',
  'functionName',
  'typeName',
];

function styleOf(codes: string | undefined): Style {
  if (codes === undefined) return ['', ''];
  return [`\u001b[${codes}m`, `\u001b[${closingCodes(codes)}m`];
}

// What each parameter is ended by. Source: ECMA-48, 8.3.117 SGR.
const CLOSING: Readonly<Record<string, string>> = { '1': '22', '2': '22', '3': '23', '4': '24', '7': '27', '9': '29' };

function closingCodes(codes: string): string {
  const parts = codes.replaceAll(/(38|48);5;\d+/g, '$1').split(';');
  return [...new Set(parts.map((part) => CLOSING[part] ?? (part.startsWith('4') && part !== '4' ? '49' : '39')))].join(';');
}
