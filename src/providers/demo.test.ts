import picomatch from 'picomatch';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../core/json-value.ts';
import type { Message, ToolResultBlock, ToolUseBlock } from '../core/message.ts';
import type { ModelEvent } from '../core/model.ts';
import type { ToolSpec } from '../core/tool.ts';
import { createDemoProvider } from './demo.ts';

const ROOT = '/home/ann/shop';
const LABEL = { en: '(demo model: rules, not an AI)', zh: '（演示模型：按规则回答，不是 AI）' };

const SHOP: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify(
    {
      name: 'shop',
      version: '1.4.2',
      description: 'A small shop',
      license: 'MIT',
      main: 'dist/index.js',
      scripts: { start: 'node src/index.js', test: 'node --test', lint: 'eslint .' },
      dependencies: { chalk: '5', 'left-pad': '1' },
    },
    null,
    2,
  ),
  'config.json':
    '{\n  "server": { "host": "0.0.0.0", "port": 8080 },\n  "database": {\n    "host": "db.local",\n    "port": 5432\n  },\n  "timeoutMs": 3000\n}\n',
  'settings.yaml': 'log:\n  level: info\nservices:\n  - name: redis\n    port: 6379\n',
  'README.md': '# Shop\n\nA small shop that sells foo.\n\n## Use\n\nTODO: write this.\n',
  'a.txt': 'foo one\nfoobar two\nfoo three\n',
  'src/index.js':
    "import { priceAfter } from './price.js';\n\n// TODO: read args\nexport function main() {\n  console.log(priceAfter(1000, 10));\n}\nmain();\n",
  'src/price.js':
    '/** The price in cents after a discount in percent. */\nexport function priceAfter(cents, discountPercent) {\n  const discount = (cents * discountPercent) / 10;\n  return Math.round(cents - discount);\n}\n',
  'test/price.test.js':
    "import test from 'node:test';\nimport { priceAfter } from '../src/price.js';\ntest('ten percent off', () => {});\n",
};

interface FakeOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly isSnakeCase?: boolean;
  readonly without?: readonly string[];
  readonly denied?: Readonly<Record<string, string>>;
  readonly bash?: (command: string, files: ReadonlyMap<string, string>) => { readonly output: string; readonly exitCode: number };
  readonly system?: string;
  readonly mostListed?: number;
}

interface Made {
  readonly name: string;
  readonly input: JsonObject;
  readonly isError: boolean;
}

interface Talk {
  readonly calls: readonly Made[];
  readonly words: readonly string[];
  readonly final: string;
  readonly rounds: number;
  readonly files: ReadonlyMap<string, string>;
}

const SPELLINGS: Readonly<Record<string, string>> = {
  read_file: 'ReadFile',
  write_file: 'WriteFile',
  patch_file: 'EditFile',
  run_command: 'Bash',
  glob: 'Glob',
  search: 'Grep',
};
const KEYS: Readonly<Record<string, readonly string[]>> = {
  ReadFile: ['path', 'offset', 'limit'],
  WriteFile: ['path', 'content'],
  EditFile: ['path', 'old_string', 'new_string', 'replace_all'],
  Bash: ['command', 'timeout_ms'],
  Glob: ['pattern', 'path'],
  Grep: ['pattern', 'path', 'glob', 'ignore_case', 'max_results'],
};

function specsOf({ isSnakeCase = false, without = [] }: FakeOptions): readonly ToolSpec[] {
  return Object.entries(SPELLINGS)
    .filter(([, name]) => !without.includes(name))
    .map(([snakeCase, name]) => {
      const keys = (KEYS[name] ?? []).map((key) =>
        isSnakeCase && name === 'Grep' ? ({ pattern: 'query', max_results: 'maxResults' }[key] ?? key) : key,
      );
      const properties = Object.fromEntries(keys.map((key) => [key, {}]));
      return {
        name: isSnakeCase ? snakeCase : name,
        description: '',
        inputSchema: { type: 'object', properties },
        category: 'file',
        isReadOnly: true,
        isDestructive: false,
      };
    });
}

class FakeProject {
  readonly files: Map<string, string>;
  readonly #options: FakeOptions;

  constructor(options: FakeOptions) {
    this.files = new Map(Object.entries(options.files ?? SHOP));
    this.#options = options;
  }

  answer(name: string, input: JsonObject): { readonly text: string; readonly isError: boolean } {
    const tool = SPELLINGS[name] ?? name;
    const refusal = this.#options.denied?.[tool];
    if (refusal !== undefined) return { text: refusal, isError: true };
    const given = typeof input['path'] === 'string' ? input['path'] : ROOT;
    if (name === tool && !given.startsWith('/'))
      return {
        text: `${tool} was not run: "path" must be an absolute path. You probably meant "${ROOT}/${given}".`,
        isError: true,
      };
    const path = given === ROOT ? '' : given.replace(`${ROOT}/`, '');
    const text = this.#run(tool, input, path);
    return text.startsWith('!') ? { text: text.slice(1), isError: true } : { text, isError: false };
  }

  #run(tool: string, input: JsonObject, path: string): string {
    switch (tool) {
      case 'ReadFile':
        return this.#read(path, input);
      case 'WriteFile':
        this.files.set(path, String(input['content']));
        return `Wrote ${String(input['content']).length} bytes to ${ROOT}/${path} (new file).`;
      case 'EditFile':
        return this.#edit(path, input);
      case 'Glob':
        return this.#glob(path, String(input['pattern']));
      case 'Grep':
        return this.#grep(path, input);
      default: {
        const { output, exitCode } = this.#options.bash?.(String(input['command']), this.files) ?? { output: 'ok', exitCode: 0 };
        return `<output>\n${output}\n</output>\n<exit_code>${exitCode}</exit_code>`;
      }
    }
  }

  #read(path: string, { offset = 1, limit = 2000 }: JsonObject): string {
    const text = this.files.get(path);
    if (text === undefined) return `!There is no file ${ROOT}/${path}. Find it with Glob.`;
    if (text === '') return `${ROOT}/${path} is empty (0 bytes).`;
    const lines = text.replace(/\n$/, '').split('\n');
    const shown = lines.slice(Number(offset) - 1, Number(offset) - 1 + Number(limit));
    const left = lines.length - (Number(offset) - 1 + shown.length);
    const note = left > 0 ? [`[${left} more lines remain; go on with offset ${Number(offset) + shown.length}.]`] : [];
    return [...shown.map((line, at) => `${Number(offset) + at}\t${line}`), ...note].join('\n');
  }

  #edit(path: string, input: JsonObject): string {
    const text = this.files.get(path) ?? '';
    const [from, to] = [String(input['old_string']), String(input['new_string'])];
    const count = text.split(from).length - 1;
    if (count === 0) return `!old_string was not found in ${ROOT}/${path}; what you remember of it may be out of date.`;
    if (count > 1 && input['replace_all'] !== true)
      return `!old_string occurs ${count} times in ${ROOT}/${path} (lines 1, 3); nothing was changed.`;
    this.files.set(
      path,
      text.replaceAll(from, () => to),
    );
    return `Edited ${ROOT}/${path}: ${count === 1 ? 'one place' : `${count} places`}.\n1\t${to}`;
  }

  #glob(folder: string, pattern: string): string {
    const found = this.#below(folder).filter((file) => picomatch(pattern, { dot: true })(file));
    if (found.length === 0) return `No file matches ${pattern} under ${ROOT}.\n\nNot looked at: .git, node_modules and the like.`;
    const listed = found.slice(0, this.#options.mostListed);
    const left = found.length - listed.length;
    return [
      `${found.length} files under ${ROOT}, newest first:`,
      ...listed,
      '',
      ...(left === 0 ? [] : [`${left} more not shown: narrow the pattern or the path.`]),
      'Not looked at: .git, node_modules and the like.',
    ].join('\n');
  }

  #grep(path: string, input: JsonObject): string {
    const pattern = String(input['pattern'] ?? input['query']);
    const matches = picomatch(typeof input['glob'] === 'string' ? input['glob'] : '**', { dot: true });
    const expression = new RegExp(pattern, input['ignore_case'] === true ? 'i' : '');
    const rows = this.#below(this.files.has(path) ? '' : path).flatMap((file) => {
      if ((this.files.has(path) && file !== path) || !matches(file)) return [];
      const text = this.files.get(path === '' || this.files.has(path) ? file : `${path}/${file}`) ?? '';
      return text.split('\n').flatMap((line, at) => (expression.test(line) ? [`${file}:${at + 1}: ${line}`] : []));
    });
    if (rows.length === 0) return `No match for ${pattern} in 8 files under ${ROOT}.`;
    return [
      `${rows.length} matches in 2 files under ${path === '' ? ROOT : `${ROOT}/${path}`}:`,
      ...rows,
      '',
      'Not looked at: .git and the like.',
    ].join('\n');
  }

  #below(folder: string): readonly string[] {
    const all = [...this.files.keys()];
    return folder === '' ? all : all.filter((file) => file.startsWith(`${folder}/`)).map((file) => file.slice(folder.length + 1));
  }
}

/** Has the demo model answer some requests in a row, against tools in memory. What is returned is about the last one. */
async function talk(asks: string | readonly string[], options: FakeOptions = {}): Promise<Talk> {
  const project = new FakeProject(options);
  const messages: Message[] = [];
  let last: Omit<Talk, 'files'> = { calls: [], words: [], final: '', rounds: 0 };
  for (const ask of [asks].flat()) {
    messages.push({ role: 'user', content: [{ type: 'text', text: ask }] });
    last = await answerOne(messages, project, options);
  }
  return { ...last, files: project.files };
}

async function answerOne(messages: Message[], project: FakeProject, options: FakeOptions): Promise<Omit<Talk, 'files'>> {
  const calls: Made[] = [];
  const words: string[] = [];
  for (let rounds = 0; rounds < 20; rounds++) {
    const events = await stream(messages, options);
    const text = events.flatMap((event) => (event.type === 'text_delta' ? [event.text] : [])).join('');
    const uses = events.flatMap((event): ToolUseBlock[] =>
      event.type === 'tool_use'
        ? [{ type: 'tool_use', id: `call${messages.length}-${event.index}`, wireId: null, name: event.name, input: event.input }]
        : [],
    );
    messages.push({
      role: 'assistant',
      content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...uses],
      state: 'complete',
      provider: 'demo',
      model: 'demo',
    });
    if (uses.length === 0) return { calls, words, final: text, rounds };
    words.push(text);
    const results = uses.map((use): ToolResultBlock => {
      const { text: answer, isError } = project.answer(use.name, use.input as JsonObject);
      calls.push({ name: use.name, input: use.input as JsonObject, isError });
      return { type: 'tool_result', toolUseId: use.id, content: [{ type: 'text', text: answer }], isError };
    });
    messages.push({ role: 'user', content: results });
  }
  throw new Error('the demo model did not come to an end');
}

async function stream(messages: readonly Message[], options: FakeOptions): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  const system = options.system ?? `You are wield.\n\nWorking directory: ${ROOT}\nPlatform: linux`;
  const request = {
    model: 'demo',
    system,
    messages,
    tools: specsOf(options),
    maxOutputTokens: 1000,
    signal: new AbortController().signal,
  };
  for await (const event of createDemoProvider().stream(request)) events.push(event);
  return events;
}

const names = (made: Talk): readonly string[] => made.calls.map((call) => call.name);

describe('in English', () => {
  test.each([
    [
      "what's in the entry file?",
      ['ReadFile', 'Glob', 'ReadFile'],
      ['`src/index.js`', '`scripts.start`', '7 lines', '`main` (line 4)', 'console.log'],
    ],
    ['what port does the database use in config.json?', ['ReadFile'], ['`database.port` is **5432**', 'line 5']],
    ['show me README', ['Glob', 'ReadFile'], ['`README.md` has 7 lines', 'A small shop that sells foo.']],
    ['show me lines 2-3 of src/price.js', ['ReadFile'], ['lines 2 to 3', '2  export function priceAfter']],
    ['find all *.test.js files', ['Glob'], ['`test/price.test.js`']],
    ['where is priceAfter defined?', ['Grep'], ['`src/price.js:2`']],
    ['search for TODO', ['Grep'], ['2 matches', '`README.md:7`', '`src/index.js:3`']],
    ['how many js files are in src?', ['Glob'], ['**2** js files', '`src`']],
    ['how many lines does README.md have', ['ReadFile'], ['**7** lines']],
    [
      'what is this project?',
      ['Glob', 'ReadFile', 'ReadFile'],
      ['**shop** 1.4.2', 'A small shop', '`npm test`', '8 files', '`src/` (2)'],
    ],
    ['what does src/price.js do?', ['ReadFile'], ['The price in cents', '`priceAfter` (line 2)']],
    ['what version is this project?', ['ReadFile'], ['`version` is **1.4.2**']],
    ['what can you do?', [], ['rules, not an AI', 'run the tests', 'ANTHROPIC_API_KEY']],
    ['who are you?', [], ['I am not an AI']],
    ['does this project use Chalk?', ['ReadFile'], ['Yes', '`chalk` 5 (`dependencies`)']],
    ['does this project use left?', ['ReadFile'], ['no `left` itself', '`left-pad` 1']],
    ['does this project use TODO?', ['ReadFile', 'Grep'], ['does not list `TODO` among its 2 dependencies', '2 matches']],
    ['refactor src/price.js please', [], ['I cannot do that', 'Nothing was changed']],
  ])('%s', async (ask, tools, parts) => {
    const made = await talk(ask);
    expect(names(made)).toEqual(tools);
    for (const part of parts) expect(made.final).toContain(part);
    expect(made.final.endsWith(LABEL.en)).toBe(true);
  });
});

test('counts by type are said to be of the files that were listed', async () => {
  const files = Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`${at}.txt`, '']));
  for (const ask of ['explain this folder', 'what is this project?']) {
    const made = await talk(ask, { files, mostListed: 3 });
    expect(made.final).toContain('5 files.');
    expect(made.final).toContain('By type: .txt × 3');
    expect(made.final).toContain('among the first 3 files only; the other 2 were not listed');
  }
});

test.each(['write me a poem', '帮我写一首诗', 'what can you do?', 'qwertz'])(
  '%s names only the key that there is',
  async (ask) => {
    const { final } = await talk(ask);
    expect(final).toContain('ANTHROPIC_API_KEY');
    expect(final).not.toMatch(/OPENAI|Ollama/);
  },
);

test('no candidate for the entry is asked for twice', async () => {
  const made = await talk("what's in the entry file?", {
    files: { 'package.json': '{"main":"./src/cli/main.ts"}', 'src/cli/main.ts': 'run();\n' },
  });
  const candidates = String(made.calls[1]?.input['pattern']).slice(1, -1).split(',');
  expect(new Set(candidates).size).toBe(candidates.length);
});

describe('in Chinese', () => {
  test.each([
    ['帮我看看项目入口文件里有什么', ['ReadFile', 'Glob', 'ReadFile'], ['`src/index.js`', '共 7 行', '`main`（第 4 行）']],
    ['config.json 里数据库用的是哪个端口?', ['ReadFile'], ['`database.port` 是 **5432**', '第 5 行']],
    ['读一下 README', ['Glob', 'ReadFile'], ['共 7 行', 'A small shop that sells foo.']],
    ['看一下 src/price.js 的第 2 到 3 行', ['ReadFile'], ['第 2 到 3 行']],
    ['有哪些测试文件', ['Glob'], ['`test/price.test.js`']],
    ['哪里用到了 priceAfter', ['Grep'], ['`src/index.js:5`', '`src/price.js:2`']],
    ['搜索 TODO', ['Grep'], ['找到 2 处']],
    ['src 里有几个 js 文件', ['Glob'], ['**2** 个 js 文件']],
    ['README 有多少行', ['Glob', 'ReadFile'], ['**7** 行']],
    ['这个目录是做什么的', ['Glob', 'ReadFile', 'ReadFile'], ['**shop** 1.4.2', '`npm test`']],
    ['你是谁', [], ['不是 AI']],
    ['帮我写一首诗', [], ['做不了', '没有改动']],
  ])('%s', async (ask, tools, parts) => {
    const made = await talk(ask);
    expect(names(made)).toEqual(tools);
    for (const part of parts) expect(made.final).toContain(part);
    expect(made.final.endsWith(LABEL.zh)).toBe(true);
  });
});

describe('changes', () => {
  test('a value that a request describes is changed on its own line', async () => {
    const made = await talk('change the database port in config.json to 5433');
    expect(made.calls.at(-1)?.input).toEqual({
      path: `${ROOT}/config.json`,
      old_string: '    "port": 5432',
      new_string: '    "port": 5433',
    });
    expect(made.files.get('config.json')).toBe(SHOP['config.json']?.replace('5432', '5433'));
    expect(made.final).toContain('`database.port` is now `5433`; it was `5432` (line 5)');
  });

  test('an old value tells which of several is meant', async () => {
    const made = await talk('把端口从 8080 改成 9000（config.json）');
    expect(made.files.get('config.json')).toBe(SHOP['config.json']?.replace('8080', '9000'));
  });

  test('where several values fit nothing is changed', async () => {
    const made = await talk('change the port in config.json to 1');
    expect(names(made)).toEqual(['ReadFile']);
    expect(made.final).toContain('Several values in `config.json` fit');
    expect(made.final).toContain('`server.port` is **8080**');
  });

  test('a word is changed where it stands by itself, with surrounding lines where it is not unique', async () => {
    const made = await talk('replace foo with bar in a.txt');
    expect(made.calls.slice(1).map((call) => call.input['old_string'])).toEqual(['foo one', 'foo three']);
    expect(made.files.get('a.txt')).toBe('bar one\nfoobar two\nbar three\n');
    expect(made.final).toContain('I left 1 other place as it is (line 2)');
  });

  test('all means replace_all', async () => {
    const made = await talk('把 a.txt 里所有的 foo 换成 bar');
    expect(made.calls.at(-1)?.input).toMatchObject({ old_string: 'foo', new_string: 'bar', replace_all: true });
    expect(made.files.get('a.txt')).toBe('bar one\nbarbar two\nbar three\n');
  });

  test('a text that is not there changes nothing and shows the nearest lines', async () => {
    const made = await talk('replace "FOO ONE" with bar in a.txt');
    expect(names(made)).toEqual(['ReadFile']);
    expect(made.final).toContain('I found no `FOO ONE` in `a.txt`, so I changed nothing');
    expect(made.final).toContain('1: foo one');
  });

  test('across the project each file is read and then edited', async () => {
    const made = await talk('replace foo with bar everywhere in the project');
    expect(names(made)).toEqual(['Grep', 'ReadFile', 'ReadFile', 'EditFile', 'EditFile']);
    expect(made.files.get('README.md')).toContain('sells bar');
  });

  const SUMS = {
    'add.js': 'export function add(a, b) {\n  return a + b;\n}\n',
    'main.js': "import { add } from './add.js';\nconsole.log(add(1, 2));\n",
    'all.js': "import './add.js';\n",
  };

  test.each(['rename function add to sum in all files', '将所有文件中的 add 重命名为 sum', 'replace add with sum in all files'])(
    '%s leaves the paths of imports alone and says so',
    async (ask) => {
      const made = await talk(ask, { files: SUMS });
      expect(made.files.get('main.js')).toBe("import { sum } from './add.js';\nconsole.log(sum(1, 2));\n");
      expect(made.files.get('all.js')).toBe(SUMS['all.js']);
      expect(made.final).toMatch(/`main\.js` ?[(（](?:line|第) 1/);
      expect(made.final).toMatch(/`all\.js` ?[(（](?:line|第) 1/);
    },
  );

  test('a name that stands only in a path is left alone in one file too', async () => {
    const only = await talk('rename add to sum in all.js', { files: SUMS });
    expect(names(only)).toEqual(['ReadFile']);
    expect(only.final).toContain('only inside quoted paths');
    const one = await talk('rename add to sum in main.js', { files: SUMS });
    expect(one.final).toContain('I left 1 place inside quoted paths as it is (line 1)');
  });

  test('a new file gets exactly the content that was given', async () => {
    const made = await talk('create notes/hello.txt with the content hi there');
    expect(names(made)).toEqual(['ReadFile', 'WriteFile']);
    expect(made.files.get('notes/hello.txt')).toBe('hi there');
  });

  test('a file that is there already is left alone', async () => {
    const made = await talk('新建 a.txt，内容是 hello');
    expect(names(made)).toEqual(['ReadFile']);
    expect(made.files.get('a.txt')).toBe(SHOP['a.txt']);
    expect(made.final).toContain('已经存在（3 行）');
  });

  test('a line is added behind the last one', async () => {
    const made = await talk('add the line "the end" to a.txt');
    expect(made.files.get('a.txt')).toBe('foo one\nfoobar two\nfoo three\nthe end\n');
  });
});

describe('commands', () => {
  const failing = () => ({ output: 'TAP version 13\nnot ok 1 - ten percent off\n# pass 1\n# fail 1', exitCode: 1 });

  test('the tests run by the command that package.json names, and the exit code decides', async () => {
    const made = await talk('does the test suite pass?', { bash: failing });
    expect(made.calls.at(-1)?.input['command']).toBe('npm test');
    expect(made.final).toContain('The tests **fail**: `npm test` ended with exit code 1');
    expect(made.final).toContain('1 passed, 1 failed');
    expect(made.final).toContain('`not ok 1 - ten percent off`');
  });

  test.each([
    [{ 'pyproject.toml': '[project]\n' }, 'pytest'],
    [{ 'Cargo.toml': '[package]\n' }, 'cargo test'],
    [{ 'go.mod': 'module x\n' }, 'go test ./...'],
    [{ 'test/a.test.js': '' }, 'node --test'],
  ])('%o is tested by %s', async (files, command) => {
    const made = await talk('跑一下测试', { files });
    expect(made.calls.at(-1)?.input['command']).toBe(command);
    expect(made.final).toContain('测试**通过**');
  });

  test('without any test setup no command runs', async () => {
    const made = await talk('run the tests', { files: { 'a.txt': '' } });
    expect(names(made)).toEqual(['ReadFile', 'Glob']);
    expect(made.final).toContain('I found no way to run tests here: there is no `package.json`');
    const scriptless = await talk('run the tests', { files: { 'package.json': '{}' } });
    expect(scriptless.final).toContain('`package.json` has no `test` script');
  });

  test('what changed since a time is the history since then', async () => {
    const made = await talk('what changed in git since yesterday?', {
      bash: () => ({ output: 'commit 1\n a.ts | 2 +-', exitCode: 0 }),
    });
    expect(made.calls.map((call) => call.input['command'])).toEqual(['git log --since=yesterday --stat']);
    expect(made.final).toContain('commit 1');
    expect(made.final).toContain('what is not committed yet is not among them');
    const none = await talk('最近三天改了什么', { bash: () => ({ output: '', exitCode: 0 }) });
    expect(none.calls.map((call) => call.input['command'])).toEqual(['git log --since="3 days ago" --stat']);
    expect(none.final).toContain('没有提交');
  });

  test('of two tasks in one request the second is said to be left', async () => {
    const made = await talk('replace "foo one" with bar in a.txt and then run the tests');
    expect(names(made)).toEqual(['ReadFile', 'EditFile']);
    expect(made.final).toContain('Not done: "run the tests"');
    expect((await talk('看看 a.txt，然后跑一下测试')).final).toContain('还没有做：“跑一下测试”');
  });

  test.each([
    ['run `npm run lint -- --fix`', 'npm run lint -- --fix'],
    ['运行命令 `ls -la`', 'ls -la'],
    ["please execute grep -n 'a b' x.txt and show me the output", "grep -n 'a b' x.txt"],
  ])('%s runs exactly that', async (ask, command) => {
    const made = await talk(ask);
    expect(made.calls.map((call) => call.input['command'])).toEqual([command]);
    expect(made.final).toContain(command);
  });
});

describe('the tour', () => {
  const runTests = (_: string, files: ReadonlyMap<string, string>) =>
    files.get('src/price.js')?.includes('/ 100') === true
      ? { output: '# pass 2\n# fail 0', exitCode: 0 }
      : { output: '# pass 1\n# fail 1', exitCode: 1 };

  test('finds the bug, mends it and runs the tests, with a word before each step', async () => {
    const made = await talk('tour', { bash: runTests });
    expect(made.calls.map(({ name, input }) => [name, input['pattern'] ?? input['path'] ?? input['command']])).toEqual([
      ['Grep', 'discount'],
      ['ReadFile', `${ROOT}/src/price.js`],
      ['EditFile', `${ROOT}/src/price.js`],
      ['Bash', 'node --test'],
    ]);
    expect(made.words.every((words) => words.length > 20)).toBe(true);
    expect(made.files.get('src/price.js')).toContain('(cents * discountPercent) / 100;');
    expect(made.final).toContain('The tests **pass**');
    expect(made.final.endsWith(LABEL.en)).toBe(true);
  });

  test('ends with the key that a real model needs, and no other', async () => {
    for (const ask of ['tour', '导览']) {
      const { final } = await talk(ask, { bash: runTests });
      expect(final).toContain('ANTHROPIC_API_KEY');
      expect(final).not.toMatch(/OPENAI|Ollama/);
    }
  });

  test('tells of tests that fail all the same', async () => {
    const made = await talk('导览', { bash: () => ({ output: '# pass 0\n# fail 2', exitCode: 1 }) });
    expect(made.final).toContain('测试**没有通过**');
  });

  test('stops where the edit is denied, without running the tests', async () => {
    const made = await talk('tour', { denied: { EditFile: 'The person did not allow EditFile; nothing was done.' } });
    expect(names(made)).toEqual(['Grep', 'ReadFile', 'EditFile']);
    expect(made.final).toContain('was denied');
    expect(made.final).toContain('--permission-mode acceptEdits');
    expect(made.final).not.toContain('pass');
  });

  test('says so where the bug is fixed already, and where there is no sample', async () => {
    const fixed = { ...SHOP, 'src/price.js': SHOP['src/price.js']?.replace('/ 10;', '/ 100;') ?? '' };
    expect((await talk('tour', { files: fixed })).final).toContain('is fixed already');
    const none = await talk('tour', { files: { 'README.md': 'discount\n' } });
    expect(names(none)).toEqual(['Grep']);
    expect(none.final).toContain('Nothing was changed');
  });

  test('says that the edit stands untested where the command is denied', async () => {
    const made = await talk('tour', { denied: { Bash: 'Bash was not run: it needs a permission (Bash can change anything).' } });
    expect(made.final).toContain('the tests did not run');
    expect(made.final).toContain('--allowedTools "Bash(node --test)"');
  });
});

describe('what goes wrong', () => {
  test('a file that is elsewhere is looked for by its name', async () => {
    const made = await talk('show me price.js');
    expect(made.calls.map(({ name, isError }) => [name, isError])).toEqual([
      ['ReadFile', true],
      ['Glob', false],
      ['ReadFile', false],
    ]);
    expect(made.final).toContain('`src/price.js` has 5 lines');
  });

  test.each(['read a b.txt', 'read "a b.txt"', '读一下 "a b.txt"'])('%s finds the name with a space', async (ask) => {
    const made = await talk(ask, { files: { 'a b.txt': 'spaced\n' } });
    expect(made.calls.at(-1)).toEqual({ name: 'ReadFile', input: { path: `${ROOT}/a b.txt` }, isError: false });
    expect(made.final).toContain('spaced');
  });

  test('a file that is nowhere is said to be nowhere', async () => {
    const made = await talk('打开 nothing.ts');
    expect(made.final).toContain('没有找到文件 `nothing.ts`');
  });

  test('a refused relative path is read by the absolute one that was meant', async () => {
    const made = await talk('read a.txt', { system: 'You are wield.' });
    expect(made.calls.map(({ input }) => input['path'])).toEqual(['a.txt', `${ROOT}/a.txt`]);
    expect(made.final).toContain('foobar two');
  });

  test.each([
    ['EditFile', 'replace foo with bar in a.txt', 'writing is switched off'],
    ['WriteFile', 'create x.txt with the content hi', 'writing is switched off'],
    ['Bash', 'run the tests', 'Nothing was run'],
    ['ReadFile', 'read a.txt', 'not offered'],
  ])('without %s it says so and how to enable it', async (tool, ask, words) => {
    const made = await talk(ask, { without: [tool] });
    expect(made.calls).toEqual([]);
    expect(made.final).toContain(words);
    expect(made.final).toContain('--disallowedTools');
  });

  test('any other failure is told in the words of the tool', async () => {
    const made = await talk('read a.txt', {
      denied: { ReadFile: `Permission denied: ${ROOT}/a.txt. This user may not access it.\nMore.` },
    });
    expect(made.final).toContain(`> Permission denied: ${ROOT}/a.txt. This user may not access it.`);
    expect(made.final).not.toContain('answer y');
  });

  test('a command that did not end is no success', async () => {
    const text = '<output>\nhalf\n</output>\nStopped at the deadline of 30000 ms with all that it had started.';
    const made = await talk('run `npm start`', { denied: { Bash: text } });
    expect(made.final).toContain('> Stopped at the deadline');
    expect(made.final).toContain('half');
  });

  test('an edit that is not unique after all is made again with replace_all', async () => {
    const long = `foo\n${'x\n'.repeat(2500)}foo\n`;
    const made = await talk('replace foo with bar in long.txt', { files: { 'long.txt': long } });
    expect(made.calls.map(({ name, isError }) => [name, isError])).toEqual([
      ['ReadFile', false],
      ['EditFile', true],
      ['EditFile', false],
    ]);
    expect(made.files.get('long.txt')).toBe(long.replaceAll('foo', 'bar'));
  });
});

describe('presentations', () => {
  test('snake_case tools are called by their names and keys, with paths as given', async () => {
    const search = await talk('how many TODOs are in src?', { isSnakeCase: true });
    expect(search.calls).toEqual([{ name: 'search', input: { query: 'TODO', path: 'src', maxResults: 1000 }, isError: false }]);
    const edit = await talk('replace "foo one" with bar in a.txt', { isSnakeCase: true });
    expect(edit.calls.at(-1)).toEqual({
      name: 'patch_file',
      input: { path: 'a.txt', old_string: 'foo one', new_string: 'bar' },
      isError: false,
    });
  });
});

describe('over several turns', () => {
  test('it means the file last dealt with', async () => {
    const made = await talk(['read a.txt', 'replace "foo one" with bar in it']);
    expect(made.files.get('a.txt')).toBe('bar\nfoobar two\nfoo three\n');
    const lines = await talk(['看看 src/price.js', '这个文件有几行']);
    expect(lines.final).toContain('`src/price.js` 共有 **5** 行');
  });

  test('again repeats, and an ellipsis asks the same of another file or another thing of the same', async () => {
    const again = await talk(['run `node --version`', 'now run it again']);
    expect(again.calls.map(({ input }) => input['command'])).toEqual(['node --version']);
    expect((await talk(['how many lines in a.txt?', 'and in README.md?'])).final).toContain('`README.md` has **7** lines');
    expect((await talk(['what port does the database use in config.json?', 'and the host?'])).final).toContain(
      '`database.host` is **db.local**',
    );
  });

  test('continue goes on where the answer stopped', async () => {
    const long = Array.from({ length: 100 }, (_, at) => `line ${at + 1}`).join('\n');
    const made = await talk(['read long.txt', 'continue'], { files: { 'long.txt': long } });
    expect(made.final).toContain('lines 61 to 100');
  });

  test('no call is made twice for one request, and there are at most eight rounds', async () => {
    const made = await talk('show me lib/deep/missing.ts');
    const keys = made.calls.map((call) => JSON.stringify([call.name, call.input]));
    expect(new Set(keys).size).toBe(keys.length);
    expect(made.rounds).toBeLessThanOrEqual(8);
  });
});
