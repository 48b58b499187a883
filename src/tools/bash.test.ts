import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createToolBench, type ToolBench } from '../../test/tool-bench.ts';

let bench: ToolBench;
beforeEach(() => {
  bench = createToolBench();
});
afterEach(() => bench.close());

const run = (command: string, more: Readonly<Record<string, unknown>> = {}) => bench.call('Bash', { command, ...more });

/** The whole answer of a command that ended by itself. */
function ended(output: string, exitCode = 0): { text: string; isError: boolean } {
  return { text: `<output>\n${output}\n</output>\n<exit_code>${exitCode}</exit_code>`, isError: false };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie is dead; who reaps it is not our business.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

const pidIn = (text: string): number => Number(/pid=(\d+)/.exec(text)?.[1]);

describe('what a command answers', () => {
  test('both streams come in the order in which they were written', async () => {
    expect(await run('echo one; echo two >&2; echo three; echo four >&2')).toMatchObject(ended('one\ntwo\nthree\nfour'));
  });

  // A socket in place of a pipe cannot be opened again, and scripts do that.
  test('/dev/stdout and /dev/stderr can be written to', async () => {
    const answer = await run('echo one >/dev/stderr; echo two | tee /dev/stderr >/dev/null; echo three >/dev/stdout');
    expect(answer).toMatchObject(ended('one\ntwo\nthree'));
  });

  test('a non-zero exit is a result and not an error', async () => {
    expect(await run('echo broken; exit 7')).toMatchObject({ ...ended('broken', 7), metadata: { exitCode: 7, timedOut: false } });
    expect(await run('no-such-program')).toMatchObject({ isError: false, metadata: { exitCode: 127 } });
  });

  test('no output is an empty output', async () => {
    expect(await run('true')).toMatchObject(ended(''));
  });

  test('a signal is 128 and its number, and is named', async () => {
    const answer = await run('kill -9 $$');
    expect(answer).toMatchObject({ isError: false, metadata: { exitCode: 137, signal: 'SIGKILL' } });
    expect(answer.text).toContain('<exit_code>137</exit_code>\nThe command was ended by the signal SIGKILL.');
  });

  test('the exit code of a program that a signal ended inside the command is explained', async () => {
    expect((await run("sh -c 'kill -SEGV $$'; exit $?")).text).toContain(
      'Exit code 139 is what a shell reports of a program that SIGSEGV ended.',
    );
  });

  test('each call starts afresh in the project root', async () => {
    mkdirSync(bench.path('sub'));
    expect(await run('cd sub && V=1 && export V && pwd')).toMatchObject(ended(bench.path('sub')));
    expect(await run('pwd; echo "V=$V"')).toMatchObject(ended(`${bench.root}\nV=`));
    expect(await run('rm -rf sub && echo gone')).toMatchObject(ended('gone'));
    expect(await run('echo alive')).toMatchObject(ended('alive'));
  });

  test('a project root that is gone is said, and commands work again when it is back', async () => {
    rmSync(bench.root, { recursive: true });
    expect(await run('true')).toMatchObject({
      isError: true,
      text: `The command could not be started in ${bench.root}: the folder is not there any more. Nothing ran.`,
    });
    mkdirSync(bench.root);
    expect(await run('echo back')).toMatchObject(ended('back'));
  });
});

describe('awkward commands', () => {
  test.each([
    ['an escaped ampersand starts no background job', 'printf x\\&', ended('x&')],
    ['a backslash at a line end joins lines', 'echo a \\\n  b', ended('a b')],
    ['a comment at the end swallows nothing', 'echo a # b', ended('a')],
    ['a heredoc ends with its last line', "cat <<'EOF'\nhi $there\nEOF", ended('hi $there')],
    ['quotes of all kinds survive', `printf '%s|' "it's" 'say "so"' \\$HOME`, ended(`it's|say "so"|$HOME|`)],
    ['text in any script survives', 'printf "日本 é 👩‍👩‍👧"', ended('日本 é 👩‍👩‍👧')],
  ])('%s', async (_name, command, expected) => {
    expect(await run(command)).toMatchObject(expected);
  });

  test('an unclosed quote is a syntax error of the shell and does not hang', async () => {
    const answer = await run('echo "unclosed');
    expect(answer).toMatchObject({ isError: false, metadata: { exitCode: 2, timedOut: false } });
    expect(answer.text).toContain('unexpected EOF');
  });

  test('an empty command and a NUL are refused before anything runs', async () => {
    expect(await run(' \n')).toMatchObject({
      isError: true,
      text: 'Bash was not run: "command" is empty. Give the command to run.',
    });
    expect(await run('echo \0')).toMatchObject({ isError: true, text: expect.stringContaining('NUL character') });
    expect(await run('true', { timeout_ms: 600_001 })).toMatchObject({
      isError: true,
      text: expect.stringContaining('"timeout_ms"'),
    });
  });

  test('a command over 128 KiB works, leaves no file behind, and so does the next', async () => {
    const text = 'é'.repeat(75_000);
    expect(await run(`cat > big.txt <<'EOF'\n${text}\nEOF\nwc -c < big.txt; false; echo $?`)).toMatchObject(ended('150001\n1'));
    expect(readFileSync(bench.path('big.txt'), 'utf8')).toBe(`${text}\n`);
    expect(await run('ls -A ../state/output/test')).toMatchObject(ended(''));
    expect(await run('echo next')).toMatchObject(ended('next'));
  });
});

describe('what a command leaves running', () => {
  test.each([
    ['a background child', 'sleep 100 & echo started pid=$!'],
    ['one that writes nowhere', 'sleep 100 >/dev/null 2>&1 & echo started pid=$!'],
    ['one that ignores hang-ups', 'nohup sleep 100 & echo started pid=$!'],
    ['one in a session of its own', 'setsid sleep 100 & echo started pid=$!'],
    ['one in a session of its own that writes nowhere', 'setsid sleep 100 >/dev/null 2>&1 & echo started pid=$!'],
    ['one that its parent has left', '(setsid sh -c "echo started pid=\\$\\$; exec sleep 100" &); sleep 0.3'],
  ])('%s ends with the call and is named', async (_name, command) => {
    const answer = await run(command, { timeout_ms: 20_000 });
    expect(answer).toMatchObject({ isError: false, metadata: { exitCode: 0, timedOut: false } });
    expect(answer.text).toMatch(
      /<exit_code>0<\/exit_code>\nStill running when the command ended, and stopped: (sleep|setsid|bash|sh) \(pid \d+\)\.$/,
    );
    expect(isAlive(pidIn(answer.text))).toBe(false);
  });

  test('one that ignores TERM is killed', async () => {
    const stubborn = `bash -c 'trap "" TERM; echo pid=$$ > up; while :; do sleep 0.1; done' & until [ -s up ]; do sleep 0.02; done; cat up`;
    const answer = await run(stubborn);
    expect(answer).toMatchObject({ isError: false, metadata: { survivors: [] } });
    expect(isAlive(pidIn(answer.text))).toBe(false);
  });

  test('one that left everything but its output is found by that', async () => {
    const answer = await run('env -i setsid sleep 5.25 & echo up');
    expect(answer).toMatchObject({ isError: false, metadata: { exitCode: 0, survivors: [] } });
    expect(answer.text).toMatch(/Still running when the command ended, and stopped: .*sleep \(pid \d+\)/);
    expect(isAlive(Number(/sleep \(pid (\d+)\)/.exec(answer.text)?.[1]))).toBe(false);
  });

  test('the last words of a process substitution are waited for', async () => {
    expect(await run('echo x > >(sleep 0.02; tr x y)')).toMatchObject(ended('y'));
  });
});

describe('the deadline', () => {
  test('it is an error with the output so far, and ends the whole tree', async () => {
    const answer = await run('echo begun; sleep 300 & echo pid=$!; setsid sh -c "sleep 3; echo late > late.txt" & sleep 300', {
      timeout_ms: 400,
    });
    expect(answer).toMatchObject({ isError: true, metadata: { timedOut: true, aborted: false, survivors: [] } });
    expect(answer.text).toContain('<output>\nbegun\npid=');
    expect(answer.text).toContain('Stopped at the deadline of 400 ms with all that could be found of what it had started.');
    expect(isAlive(pidIn(answer.text))).toBe(false);
    expect(await run('ps -A -o args= | grep -c "[l]ate.txt"')).toMatchObject(ended('0', 1));
  });

  test('a process that ignores TERM is killed', async () => {
    const answer = await run('trap "" TERM; echo armed pid=$$; while :; do sleep 0.1; done', { timeout_ms: 300 });
    expect(answer).toMatchObject({ isError: true, metadata: { timedOut: true, signal: 'SIGKILL', survivors: [] } });
    expect(answer.text).toContain('<output>\narmed pid=');
    expect(isAlive(pidIn(answer.text))).toBe(false);
  });

  test('an endless flood ends at it, and the answer stays short', async () => {
    const answer = await run('yes flood', { timeout_ms: 500 });
    expect(answer).toMatchObject({ isError: true, metadata: { timedOut: true } });
    expect(answer.text.length).toBeLessThan(10_700);
    expect(answer.text.startsWith('<output>\nflood\nflood\n')).toBe(true);
  });
});

describe('an abort', () => {
  test('ends all that runs, keeps the output so far, and the next call is normal', async () => {
    const stop = new AbortController();
    const call = bench.call('Bash', { command: 'echo begun pid=$$; touch up; sleep 1; echo done > after.txt' }, stop.signal);
    while (!existsSync(bench.path('up'))) await sleep(10);
    stop.abort();
    const answer = await call;
    expect(answer).toMatchObject({ isError: true, metadata: { aborted: true, timedOut: false } });
    expect(answer.text).toMatch(/^<output>\nbegun pid=\d+\n<\/output>/);
    expect(answer.text).toContain(
      'Interrupted by the person, with all that could be found of what it had started. What it did until then stays done.',
    );
    expect(isAlive(pidIn(answer.text))).toBe(false);
    expect(await run('sleep 1.2; ls; echo next')).toMatchObject(ended('up\nnext'));
  });

  test('one that came before runs nothing', async () => {
    const answer = await bench.call('Bash', { command: 'touch ran.txt' }, AbortSignal.abort());
    expect(answer).toMatchObject({ isError: true, metadata: { aborted: true, exitCode: null } });
    expect(existsSync(bench.path('ran.txt'))).toBe(false);
  });
});

describe('long and odd output', () => {
  test('the middle is left out, and all of it is in a file that only this user can read', async () => {
    const { text } = await run('seq 1 5000');
    const [, head = '', count = '', path = '', tail = ''] =
      /^<output>\n([^]*)\n\[… (\d+) characters left out; all of it: (\S+) …\]\n([^]*)\n<\/output>/.exec(text) ?? [];
    const whole = readFileSync(path, 'utf8');
    expect(whole).toBe(`${Array.from({ length: 5000 }, (_, i) => i + 1).join('\n')}\n`);
    expect(head).toBe(whole.slice(0, 2000));
    expect(`${tail}\n`).toBe(whole.slice(-8000));
    expect(Number(count)).toBe(whole.length - 10_000);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('10,000 characters are not cut, whatever their bytes, and leave no file', async () => {
    const { text, metadata } = await run("printf '😀%.0s' $(seq 10000)");
    expect(text).toBe(ended('😀'.repeat(10_000)).text);
    expect(metadata).toMatchObject({ omittedChars: 0, outputPath: null });
    expect(await run('ls -A ../state/output/test')).toMatchObject(ended(''));
  });

  test('a cut falls between characters', async () => {
    const { text } = await run("printf a; printf '😀%.0s' $(seq 12000)");
    expect(text.isWellFormed()).toBe(true);
    expect(text).not.toContain('\ufffd');
    expect(text).toContain(`a${'😀'.repeat(1999)}\n[… 2001 characters left out`);
    expect(text).toContain(`…]\n${'😀'.repeat(8000)}\n</output>`);
  });

  test('a finite flood ends normally in bounded memory', async () => {
    let peak = 0;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().arrayBuffers)), 20);
    const before = process.memoryUsage().arrayBuffers;
    const answer = await run('head -c 200000000 /dev/zero');
    clearInterval(watch);
    expect(answer).toMatchObject({ isError: false, metadata: { exitCode: 0 } });
    expect(answer.text.length).toBeLessThan(10_700);
    expect(answer.text).toContain('\\x00\\x00');
    expect(peak - before).toBeLessThan(100_000_000);
  });

  test('binary output is shown and stays fit for JSON', async () => {
    expect(await run("printf 'head\\x00\\xff\\xfe\\x01tail\\n'")).toMatchObject(ended('head\\x00\ufffd\ufffd\\x01tail'));
    const { text, isError } = await run('head -c 3000 /dev/urandom');
    expect(isError).toBe(false);
    expect(JSON.parse(JSON.stringify(text))).toBe(text);
    // oxlint-disable-next-line no-control-regex -- none of these may reach the model
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/);
  });

  test('short output that grows in the showing is cut and kept whole too', async () => {
    const { text } = await run('head -c 4000 /dev/zero');
    const path = /all of it: (\S+) …/.exec(text)?.[1] ?? '';
    expect(readFileSync(path)).toEqual(Buffer.alloc(4000));
  });

  test('progress keeps its last state and escapes are gone', async () => {
    const command = `for i in 1 2 3; do printf '\\r%d%%' $i; done; printf '\\n\\x1b[31mred\\x1b[0m \\x1b]0;title\\x07\\x1b]8;;http://x\\x07link\\x1b]8;;\\x07\\n'`;
    expect(await run(command)).toMatchObject(ended('3%\nred link'));
  });
});

describe('the surroundings of a command', () => {
  test('keys of the agent do not reach it; what programs need does', async () => {
    await bench.close();
    const environment = {
      PATH: process.env['PATH'],
      HOME: '/h',
      LC_ALL: 'C',
      ANTHROPIC_API_KEY: 'sk-1',
      OPENAI_API_KEY: 'sk-2',
      GITHUB_TOKEN: 't',
      AWS_SECRET_ACCESS_KEY: 's',
      NODE_OPTIONS: '--inspect',
      BASH_ENV: 'x',
    };
    bench = createToolBench({ environment });
    const { text } = await run('env | cut -d= -f1 | sort | tr "\\n" " "; echo "$HOME $LC_ALL"');
    expect(text).toBe(
      ended(
        'DEBIAN_FRONTEND EDITOR GIT_ASKPASS GIT_CONFIG_COUNT GIT_CONFIG_KEY_0 GIT_CONFIG_VALUE_0 GIT_EDITOR GIT_PAGER GIT_TERMINAL_PROMPT HOME LC_ALL MANPAGER PAGER PATH PWD SHLVL SSH_ASKPASS SYSTEMD_PAGER VISUAL WIELD_CALL _ /h C',
      ).text,
    );
  });

  test('nothing waits for a person: no terminal, no input, pagers print, editors and prompts fail', async () => {
    expect(await run('cat; echo "read $?"')).toMatchObject(ended('read 0'));
    expect(await run('(read x </dev/tty) 2>/dev/null; echo $?')).toMatchObject(ended('1'));
    expect(await run('tty; ps -o tty= -p $$')).toMatchObject(ended('not a tty\n?'));
    const repository =
      'git init -q r && cd r && git config core.pager "less -+F" && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m first';
    expect(
      await run(`${repository} && git log --format=%s && git -c user.name=a -c user.email=a@b commit --allow-empty; echo $?`),
    ).toMatchObject({
      isError: false,
      text: expect.stringMatching(/^<output>\nfirst\n[^]*\n1\n<\/output>/),
    });
  });
});
