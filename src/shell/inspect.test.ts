import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { recordedCases } from '../../test/recorded-cases.ts';
import { inspectCommand } from './inspect.ts';
import type { PathUse, ShellPart, ShellReport } from './report.ts';

const FACTS = { cwd: '/ws', home: '/home/u' };

function partsOf(command: string): readonly ShellPart[] {
  const report = inspectCommand(command, FACTS);
  if (!report.isClear) throw new Error(`not clear: ${report.because}`);
  return report.parts;
}

/** Effects and words in short: `reads cat f`. A question mark is a word known only at run time, `-` a rule for a beginning and `!` any rule that is of no use. */
function gist(command: string): readonly string[] {
  return partsOf(command).map(({ effect, words, beyondPrefix, beyondRules }) => {
    const limit = beyondRules !== null ? '!' : beyondPrefix !== null ? '-' : '';
    return [effect + limit, ...words.map((word) => word ?? '?')].join(' ');
  });
}

const pathsOf = (uses: readonly PathUse[]): readonly (string | null)[] =>
  uses.map(({ path, isDeep }) => (path === null ? null : path + (isDeep ? '/**' : '')));
const reads = (command: string): readonly (string | null)[] => partsOf(command).flatMap((part) => pathsOf(part.reads));
const writes = (command: string): readonly (string | null)[] => partsOf(command).flatMap((part) => pathsOf(part.writes));
const onlyReads = (report: ShellReport): boolean => report.isClear && report.parts.every(({ effect }) => effect === 'reads');

describe('the parts of a command line', () => {
  test.each([
    ['ls -la src && cat a | head -5', ['reads ls -la src', 'reads cat a', 'reads head -5']],
    ['$\'\\x74ouch\' P; t"ou"ch Q', ['files touch P', 'files touch Q']],
    ['timeout 5 npm test', ['reads timeout 5', 'acts npm test']],
    ['env LANG=C nice -n 3 rm x', ['reads env LANG=C', 'reads nice -n 3', 'acts rm x']],
    ['ls | xargs -n 1 rm -f', ['reads ls', 'reads xargs -n 1', 'acts- rm -f ?']],
    ['find . -exec touch {} +', ['reads- find . -exec touch {} +', 'files touch ?']],
    ['for f in a b; do wc -l "$f"; done', ['reads wc -l a', 'reads wc -l b']],
    ['d=src; ls $d/x', ['reads', 'reads ls src/x']],
    ["git commit -m \"$(cat <<'EOF'\nit's && more\nEOF\n)\"", ['reads cat', 'acts git commit -m ?']],
    ["bash -c 'rm x; ls'", ['acts! bash -c rm x; ls', 'acts rm x', 'reads ls']],
    ['sudo rm x', ['acts! sudo', 'acts rm x']],
    ['./git status', ['acts- ./git status']],
    ['/usr/bin/git status', ['reads- /usr/bin/git status']],
    ['LC_ALL=C sort f', ['reads sort f']],
    ['FOO=1 sort f', ['acts- sort f']],
    ['FOO=$x sort f', ['acts! sort f']],
    ['cat f > out 2>&1', ['reads cat f', 'files']],
    ['coproc ls', ['acts!', 'reads ls']],
    ['f() { rm x; }', ['acts!', 'acts rm x']],
    ['[[ -f a ]] && (( 1 + 2 ))', ['reads', 'reads']],
    ['i=0; while [ $i -lt 3 ]; do i=$((i+1)); done', ['reads', 'reads [ ? -lt 3 ]', 'reads']],
  ])('%s', (command, expected) => expect(gist(command)).toEqual(expected));

  test.each([
    ['cat', 'sort -k2 -rn f', 'uniq -c f', "sed -n '1,20p' f", "sed 's/a/b/g; s|x|y|p' f", 'rg -n foo src', 'jq .a f'],
    ['git -C sub log -3', 'git stash list', 'git branch -a', 'git config --get user.name', 'git remote -v', 'git tag -l'],
    [
      '[ "$x" = a ]',
      '[ -n "$x" -a -f y ]',
      'test ! -e f',
      'printf "%s\\n" $x',
      'command -v node',
      'read -r line',
      'set -euo pipefail',
    ],
    [
      'node --version',
      'ps aux',
      'date +%s',
      'xxd f',
      'hostname',
      'diff -u a b',
      'grep -r "$x" .',
      'echo $((1 + 2)) ${#x} ${x%.ts}',
    ],
  ])('only read: %s', (...commands) => {
    for (const command of commands) expect([command, onlyReads(inspectCommand(command, FACTS))]).toEqual([command, true]);
  });

  test.each([
    [
      'sort -o f g',
      'sort --outp=f g',
      'sort --comp=./x g',
      'sort *',
      'sort $x',
      'uniq a b',
      'rg --pre ./x a',
      'rg -z a',
      'xxd -r a',
    ],
    [
      "sed 'w f'",
      "sed 's/a/b/e'",
      "sed '1e id'",
      'sed -i s/a/b/ f',
      "sed 's/[/]/w x;]/y/'",
      'sed -f s f',
      'awk \'{print > "f"}\'',
    ],
    [
      'git diff --output=x',
      'git diff --outp=x',
      'git grep -Ox a',
      'git grep --open=x a',
      'git -c a=b status',
      'git log "$x"',
      'git branch x',
    ],
    [
      'git stash',
      'git config a b',
      'git tag v1',
      'git remote add a b',
      'git log --format=%G?',
      'git fetch',
      'git symbolic-ref HEAD x',
    ],
    [
      "test -v 'a[$(x)]'",
      '[ $x ]',
      '[ "$a" "$b" ]',
      "printf -v 'a[0]' x",
      'printf "%n" x',
      "read 'a[0]'",
      'set -x',
      'jobs -x ls',
      'wait -p a',
    ],
    [
      'env',
      'printenv',
      'ps auxe',
      'ps -o environ',
      'date -s now',
      'hostname x',
      'jq env',
      'jq "$x"',
      'yarn --version',
      'export A=1',
      'A_B=1',
    ],
    [
      'find . -delete',
      'find . -fprint f',
      'find . $x',
      'xargs -a f echo',
      'tree -o f',
      'file -C',
      'curl x',
      'nslookup x',
      'npm ls',
      'cat < /dev/tcp/a/1',
    ],
    [
      'echo ${x@P}',
      'echo ${!x}',
      'echo ${a[x]}',
      'echo $((x))',
      '[[ x -eq 0 ]]',
      '[[ -v x ]]',
      'a[x]=1',
      'x=(1 [$(y)]=2)',
      'PATH+=:x',
    ],
    ['$x', '{ls,a}', '"$(echo ls)"', 'eval ls', '. ./x', 'trap ls EXIT', 'alias a=b', 'exec ls', 'ls > $x', 'HOME=/x; ls ~'],
  ])('more than reading: %s', (...commands) => {
    for (const command of commands) expect([command, onlyReads(inspectCommand(command, FACTS))]).toEqual([command, false]);
  });

  test.each([
    ['', 'there is no command in it'],
    ['echo \u202e', 'it holds U+202E, which is not shown'],
    ['echo \u001b[8m', 'it holds U+001B, which is not shown'],
    [`echo ${'a'.repeat(10_000)}`, 'it is longer than 10000 characters'],
    ['echo "', 'bash would not read it: unterminated double quote'],
    [Array.from({ length: 201 }, () => 'true').join('; '), 'it has more than 200 parts'],
    [
      `${[...'abcd'].map((name) => `for ${name} in 1 2 3 4 5 6 7 8 9; do `).join('')}echo $a; ${'done; '.repeat(4)}`,
      'it has more than 200 parts',
    ],
    [
      `${[...'abcdef'].map((name) => `for ${name} in 1 2 3 4 5 6 7 8 9; do `).join('')}<<< $a; ${'done; '.repeat(6)}`,
      'it has too many loops in loops',
    ],
    ['"$('.repeat(250), expect.stringMatching(/nested|read/)],
  ])('not clear: %.40s', (command, because) => expect(inspectCommand(command, FACTS)).toEqual({ isClear: false, because }));
});

describe('what awk computes', () => {
  test.each([
    "awk '{print $2}' f",
    'ls -l | awk "{print \\$9, \\$5}"',
    "awk -F: -v n=3 'NR>1 && $3>=n || /a|b/ {s+=$2} END {print s}' f",
    "awk 'NR>=10 && NR<=20' f",
    "awk '/a|b/,/>/' f",
  ])('is read where it only prints: %s', (command) => {
    expect(onlyReads(inspectCommand(command, FACTS))).toBe(true);
  });

  test.each([
    `awk '{print > "f"}'`,
    `awk '{print | "sh"}'`,
    `awk '{printf "a;" >> "f"}'`,
    `awk 'BEGIN {"id" | getline}'`,
    `awk 'BEGIN {system("id")}'`,
    `awk 'BEGIN {ARGV[1]="/etc/passwd"; ARGC=2} {print}'`,
    `awk 'BEGIN {sys\
tem("id")}'`,
    `gawk '@load "filefuncs"; BEGIN {x()}'`,
    "gawk -i inplace '{print}' f",
    "gawk -d '{print}' f",
    'awk -f p.awk f',
    `awk "$p" f`,
    'mawk -W exec p.awk',
    "awk '{print ENVIRON[$1]}'",
  ])('is code where it may do more: %s', (command) => {
    expect(onlyReads(inspectCommand(command, FACTS))).toBe(false);
  });

  test('reads the files that it is given', () => {
    expect(reads("awk -F, '{print $1}' a b/*.csv")).toEqual(['/ws/a', '/ws/b/**']);
  });
});

test('a loop may read its files as input, but not what bash would connect to', () => {
  const judged = (command: string) => onlyReads(inspectCommand(command, FACTS));
  const files = ['for f in a b; do wc -l < "$f"; done', 'for f in src/*.ts; do echo "$(wc -l < "$f")"; done'];
  expect(files.map(judged)).toEqual([true, true]);
  const others = [
    'for f in a /dev/tcp/h/1; do cat < "$f"; done',
    'for f in /dev/*/h/1; do cat < "$f"; done',
    'for f in a "$x"; do cat < "$f"; done',
    'cat < "$x"',
    'for f in a b; do echo > "$f"; done',
  ];
  expect(others.map(judged)).toEqual(others.map(() => false));
});

describe('the paths of a command line', () => {
  test.each([
    ['cat a /b ~/c "$HOME/d"', ['/ws/a', '/b', '/home/u/c', '/home/u/d']],
    ['cat ../a', ['/a']],
    ['cat sub/../a', [null]],
    ['cat "$x"', [null]],
    ['cat src/*.ts', ['/ws/src/**']],
    ['cat */../a', [null]],
    ['ls .*', [null]],
    ['grep -r x', ['/ws/**']],
    ['grep -f p x f', ['/ws/p', '/ws/x', '/ws/f']],
    ['find a -exec cat {} +', ['/ws/a/**', '/ws/a/**']],
    ['cd sub && cat a', ['/ws/sub', '/ws/sub/a']],
    ['cd sub; cat a', ['/ws/sub', '/ws/sub/a', '/ws/a']],
    ['cd sub || exit 1; cat a', ['/ws/sub', '/ws/sub/a']],
    ['(cd sub); cat a', ['/ws/sub', '/ws/a']],
    ['cd sub && cat ../a', ['/ws/sub', null]],
    ['cd "$x"; cat a', [null, null]],
    ['while true; do cd x; cat a; done', [null, null]],
    ['git diff a /etc/passwd', ['/ws/**', '/etc/passwd/**']],
    ['wc -l < f', ['/ws/f']],
    ['cat < /dev/null', []],
  ])('%s reads %j', (command, expected) => expect(reads(command)).toEqual(expected));

  test.each([
    ['touch a b', ['/ws/a', '/ws/b']],
    ['cp a .git', ['/ws/.git', '/ws/.git/a']],
    ['mv a b', ['/ws/a/**', '/ws/b/**', '/ws/b/a/**']],
    ['echo x | tee a > b', ['/ws/a', '/ws/b']],
    ['cd /out && echo x > P', ['/out/P']],
    ['echo x > "$f"', [null]],
    ['rm -rf a', ['/ws/a/**']],
    ['find . -name x -exec touch {} +', ['/ws/**']],
  ])('%s writes %j', (command, expected) => expect(writes(command)).toEqual(expected));

  test('git tells the folder that it works in', () => {
    const folders = (command: string): readonly (string | null)[] => partsOf(command).map(({ gitFolder }) => gitFolder);
    expect(folders('git status')).toEqual(['/ws']);
    expect(folders('cd sub && git -C x/y log')).toEqual([null, '/ws/sub/x/y']);
    expect(folders('cd sub; git log')).toEqual([null, null]);
  });

  test('what needs the network or runs the project says so', () => {
    const needs = (command: string): readonly boolean[] =>
      partsOf(command).flatMap((part) => [part.needsNetwork, part.runsProjectCode]);
    expect(needs('git push')).toEqual([true, false]);
    expect(needs('npm install')).toEqual([true, true]);
    expect(needs('npm test')).toEqual([false, true]);
    expect(needs('node x.js')).toEqual([false, true]);
    expect(needs('curl x')).toEqual([true, false]);
  });
});

interface SecurityCase {
  readonly id: string;
  readonly tool: string;
  readonly input: { readonly command?: string };
  readonly expectDecision: string;
}

describe.skipIf(recordedCases === null)('the published attacks (skipped where ../shared/cases is absent)', () => {
  const cases =
    recordedCases === null
      ? []
      : (JSON.parse(readFileSync(join(recordedCases, 'security.json'), 'utf8')) as readonly SecurityCase[]);
  const commands = cases.filter(({ tool }) => tool === 'Bash');
  const reportOf = ({ input }: SecurityCase): ShellReport =>
    inspectCommand(
      (input.command ?? '').replaceAll('{WS}', '/ws').replaceAll('{OUT}', '/out').replaceAll('{HOME}', '/home/u'),
      FACTS,
    );
  /** Left to who knows the configuration of a repository and the limit of parts. */
  const BY_PLACE = ['A36', 'A37'];

  test.each(commands.filter(({ expectDecision, id }) => expectDecision !== 'allow' && !BY_PLACE.includes(id)))(
    '$id is more than reading',
    (row) => expect(onlyReads(reportOf(row))).toBe(false),
  );

  test.each(commands.filter(({ id }) => BY_PLACE.includes(id)))('$id tells the folder of git', (row) => {
    const report = reportOf(row);
    expect(report.isClear && report.parts.at(-1)?.gitFolder).toMatch(/^\/ws\/(?:vendor\/bare|hostile)$/);
  });

  test.each(commands.filter(({ expectDecision }) => expectDecision === 'allow'))('$id can be covered by rules', (row) => {
    const report = reportOf(row);
    expect(
      report.isClear && report.parts.every(({ beyondPrefix, beyondRules }) => beyondPrefix === null && beyondRules === null),
    ).toBe(true);
  });
});
