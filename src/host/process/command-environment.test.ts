import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commandEnvironment } from './command-environment.ts';

let base: string;
beforeEach(() => (base = mkdtempSync(join(tmpdir(), 'wield-environment-'))));
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** A folder that git takes for a repository, whose configuration names a program; true where that ran. */
function runsProgram(env: NodeJS.ProcessEnv): boolean {
  const [fake, mark, program] = [join(base, 'fake'), join(base, 'ran'), join(base, 'program')];
  for (const folder of ['objects', 'refs/heads']) mkdirSync(join(fake, folder), { recursive: true });
  writeFileSync(program, `#!/bin/sh\ntouch ${mark}\n`);
  chmodSync(program, 0o755);
  writeFileSync(join(fake, 'HEAD'), 'ref: refs/heads/m\n');
  writeFileSync(
    join(fake, 'config'),
    `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ${fake}\n\tfsmonitor = ${program}\n`,
  );
  spawnSync('git', ['status'], { cwd: fake, env });
  return existsSync(mark);
}

test('a folder that looks like a repository is none to the git of commands', () => {
  expect(runsProgram(commandEnvironment(process.env))).toBe(false);
  // So git would have it otherwise.
  expect(runsProgram({ PATH: process.env['PATH'], HOME: base })).toBe(true);
});
