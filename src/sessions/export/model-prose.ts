const FENCE = /^( *)(`{3,}|~{3,})([^`]*)$/;
/** A fence that a list item or a quote holds on the same line: where it ends is up to whoever renders it. */
const INNER_FENCE = /^ *(?:>|[-*+] |\d{1,9}[.)] ).*(?:`{3,}|~{3,})/;
const MAX_FENCE_INDENT = 40;

interface OpenFence {
  readonly indent: number;
  readonly marks: string;
}

/**
 * What a model wrote stays Markdown; only raw HTML in it, pictures, and links to anything but pages and mail lose their meaning. Code is
 * left alone as long as it is certain what is code: where a list item may have ended inside a fence, all that follows is taken for prose.
 */
export function modelProse(text: string): string {
  const done: string[] = [];
  let prose: string[] = [];
  let open: OpenFence | null = null;
  let isCertain = true;
  const endProse = (): void => {
    if (prose.length > 0) done.push(harmless(prose.join('\n')));
    prose = [];
  };
  for (const line of text.split('\n')) {
    if (open !== null && isCertain && line.trim() !== '' && indentOf(line) < open.indent) {
      open = null;
      isCertain = false;
    }
    const fence = isCertain ? fenceOf(line) : null;
    if (open === null && (fence === null || !isCertain)) {
      if (INNER_FENCE.test(line)) isCertain = false;
      prose.push(line);
      continue;
    }
    if (open === null) {
      endProse();
      open = fence;
    } else if (fence !== null && closes(line, fence, open)) open = null;
    done.push(line);
  }
  endProse();
  // One that is never closed would take in all that follows.
  return [...done, ...(open === null ? [] : [' '.repeat(open.indent) + open.marks])].join('\n');
}

function fenceOf(line: string): OpenFence | null {
  const [, spaces = '', marks] = FENCE.exec(line) ?? [];
  return marks === undefined || spaces.length > MAX_FENCE_INDENT ? null : { indent: spaces.length, marks };
}

function closes(line: string, fence: OpenFence, open: OpenFence): boolean {
  return fence.marks.startsWith(open.marks) && line.trim() === fence.marks && fence.indent < open.indent + 4;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

const TARGET = /\](?=\(\s*(<[^>]*>?|[^)\s]*))/g;
const HARMLESS_SCHEME = /^(?:https?|mailto):/i;

function harmless(prose: string): string {
  return prose
    .replaceAll(/<(?=[A-Za-z/!?])/g, '&lt;')
    .replaceAll('![', '!\\[')
    .replaceAll(/\](?=:)/g, ']\\')
    .replaceAll(TARGET, (bracket: string, target: string) => (isHarmless(target.replace(/^(?:<|&lt;)/, '')) ? bracket : '\\]'))
    .replaceAll(/\b(javascript|data|vbscript):/gi, '$1&#58;');
}

/** A scheme may be written with entities and backslashes; what stands before the first slash of a page's address needs none. */
function isHarmless(target: string): boolean {
  if (HARMLESS_SCHEME.test(target)) return true;
  const [head = ''] = target.split(/[/?#]/, 1);
  // oxlint-disable-next-line no-control-regex -- a browser leaves them out
  return !/[:&\\\u0000-\u001f]/.test(head);
}
