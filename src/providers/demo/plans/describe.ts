import type { Plan } from '../plan.ts';
import { type Declaration, outlineOf } from '../reading/outline.ts';
import { fenced, joined, listed, paragraphs, type Scene, say, shown } from '../scene.ts';
import type { DescribeTask } from '../understanding/task.ts';
import { type OpenedFile, openFile } from './open-file.ts';
import { othersWords } from './read.ts';

const MOST_QUOTED = 12;

/** Says what a file imports, declares and begins with. */
export function* planDescribe(scene: Scene, task: DescribeTask): Plan {
  const file = yield* openFile(scene, task.file);
  return paragraphs(describeFile(scene, file), othersWords(scene, file));
}

/** What an opened file has in it: its length, imports, declarations or headings, and its first lines. */
export function describeFile(scene: Scene, file: OpenedFile): string {
  const { path, view } = file;
  if (view.lines.length === 0) return say(scene, 'emptyFile', { path: shown(scene, path) });
  const { imports, declarations } = outlineOf(path, view.lines, view.firstLine);
  return paragraphs(
    say(scene, 'fileHas', { path: shown(scene, path), n: view.total }),
    commentWords(scene, path, view.lines),
    [
      imports.length === 0 ? '' : `- ${say(scene, 'imports', { n: imports.length, names: listed(scene, imports) })}`,
      ...groupsOf(declarations).map(
        ({ name, members }) =>
          `- ${say(scene, name, { n: members.length, names: joined(scene, members.map(withLine(scene)), 12) })}`,
      ),
    ]
      .filter((row) => row !== '')
      .join('\n'),
    say(scene, 'firstLines'),
    fenced(
      view.lines.slice(0, MOST_QUOTED).join('\n'),
      path
        .split('.')
        .at(-1)
        ?.replace(/[^a-z]/g, '') ?? '',
    ),
  );
}

interface Group {
  readonly name: 'exportsNames' | 'functions' | 'classes' | 'types' | 'constants' | 'headings';
  readonly members: readonly Declaration[];
}

function groupsOf(declarations: readonly Declaration[]): readonly Group[] {
  const inner = declarations.filter((declared) => !declared.isExported);
  const ofKind = (kind: Declaration['kind']): readonly Declaration[] => inner.filter((declared) => declared.kind === kind);
  const groups: readonly Group[] = [
    { name: 'exportsNames', members: declarations.filter((declared) => declared.isExported) },
    { name: 'functions', members: ofKind('function') },
    { name: 'classes', members: ofKind('class') },
    { name: 'types', members: ofKind('type') },
    { name: 'constants', members: ofKind('constant') },
    { name: 'headings', members: ofKind('heading') },
  ];
  return groups.filter((group) => group.members.length > 0);
}

function withLine(scene: Scene): (declared: Declaration) => string {
  return (declared) => say(scene, 'nameAtLine', { name: declared.name, line: declared.line });
}

function commentWords(scene: Scene, path: string, lines: readonly string[]): string | null {
  const words = /\.(?:md|mdx|markdown|txt|rst|json|csv)$|readme$/i.test(path) ? '' : leadingComment(lines);
  return words === '' ? null : say(scene, 'saysOfItself', { words });
}

// The first sentence of a comment or docstring on top of the file.
function leadingComment(lines: readonly string[]): string {
  const top = lines
    .slice(0, 8)
    .join('\n')
    .replace(/^#!.*\n/, '');
  const block =
    /^\s*(?:\/\*\*?|"""|''')\s*([\s\S]*?)(?:\*\/|"""|''')/.exec(top)?.[1] ??
    /^\s*((?:(?:\/\/|#(?!include|!)|--)\s?.*\n)+)/.exec(top)?.[1] ??
    '';
  const words = block
    .replaceAll(/^\s*(?:\*|\/\/\/?!?|#+|--)\s?/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return /^.*?[.。!](?=\s|$)/.exec(words)?.[0] ?? words.slice(0, 160);
}
