import type { LanguageFn } from 'highlight.js';
import { createLowlight } from 'lowlight';
import type { StyleName } from '../../text/span.ts';

/** A stretch of code in one colour. */
export interface Piece {
  readonly text: string;
  readonly style: StyleName | null;
  /** True outside of every construct: a line that ends there leaves nothing open. */
  readonly isOutside: boolean;
}

/** Cuts source code into coloured pieces that together are the source. */
export type Grammar = (source: string) => readonly Piece[];

type Root = ReturnType<ReturnType<typeof createLowlight>['highlight']>;
type Node = Root['children'][number];

const STYLES: Readonly<Record<string, StyleName>> = {
  keyword: 'keyword',
  tag: 'keyword',
  name: 'keyword',
  'selector-tag': 'keyword',
  section: 'heading',
  built_in: 'functionName',
  title: 'functionName',
  type: 'typeName',
  class_: 'typeName',
  attr: 'typeName',
  attribute: 'typeName',
  property: 'typeName',
  'selector-class': 'typeName',
  'selector-id': 'typeName',
  string: 'string',
  regexp: 'string',
  char: 'string',
  symbol: 'number',
  number: 'number',
  literal: 'number',
  comment: 'comment',
  quote: 'comment',
  meta: 'comment',
  doctag: 'comment',
  addition: 'added',
  deletion: 'removed',
};

/** A grammar of highlight.js as a function. */
export function createGrammar(name: string, language: LanguageFn): Grammar {
  const lowlight = createLowlight({ [name]: language });
  // A grammar may hold others that are not loaded: their parts stay plain.
  return (source) => lowlight.highlight(name, source).children.flatMap((node) => piecesOf(node, null, true));
}

function piecesOf(node: Node, style: StyleName | null, isOutside: boolean): readonly Piece[] {
  if (node.type === 'text') return [{ text: node.value, style, isOutside }];
  if (node.type !== 'element') return [];
  const own = styleOf(node.properties['className']) ?? style;
  return node.children.flatMap((child) => piecesOf(child, own, false));
}

/** The last class that has a style wins: `hljs-title class_` is a type. */
function styleOf(classes: unknown): StyleName | null {
  if (!Array.isArray(classes)) return null;
  const names = classes.map((name) => String(name).replace(/^hljs-/, ''));
  return names.reduce<StyleName | null>((found, name) => STYLES[name] ?? found, null);
}
