import { shortHash } from '../../core/hash.ts';

/** What every provider takes as a name. */
const MAX_NAME_CHARS = 64;

/**
 * The name of a server's tool as models and rules know it: `mcp__server__tool`, with _ for what no name may hold; a server's own name
 * holds nothing of that. One that was changed or is too long ends with a hash of what it was, so that two names never become one.
 */
export function serverToolName(server: string, tool: string): string {
  const head = `mcp__${server}__`;
  const plain = tool.replaceAll(/[^A-Za-z0-9_-]/g, '_');
  const isSame = plain === tool && plain !== '' && head.length + plain.length <= MAX_NAME_CHARS;
  if (isSame) return head + plain;
  const tail = `_${shortHash(tool)}`;
  return head + plain.slice(0, MAX_NAME_CHARS - head.length - tail.length) + tail;
}
