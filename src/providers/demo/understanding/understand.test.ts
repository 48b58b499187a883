import { describe, expect, test } from 'vitest';
import type { Background, Task } from './task.ts';
import { NO_BACKGROUND, understand } from './understand.ts';

/** A task in one line: its intent, and what it is about. */
function brief(task: Task): string {
  switch (task.intent) {
    case 'read':
      return words(
        'read',
        task.file.label,
        ...task.also.map((file) => file.label),
        task.lines === null ? null : `${task.lines.from}-${task.lines.to ?? ''}`,
      );
    case 'value':
      return words('value', task.isManifest ? 'manifest' : (task.file?.label ?? 'somewhere'), task.words.join('+'));
    case 'find':
      return words('find', task.glob, task.folder);
    case 'search':
      return words('search', task.purpose, `/${task.pattern}/`, task.file?.label ?? task.scope.folder, task.scope.glob);
    case 'count':
      return words(
        'count',
        task.unit.of,
        'label' in task.unit ? task.unit.label : null,
        'file' in task.unit ? (task.unit.file?.label ?? null) : null,
        task.scope.folder,
      );
    case 'replace':
      return words(
        'replace',
        task.reading,
        task.subject,
        task.from === null ? null : `(${task.from})`,
        '->',
        task.to,
        'in',
        task.isProjectWide ? 'project' : (task.file?.label ?? '?'),
        task.line === null ? null : `line ${task.line}`,
      );
    case 'create':
      return words(task.mode, task.path, JSON.stringify(task.content));
    case 'run':
      return words('run', task.command);
    case 'script':
      return words('script', task.names[0] ?? '');
    case 'test':
      return words('test', task.path);
    case 'describe':
      return words('describe', task.file.label);
    case 'definition':
      return words('definition', task.name);
    case 'list':
      return words('list', task.folder, task.isTree ? 'tree' : null, task.isRecent ? 'recent' : null);
    case 'explain':
      return words('explain', task.folder);
    case 'git':
      return words('git', task.of, task.since);
    case 'dependency':
      return words('dependency', task.name);
    case 'talk':
      return words('talk', task.about);
    case 'tour':
    case 'entry':
      return task.intent;
  }
}

function words(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join(' ');
}

const TESTS = '**/{*.test.*,*.spec.*,*_test.*,test_*.py,*Test.java,*Tests.cs}';

test.each([
  ['Where does execution begin in this codebase?', 'entry'],
  ["hey, could you peek at the project's entry file and summarize it?", 'entry'],
  ['I just cloned this. Where should I start reading?', 'entry'],
  ['Hey, which port is postgres listening on according to config.json?', 'value config.json port+database'],
  ['how long is the timeout in settings.yaml?', 'value settings.yaml timeout'],
  ['which database host do we use (config.json)?', 'value config.json database+host'],
  ['Read the file config.json and tell me what port the database uses', 'value config.json port+database'],
  ['who maintains this package?', 'value manifest author'],
  ['how do I run the tests?', 'value manifest scripts+test'],
  ['how do I change the port in config.json to 5433?', 'value config.json port'],
  ["I'd like to read src/index.js", 'read src/index.js'],
  ['show lines 3 through 8 of README.md', 'read README.md 3-8'],
  ['give me the last 4 lines of a.txt', 'read a.txt -4-'],
  ['show me a.txt and b.txt', 'read a.txt b.txt'],
  ['what does the readme say?', 'read readme'],
  ['do we have any python files?', 'find **/*.py'],
  ['list all the test files', `find ${TESTS}`],
  ['give me every .md file under docs', 'find **/*.md docs'],
  ['where can I find index.js?', 'find **/index.js'],
  ['find me the price file', 'find **/*price*'],
  ['where is createAgent defined?', 'search defined /createAgent/'],
  ["grep 'foo bar' in src", 'search text /foo bar/ src'],
  ['what files reference config.json?', String.raw`search files /config\.json/`],
  ['list all TODO and FIXME comments', 'search text /TODO|FIXME/'],
  ['search all markdown files for TODO', 'search text /TODO/ **/*.{md,mdx,markdown}'],
  ['how many javascript files are there in src?', 'count files javascript src'],
  ['how often does the word foo occur in a.txt', 'count matches foo a.txt'],
  ["What's the line count of src/price.js?", 'count lines src/price.js'],
  ['how many dependencies does this project have?', 'count entries'],
  ['can you check whether all tests pass?', 'test'],
  ['run test/price.test.js', 'test test/price.test.js'],
  ['run npm run build and tell me the result', 'run npm run build'],
  ['what does `node --version` print?', 'run node --version'],
  ['delete b.txt', 'run rm b.txt'],
  ['could you run the linter', 'script lint'],
  ['what changed since the last commit?', 'git diff'],
  ['what changed in git since yesterday?', 'git log yesterday'],
  ['what changed since today?', 'git log midnight'],
  ['does this project use React?', 'dependency React'],
  ['is chalk used in this project?', 'dependency chalk'],
  ['read "a b.txt"', 'read a b.txt'],
  ['show me "a b.txt" lines 2-3', 'read a b.txt 2-3'],
  ['run "cat a b.txt"', 'run cat a b.txt'],
  ['search for "see a.txt"', String.raw`search text /see a\.txt/`],
  ['would you mind replacing foo with bar in a.txt?', 'replace text foo -> bar in a.txt'],
  ['change the port in config.json from 5432 to 5433', 'replace value port (5432) -> 5433 in config.json'],
  ['the port in config.json should be 5433 instead of 5432', 'replace value port (5432) -> 5433 in config.json'],
  ['make the log level debug in settings.yaml', 'replace value log level -> debug in settings.yaml'],
  ['s/foo/bar/g in a.txt', 'replace text foo -> bar in a.txt'],
  ['substitute bar for foo in a.txt', 'replace text foo -> bar in a.txt'],
  ['rename the function main to start in src/index.js', 'replace text main -> start in src/index.js'],
  ['turn debug off in config.json', 'replace value debug -> false in config.json'],
  ['rename createAgent to makeAgent everywhere', 'replace text createAgent -> makeAgent in project'],
  ['delete line 2 of a.txt', 'replace line_out -> in a.txt line 2'],
  ["remove 'debugger;' from src/a.ts", 'replace text debugger; -> in src/a.ts'],
  ['make a file called notes.md that says "remember the milk"', 'create notes.md "remember the milk"'],
  ['generate test.json with content {"a": 1}', String.raw`create test.json "{\"a\": 1}"`],
  ['create hello.py that prints hello world', String.raw`create hello.py "print(\"hello world\")\n"`],
  ['create a new file called hello.txt in the docs folder with the content "hi"', 'create docs/hello.txt "hi"'],
  ['add a line "node_modules" to .gitignore', 'append .gitignore "node_modules"'],
  ['give me an overview of the codebase', 'explain'],
  ["what's the docs folder for?", 'explain docs'],
  ['how is this project organized?', 'list tree'],
  ["what's in the src folder?", 'list src'],
  ['which files changed recently?', 'list recent'],
  ['what functions are in src/price.js?', 'describe src/price.js'],
  ['how does createAgent work?', 'definition createAgent'],
  ['which AI model are you using?', 'talk identity'],
  ['how do I set an API key?', 'talk help'],
  ['write a function that sorts numbers', 'talk cannot'],
  ["don't run the tests", 'talk declined'],
  ['what time is it?', 'talk unknown'],
  ['can you give me a quick tour?', 'tour'],
])('%s', (ask, expected) => {
  expect(brief(understand(ask))).toBe(expected);
});

test.each([
  ['这个程序是从哪里开始执行的', 'entry'],
  ['能不能帮我看一下这个工程的 main 文件', 'entry'],
  ['我刚拿到这个项目，应该从哪个文件看起？', 'entry'],
  ['请问 config.json 中服务器监听的端口号是多少？', 'value config.json server+port'],
  ['redis 的端口在 settings.yaml 里是多少', 'value settings.yaml redis+port'],
  ['超时设置成了多少？在 config.json 里', 'value config.json timeout'],
  ['项目用到了哪些依赖', 'value manifest dependencies'],
  ['测试命令是什么', 'value manifest scripts+test'],
  ['数据库端口是多少', 'value somewhere database+port'],
  ['帮我打开一下 README.md', 'read README.md'],
  ['把 README 念给我听', 'read README'],
  ['能帮我看一下 src/price.js 这个文件的第 2 行到第 4 行吗', 'read src/price.js 2-4'],
  ['a.txt 的最后两行', 'read a.txt -2-'],
  ['打开说明.md', 'read 说明.md'],
  ['配置文件里有什么', 'read 配置文件'],
  ['src 下面的 js 文件有哪些', 'find **/*.js src'],
  ['项目里的测试文件在哪', `find ${TESTS}`],
  ['帮我找找名字里带 price 的文件', 'find **/*price*'],
  ['index.js 放在哪里？', 'find **/index.js'],
  ['priceAfter 这个函数在哪里定义', 'search defined /priceAfter/'],
  ['帮我查一下哪里用了 chalk', 'search used /chalk/'],
  ['在 docs 目录搜索 TODO', 'search text /TODO/ docs'],
  ['搜一搜“默认折扣”', 'search text /默认折扣/'],
  ['price.js 被谁引用了', String.raw`search used /price\.js/`],
  ['src 里一共几个 js 文件？', 'count files js src'],
  ['a.txt 里 foo 出现了几次', 'count matches foo a.txt'],
  ['README 有多少字', 'count words README'],
  ['多少个文件里提到了 discount', 'count matches discount'],
  ['帮我跑下单元测试看看结果', 'test'],
  ['测试能跑通吗', 'test'],
  ['帮我执行命令 echo hello', 'run echo hello'],
  ['运行以下命令：ls -la', 'run ls -la'],
  ['把 a.txt 重命名为 c.txt', 'run mv a.txt c.txt'],
  ['做个类型检查', 'script types'],
  ['我改了哪些文件', 'git status'],
  ['昨天以来改了什么？', 'git log yesterday'],
  ['最近三天改了什么', 'git log 3 days ago'],
  ['谁写的这个项目？', 'value manifest author'],
  ['把这个项目改写成 Python', 'talk cannot'],
  ['这个项目用了 React 吗？', 'dependency React'],
  ['读一下 "a b.txt"', 'read a b.txt'],
  ['最近三次提交', 'git log'],
  ['将文件 a.txt 中的 foo 修改为 bar', 'replace either foo -> bar in a.txt'],
  ['请把 config.json 里数据库的端口改成 5433', 'replace value 数据库的端口 -> 5433 in config.json'],
  ['把端口从 5432 改成 5433（config.json）', 'replace value 端口 (5432) -> 5433 in config.json'],
  ['用“你好”替换 greet.txt 里的“hello”', 'replace text hello -> 你好 in greet.txt'],
  ['把 src/index.js 里的函数 main 重命名为 start', 'replace text main -> start in src/index.js'],
  ['请将 README.md 中的“TODO: more.”去掉', 'replace text TODO: more. -> in README.md'],
  ['把 a.txt 第 3 行的 foo 改成 bar', 'replace either foo -> bar in a.txt line 3'],
  ['删除 a.txt 最后一行', 'replace line_out -> in a.txt line -1'],
  ['关掉 config.json 里的 debug', 'replace value debug -> false in config.json'],
  ['把整个项目里的 foo 替换为 bar', 'replace either foo -> bar in project'],
  ['帮我新建一个文件 notes.md，里面写“买牛奶”', 'create notes.md "买牛奶"'],
  ['请在 docs 下创建 note.md，写入“你好，世界”', 'create docs/note.md "你好，世界"'],
  ['把 hello 写入 out.txt', 'create out.txt "hello"'],
  ['用“新内容”覆盖 a.txt', 'overwrite a.txt "新内容"'],
  ['往 a.txt 末尾追加一行 the end', 'append a.txt "the end"'],
  ['新建一个文件', 'talk which_file'],
  ['这是个什么项目？', 'explain'],
  ['src 目录是干嘛的', 'explain src'],
  ['这个项目的目录结构是怎样的', 'list tree'],
  ['当前目录有哪些文件', 'list'],
  ['src/index.js 这个文件是干什么用的', 'describe src/index.js'],
  ['解释一下 priceAfter 函数', 'definition priceAfter'],
  ['你能做什么', 'talk help'],
  ['你是 AI 吗', 'talk identity'],
  ['把 README.md 翻译成英文', 'talk cannot'],
  ['不要运行测试', 'talk declined'],
  ['今天天气怎么样', 'talk unknown'],
  ['来个演示吧', 'tour'],
])('%s', (ask, expected) => {
  expect(brief(understand(ask))).toBe(expected);
});

describe('with earlier turns', () => {
  const after = (ask: string, rest: Partial<Background> = {}): Background => ({
    ...NO_BACKGROUND,
    lastFile: 'a.txt',
    lastTask: understand(ask),
    ...rest,
  });

  test.each([
    ['replace foo with bar in it', after('read a.txt'), 'replace text foo -> bar in a.txt'],
    ['这个文件有几行', after('read a.txt'), 'count lines a.txt'],
    ['and in b.ts?', after('how many lines in a.txt'), 'count lines b.ts'],
    ['what about README.md?', after('explain a.txt'), 'describe README.md'],
    ['那 host 呢', after('config.json 里数据库用的是哪个端口?'), 'value config.json host'],
    ['run it again', after('run `ls -la`'), 'run ls -la'],
    ['再跑一次', after('跑一下测试'), 'test'],
    ['run the tests again', after('read a.txt'), 'test'],
    ['continue', after('read a.txt', { nextLine: 61 }), 'read a.txt 61-'],
    ['继续', NO_BACKGROUND, 'talk nothing_before'],
  ])('%s', (ask, background, expected) => {
    expect(brief(understand(ask, background))).toBe(expected);
  });
});
