import keys from './executable-git-keys.json' with { type: 'json' };

/** One setting of a file of git's. The key is whole, as in `diff.png.textconv`; its section and name are in small letters. */
export interface ConfigSetting {
  readonly key: string;
  readonly value: string;
}

const RUNS = new RegExp(
  `^(?:${[...keys.always, ...keys.whenItChanges].join('|')}|include(?:if\\..+)?\\.path|submodule\\..+\\.update)$`,
  'is',
);
const SECTION = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/;
const SETTING = /^\s*([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/;

/** True where the setting names a program, or a file or folder that can. */
export function namesProgram({ key, value }: ConfigSetting): boolean {
  if (/^core\.fsmonitor$/i.test(key) && /^(?:true|false)?$/i.test(value)) return false;
  return RUNS.test(key) || (/^remote\..+\.url$/is.test(key) && value.startsWith('ext::'));
}

/** The settings of a configuration of git. Lines that are none are left out. Source: git-config(1), Syntax. */
export function configSettings(text: string): ConfigSetting[] {
  const settings: ConfigSetting[] = [];
  let section = '';
  for (const line of text.replace(/\\\r?\n/g, '').split(/\r?\n/)) {
    const head = SECTION.exec(line);
    if (head !== null) section = sectionName(head[1] ?? '', head[2]);
    const setting = SETTING.exec(head === null ? line : line.slice(head[0].length));
    if (setting === null || section === '') continue;
    settings.push({ key: `${section}.${(setting[1] ?? '').toLowerCase()}`, value: plainValue(setting[2] ?? '') });
  }
  return settings;
}

function sectionName(name: string, part: string | undefined): string {
  const small = name.toLowerCase();
  return part === undefined ? small : `${small}.${part.replace(/\\(.)/g, '$1')}`;
}

/** Without quotes, and without a comment after it. */
function plainValue(value: string): string {
  let isQuoted = false;
  let plain = '';
  for (let i = 0; i < value.length; i++) {
    const char = value[i] ?? '';
    if (char === '"') isQuoted = !isQuoted;
    else if (char === '\\') plain += value[++i] ?? '';
    else if (!isQuoted && (char === '#' || char === ';')) break;
    else plain += char;
  }
  return plain.trim();
}
