import { expect, test } from 'vitest';
import { outlineOf } from './outline.ts';

const names = (path: string, text: string) => {
  const { imports, declarations } = outlineOf(path, text.split('\n'));
  return {
    imports,
    declares: declarations.map(({ kind, name, line, isExported }) => `${line} ${isExported ? 'export ' : ''}${kind} ${name}`),
  };
};

test.each([
  [
    'a.ts',
    "import { x } from './x.ts';\nimport 'y';\nimport {\n  z,\n} from 'z';\nexport async function f() {}\nconst g = (a) => a;\nexport interface I {}\nclass C {}\nexport const N = 1;",
    {
      imports: ['./x.ts', 'y', 'z'],
      declares: ['6 export function f', '7 function g', '8 export type I', '9 class C', '10 export constant N'],
    },
  ],
  [
    'a.js',
    "const fs = require('fs');\nfunction main() {}\nmodule.exports.run = main;",
    { imports: ['fs'], declares: ['1 constant fs', '2 function main', '3 function run'] },
  ],
  [
    'a.py',
    'from os import path\nimport sys\n\ndef main():\n  pass\nclass A:\n  pass',
    { imports: ['os', 'sys'], declares: ['4 export function main', '6 export class A'] },
  ],
  [
    'a.go',
    'import "fmt"\nfunc Main() {}\nfunc run() {}',
    { imports: ['fmt'], declares: ['2 export function Main', '3 function run'] },
  ],
  [
    'a.rs',
    'use std::io;\npub fn main() {}\nstruct S;',
    { imports: ['std::io'], declares: ['2 export function main', '3 class S'] },
  ],
  ['README.md', '# Title\ntext\n## Use', { imports: [], declares: ['1 heading Title', '3 heading Use'] }],
  ['a.bin', 'x', { imports: [], declares: [] }],
])('the outline of %s', (path, text, outline) => {
  expect(names(path, text)).toEqual(outline);
});
