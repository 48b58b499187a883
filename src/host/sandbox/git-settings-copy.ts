import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../process/find-program.ts';
import type { Mount } from './mount-plan.ts';
import places from './places.json' with { type: 'json' };
import { rootsOf, type SandboxPlace } from './sandbox.ts';
import { existing } from './visible-places.ts';

const TIMEOUT_MS = 5000;
const SHOWN = new RegExp(`^(?:${places.gitSections.join('|')})\\.`, 'i');
/** What may hold a password: an address with a name in it, a header, a token. */
const SECRET = /:\/\/[^/\s]*@|extraheader|authorization|password|passwd|secret|token|bearer/i;

/**
 * The person's settings of git as commands see them: a copy with what is known to hold no secret, since tokens stand in addresses and
 * headers there. Empty where git cannot read them: then they are not shown at all.
 */
export function gitSettingsCopies(place: SandboxPlace, folder: string): Mount[] {
  const present = places.gitSettings.map((name) => join(place.home, name)).filter((path) => existing(path) !== null);
  const git = present.length === 0 ? null : findProgram('git', { environment: place.environment, roots: rootsOf(place) });
  return present.map((path, i): Mount => {
    const source = join(folder, `git-settings-${i}`);
    writeFileSync(source, git === null ? '' : safeSettings(git, path, place), { mode: 0o600 });
    // In a home that is the workspace it may be a link, and what is mounted is what it leads to.
    const isSeen = rootsOf(place).some((root) => path.startsWith(`${root}/`));
    return { kind: 'readable', path: isSeen ? (existing(path) ?? path) : path, source };
  });
}

function safeSettings(git: string, path: string, { home, workspace }: SandboxPlace): string {
  try {
    // In the workspace, since which files are included may depend on where it stands.
    const env = { HOME: home, PATH: '/usr/bin:/bin', GIT_CONFIG_NOSYSTEM: '1' };
    const listing = execFileSync(git, ['config', '--file', path, '--includes', '--list', '-z'], {
      cwd: workspace,
      env,
      timeout: TIMEOUT_MS,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return listing
      .split('\0')
      .filter((entry) => SHOWN.test(entry) && !SECRET.test(entry))
      .map(rendered)
      .join('');
  } catch {
    return '';
  }
}

/** One setting as a file of git's has it; no value at all is different from an empty one. */
function rendered(entry: string): string {
  const end = entry.indexOf('\n');
  const key = end === -1 ? entry : entry.slice(0, end);
  const section = key.slice(0, key.indexOf('.'));
  const name = key.slice(key.lastIndexOf('.') + 1);
  const part = key.slice(section.length + 1, Math.max(section.length + 1, key.length - name.length - 1));
  const head = part === '' ? `[${section}]` : `[${section} ${quoted(part)}]`;
  return end === -1 ? `${head}\n\t${name}\n` : `${head}\n\t${name} = ${quoted(entry.slice(end + 1))}\n`;
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n').replace(/\t/g, '\\t')}"`;
}
