import { copyFileSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { knownVerdict, rememberVerdict } from './verdict.ts';

let folder: string;
let state: string;
let program: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wield-verdict-'));
  state = join(folder, 'state');
  program = join(folder, 'bwrap');
  copyFileSync('/bin/sh', program);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('what works is remembered for the very same program', () => {
  expect(knownVerdict(state, program)).toBeNull();
  rememberVerdict(state, { file: program, canSealNamespaces: false });
  expect(knownVerdict(state, program)).toEqual({ file: program, canSealNamespaces: false });
  expect(statSync(join(state, 'sandbox-works.json')).mode & 0o777).toBe(0o600);
  utimesSync(program, 1000, 1000);
  expect(knownVerdict(state, program)).toBeNull();
});

test('a file that is not ours, or a folder that cannot be written, costs a try and no more', () => {
  rememberVerdict(join(program, 'below a file'), { file: program, canSealNamespaces: true });
  rememberVerdict(state, { file: program, canSealNamespaces: true });
  writeFileSync(join(state, 'sandbox-works.json'), '[broken');
  expect(knownVerdict(state, program)).toBeNull();
  expect(knownVerdict(state, join(folder, 'gone'))).toBeNull();
});
