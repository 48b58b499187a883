import type { ParseError } from 'jsonc-parser';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isWithin } from '../../core/footprint.ts';
import { messageOf } from '../../core/errors.ts';
import type { PermissionRule } from '../../core/permission.ts';
import { realPathOf } from '../../host/files/real-path.ts';
import { writeTemp } from '../../host/files/staging.ts';
import { renderRule } from '../../permissions/rules/rules.ts';
import { type TrustStore, trustRoot } from '../../permissions/trust/trust.ts';
import { readConfigFile } from '../read-config-file.ts';
import type { UserFolders } from '../user-folders.ts';

export interface RuleStoreOptions {
  /** A real path. */
  readonly cwd: string;
  readonly folders: UserFolders;
  /** Settings of a folder that is not trusted are never read, so none are written there. Our own change keeps it trusted. */
  readonly trust: TrustStore;
}

/**
 * Keeps rules in the settings: those of a project in its `.wield/settings.local.json`, others in the user's own file.
 * Never throws: resolves to why a rule could not be kept, or null; it holds for the session all the same.
 */
export function createRuleStore(options: RuleStoreOptions): (rule: PermissionRule) => Promise<string | null> {
  let last: Promise<string | null> = Promise.resolve(null);
  // One after the other: each reads what the one before it wrote.
  return (rule) => {
    last = last.then(async () => {
      try {
        await keep(options, rule);
        return null;
      } catch (thrown) {
        return `The rule ${renderRule(rule)} holds for this session only, since it could not be kept: ${messageOf(thrown)}`;
      }
    });
    return last;
  };
}

async function keep({ cwd, folders, trust }: RuleStoreOptions, rule: PermissionRule): Promise<void> {
  if (rule.scope === 'user') return addRule(join(folders.config, 'settings.json'), null, rule);
  if (rule.scope !== 'project') return;
  if ((await trust.check(cwd)) !== 'trusted') throw new Error('this folder is not trusted (--trust makes it so)');
  await trust.renew(cwd, () => addRule(join(cwd, '.wield', 'settings.local.json'), trustRoot(cwd), rule));
}

/** Adds to the list of its kind and leaves everything else in the file as it is, comments too. */
async function addRule(path: string, within: string | null, rule: PermissionRule): Promise<void> {
  const real = await realPathOf(path);
  if (within !== null && !isWithin(real, within)) throw new Error(`${path} leads out of ${within}`);
  const file = await readConfigFile(real, within);
  if (file !== null && 'fault' in file) throw new Error(`${path}: ${file.fault}`);
  const text = file?.text ?? '{}\n';
  const changed = await withRule(text, rule);
  if (changed === null) throw new Error(`${path} is not readable as settings`);
  if (changed !== text) await replace(real, changed);
}

/** The text with the rule in it; null where it cannot be read as settings. */
async function withRule(text: string, rule: PermissionRule): Promise<string | null> {
  const { applyEdits, modify, parse } = await import('jsonc-parser');
  const errors: ParseError[] = [];
  const settings: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0 || typeof settings !== 'object' || settings === null || Array.isArray(settings)) return null;
  const list: unknown = (settings as { permissions?: Record<string, unknown> }).permissions?.[rule.behavior];
  const written = renderRule(rule);
  if (Array.isArray(list) && list.includes(written)) return text;
  const edits = modify(text, ['permissions', rule.behavior, -1], written, {
    isArrayInsertion: true,
    formattingOptions: { insertSpaces: true, tabSize: 2 },
  });
  return applyEdits(text, edits);
}

async function replace(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temp = `${path}.${process.pid}.tmp`;
  try {
    await writeTemp(temp, [Buffer.from(text)], 'private');
    await rename(temp, path);
  } catch (thrown) {
    await rm(temp, { force: true });
    throw thrown;
  }
}
