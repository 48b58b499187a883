/** Numbers of a fixed course, so that a failure can be run again by its seed. */
type Random = () => number;

/** A command of bash made from a grammar that holds its odd corners. Programs named `c1`, `w1` and so on are canaries. */
export function generateCommand(seed: number): string {
  const random = createRandom(seed);
  return statements(createGrammar(random), random() < 0.75 ? 1 : 2).trimEnd();
}

interface Grammar {
  readonly chance: (share: number) => boolean;
  readonly pick: <T>(choices: readonly T[]) => T;
}

function createRandom(seed: number): Random {
  let state = (seed * 2_654_435_761 + 12_345) >>> 0;
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function createGrammar(random: Random): Grammar {
  return {
    chance: (share) => random() < share,
    pick: (choices) => choices[Math.floor(random() * choices.length)] as (typeof choices)[number],
  };
}

const ends = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);

function statements(grammar: Grammar, depth: number): string {
  const count = grammar.pick([1, 1, 1, 2]);
  return Array.from({ length: count }, () => statement(grammar, depth)).reduce((before, next) =>
    before.endsWith('\n') ? before + next : before + grammar.pick(['; ', '\n', ' & ', ' ; ']) + next,
  );
}

function statement(grammar: Grammar, depth: number): string {
  const { chance, pick } = grammar;
  if (chance(0.06)) return hereDocument(grammar, depth);
  if (chance(0.05)) return `# ${pick(['note', "it's", '$(c1)', 'x \\'])}\n${statement(grammar, depth)}`;
  if (chance(0.25)) return `${inLine(grammar, depth)} ${pick(['&&', '||', '|', '|&'])} ${inLine(grammar, depth)}`;
  return inLine(grammar, depth);
}

function inLine(grammar: Grammar, depth: number): string {
  const { chance, pick } = grammar;
  if (depth > 0 && chance(0.3)) return compound(grammar, depth - 1) + (chance(0.2) ? ` ${redirection(grammar, depth - 1)}` : '');
  if (chance(0.05)) return `${pick(['!', 'time', 'time -p'])} ${inLine(grammar, depth)}`;
  return simple(grammar, depth);
}

function compound(grammar: Grammar, depth: number): string {
  const { chance } = grammar;
  const body = (): string => ends(statements(grammar, depth));
  const one = (): string => word(grammar, depth);
  const forms: readonly (() => string)[] = [
    () => `( ${body()})`,
    () => `{ ${body()}}`,
    () => `if ${body()}then ${body()}else ${body()}fi`,
    () => `if ${body()}then ${body()}elif ${body()}then ${body()}fi`,
    () => `for x in ${one()}; do ${body()}done`,
    () => `for x in a b; do ${body()}done`,
    () => `for ((i${depth}=0; i${depth}<${grammar.pick(['2', '$(c2; echo 1)'])}; i${depth}++)); do ${body()}done`,
    () => `while ${grammar.pick(['false', 'test -n "$none"'])}; do ${body()}done`,
    () => `until true && ${simple(grammar, depth)}; do break; ${body()}done`,
    () =>
      `case ${one()} in ${grammar.pick(['a', '*', '$(c3)'])}) ${body()};; *) ${body()}${grammar.pick([';;', ';&', ';;&'])} esac`,
    () =>
      `[[ ${grammar.pick([chance(0.1) ? "-n x && 'a[$(c1)]' -eq 0" : 'a < b', 'a = $(c3)', 'x =~ ^(x|y)$', '-f f1', '1 -lt 2'])} ]]`,
    () => `(( ${grammar.pick(['1 + 2', 'i += 1', '3 > 2', chance(0.1) ? 'a[$(c1)]' : '1'])} ))`,
    () => (chance(0.7) ? `( ${body()})` : `${grammar.pick(['fun()', 'function fun', 'function fun()'])} { ${body()}}; fun`),
    () => (chance(0.7) ? `{ ${body()}}` : `coproc { ${body()}}`),
    () => `select x in a b; do ${body()}break; done < /dev/null`,
  ];
  return grammar.pick(forms)();
}

const CODE_IN_TEXT = [
  'env X=1 w3',
  "sed 'w wnew' f1",
  "sed -n 's/a/b/w wnew' f1",
  "sed '1e ./w1' f1",
  "eval 'c1 a'",
  'eval "$(echo c2)"',
  "test -v 'a[$(c1)]'",
  "[ -v 'a[$(c1)]' ]",
  "printf -v 'a[$(c1)]' x",
  "let 'a[$(c1)]=1'",
  "unset 'a[$(c1)]'",
  "declare 'a[$(c1)]=1'",
  "read 'a[$(c1)]' <<< x",
  "x='a[$(c1)]'; echo $((x))",
  "x='a[$(c1)]'; echo ${y:x}",
  'x=\'$(c1)\'; echo "${x@P}"',
  "x='a[$(c1)]'; echo ${!x}",
  "x='a[$(c1)]'; [[ x -eq 0 ]]",
  "x='a[$(c1)]'; (( x ))",
  "x='a[$(c1)]'; a[x]=1",
  "x='-v a[$(c1)]'; test $x",
  "mapfile -C c1 -c 1 <<< 'x'",
  "trap 'c1' EXIT",
  'hash -p ./w1 foo; foo',
  'exec w1',
  'x=c1; $x a',
  '"$(echo c2)" b',
  "y=1; y+='$(c1)'; echo $y",
  "source /dev/stdin <<< 'c1'",
  'PS4="\\$(c1)"; set -x; true',
  'bash -c "c4; w1"',
  "echo 'w1' | sh",
  "compgen -W '$(c1)'",
  "wait -n -p 'a[$(c1)]'",
  'shopt -s expand_aliases\nalias aa=c1\naa',
] as const;

const WRAPPED = [
  'timeout 5 w1 a',
  'timeout -k 1 5 w2',
  'nice -n 5 w1',
  'env w2',
  'env -i ./w1',
  'echo a b | xargs w1',
  'echo a b | xargs -n 1 w2 x',
  'echo a | xargs -I{} w1 {}',
  'echo a | xargs -I % touch "q%"',
  'find . -name f1 -exec w1 {} ";"',
  'find . -name f1 -exec touch {}.new \\;',
  'find . -fprint fnew',
  'find . -name f1 -execdir w2 {} +',
  'command c1',
  'command -v c1',
  'nohup w3',
  'timeout 5 env nice w1',
  'stdbuf -o0 w2',
  './w1 a',
  'sort -o snew f1',
  'sort --outp=snew f1',
  'sort -uosnew f1',
  'uniq f1 unew',
  "sed -i 's/a/b/' f1",
  'sed s/a/b/g f1',
  "sed -n '1,2p;/x/{p;q}' f1",
  'tee tnew < f1',
  'cp f1 d1',
  'cp f1 cnew',
  'mv f1 mnew',
  'touch enew d1/enew',
  'mkdir -p nd/ne',
  'cd d1 && touch inner',
  'cd d1; touch after',
  'cd nowhere || touch here',
  '(cd d1 && c1 > sub); touch top',
  'cat f1 | head -1',
  'grep -r a .',
  'ls -la d1',
  'wc -l f1 | sort -rn',
] as const;

const XARGS_OPTIONS = [
  '-n 1',
  '-n1',
  '-r',
  '-0',
  '-t',
  '--replace',
  '--replace=@',
  '--max-lines',
  '--max-lines=1',
  '--max-args=1',
  '-L 1',
  '-I @',
  '-I{}',
  '-d ,',
  '--no-run-if-empty',
  '-P 1',
  '--max-args 1',
] as const;

/** What xargs runs, where an option may swallow a word or not. */
function xargs({ pick }: Grammar): string {
  const options = Array.from({ length: pick([0, 1, 1, 2]) }, () => pick(XARGS_OPTIONS));
  const command = pick(['w1', 'w2 ls', 'touch qx', 'ls', 'ls touch', 'touch ls qy', 'w1 echo', 'echo w2', 'head w3 -n', 'wc -l']);
  return `echo ${pick(['a', 'a b', '1 f1', '{}'])} | ${pick(['', '', 'timeout 5 '])}xargs ${[...options, command].join(' ')}`;
}

/** An array, and what bash reads on behind it as the same word. */
function array(grammar: Grammar, depth: number): string {
  const { pick } = grammar;
  const elements = Array.from({ length: pick([0, 1, 2]) }, () => word(grammar, Math.min(depth, 1))).join(' ');
  const behind = [
    () => '',
    () => `"${substitution(grammar, 0)}"`,
    () => substitution(grammar, 0),
    () => `\${none:=${substitution(grammar, 0)}}`,
    () => 'b',
    () => `'q'${substitution(grammar, 0)}`,
    () => ' c1',
  ];
  return `${pick(['a', 'b+', 'a', 'a[1]'])}=(${elements})${pick(behind)()}`;
}

/** Conversions with modifiers, some of which set what the next word names. */
function printed({ pick }: Grammar): string {
  const conversion = `%${pick(['', '', '5', '-3', '.2', '*', '%%'])}${pick(['', 'l', 'h', 'll', 'z', 'q', 'j', 't'])}${pick(['s', 'd', 'n', 'n', '%n', 'b', 'x'])}`;
  return `printf ${pick([conversion, `'a${conversion}'`, `"${conversion}\\n"`])} ${pick(['x', '1', "'a[$(c1)]'", "1 'a[$(c2)]'"])}`;
}

/** An option whose value may be several words, of which the next may be an option. */
function valued(grammar: Grammar): string {
  const { pick } = grammar;
  const several = pick([
    '{1,-ovnew}',
    '$(echo 1 -o vnew)',
    '{1,f1}',
    '$x',
    '"$x"',
    '`echo 1 -ovnew`',
    '1',
    '-ovnew',
    '--output=vnew',
    'f*',
    '-- -ovnew',
  ]);
  return pick([
    `sort -k ${several} f1`,
    `sort -t ${several} f1`,
    `sort -k${several} f1`,
    `uniq -f ${several} f1`,
    `head -n ${several} f1`,
    `grep -m ${several} a f1`,
    `cp ${several} f1 d1`,
    `tee ${several}`,
  ]);
}

function simple(grammar: Grammar, depth: number): string {
  const { chance, pick } = grammar;
  if (chance(0.015)) return pick(CODE_IN_TEXT);
  if (chance(0.12)) return pick([xargs, printed, valued, array])(grammar, depth);
  if (chance(0.2)) return pick(WRAPPED);
  const prefix = chance(0.08) ? `${pick(['x', 'LANG', 'LANG', 'LC_ALL', 'FOO'])}=${pick(['C', 'C', word(grammar, depth)])} ` : '';
  if (chance(0.06))
    return `${pick(['x', 'n', 'y', 'x', chance(0.2) ? 'a[$(c1)]' : 'a[1]', 'x+'])}=${pick([word(grammar, depth), word(grammar, depth), '(1 2 $(c2))', chance(0.2) ? '([$(c3)]=1)' : 'z'])}`;
  const words = Array.from({ length: pick([0, 1, 1, 2]) }, () => word(grammar, depth));
  const redirections = Array.from({ length: chance(0.25) ? 1 : 0 }, () => redirection(grammar, depth));
  return prefix + [name(grammar, depth), ...words, ...redirections].join(' ');
}

function name(grammar: Grammar, depth: number): string {
  const { chance, pick } = grammar;
  const canary = pick(['c1', 'c2', 'c3', 'w1', 'w2', 'c4']);
  if (chance(0.35)) return pick(['echo', 'true', ':', 'printf %s', 'echo', 'echo', 'cat', 'ls', chance(0.1) ? 'export' : 'head']);
  if (chance(0.03) && depth > 0) return substitution(grammar, depth - 1);
  if (chance(0.3)) {
    const rest = canary.slice(1);
    return pick([
      `'${canary}'`,
      `"${canary}"`,
      `${canary[0] ?? ''}\\${rest}`,
      `$'\\x${canary.charCodeAt(0).toString(16)}${rest}'`,
      `${canary[0] ?? ''}""${rest}`,
      `${canary[0] ?? ''}\\\n${rest}`,
      `\\${canary}`,
    ]);
  }
  return canary;
}

function word(grammar: Grammar, depth: number): string {
  const { chance, pick } = grammar;
  if (depth <= 0 || chance(0.5)) {
    return pick([
      'a',
      'b',
      "'a b'",
      '"x y"',
      '-n',
      '--',
      '*',
      'f?',
      '$x',
      '"$x"',
      '$#',
      '~',
      'a\\ b',
      "$'\\t'",
      '{a,b}',
      '"$@"',
      'f1',
      '[a-c]',
      '$((1+2))',
      '!',
    ]);
  }
  return pick([
    () => substitution(grammar, depth - 1),
    () => `"a${substitution(grammar, depth - 1)}b"`,
    () => `\${x:-${word(grammar, depth - 1)}}`,
    () => `\${none:=${substitution(grammar, depth - 1)}}`,
    () => `"\${x/a/${substitution(grammar, depth - 1)}}"`,
    () => `\${x#${substitution(grammar, depth - 1)}}`,
    () => (chance(0.2) ? '$((1 + $(c3; echo 1)))' : '$((1 + 2))'),
    () => (chance(0.1) ? pick(['$((a[$(c1; echo 0)]))', '${a[$(c4; echo 0)]}', '${x:$(c2; echo 0)}']) : '${a[1]}'),
    () => `{a,${substitution(grammar, depth - 1)}}`,
    () => `<(${statements(grammar, depth - 1)}${grammar.pick(['', '\n'])})`,
    () => `$"t${substitution(grammar, depth - 1)}"`,
    () => `a${word(grammar, depth - 1)}`,
  ])();
}

function substitution(grammar: Grammar, depth: number): string {
  const { pick } = grammar;
  return pick([
    () => `$(${statements(grammar, depth)}\n)`,
    () => `$(${simple(grammar, 0)})`,
    () => `\`${pick(['c1', 'c2 a', 'w1', 'echo \\`c3\\`', 'echo c4'])}\``,
    () => `$( (${simple(grammar, 0)}) )`,
    () => '$(< f1)',
  ])();
}

function redirection(grammar: Grammar, depth: number): string {
  const { chance, pick } = grammar;
  const target = chance(0.1) ? word(grammar, depth) : pick(['out', '"out"', 'd1/out', "o'u't", 'f1', '/dev/null']);
  return pick(
    ['>', '>>', '>|', '&>', '2>', '<>', '>&', '&>>', '2>&1 >', '3>', chance(0.1) ? '{fd}>' : '>', '<', '<<<'].map(
      (operator) => `${operator} ${target}`,
    ),
  );
}

function hereDocument(grammar: Grammar, depth: number): string {
  const [open, close] = grammar.pick([
    ['<<EOF', 'EOF'],
    ["<<'EOF'", 'EOF'],
    ['<<\\EOF', 'EOF'],
    ['<<"E O"', 'E O'],
    ['<<-EOF', '\tEOF'],
  ] as const);
  const body = grammar.pick([
    () => 'plain',
    () => `a ${substitution(grammar, Math.min(depth, 1))} b`,
    () => '`c1`',
    () => '\\$(c2)',
    () => '${x:-$(c3)}',
    () => 'EOF $(c4)',
    () => 'it\'s "odd" $((1+$(c1; echo 1)))',
  ])();
  return `${grammar.pick(['cat', 'c1', 'cat f1 -'])} ${open}\n${body}\n${close}\n`;
}
