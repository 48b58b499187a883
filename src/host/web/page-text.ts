/** True for a type that people can read. Where the server names none, its bytes tell. */
export function isText(contentType: string): boolean {
  return (
    contentType === '' ||
    contentType.startsWith('text/') ||
    /[+/](?:json|xml|yaml|x-yaml|toml|javascript|x-javascript|ecmascript|typescript|sql|x-sh|ndjson|jsonl|graphql|x-www-form-urlencoded)$/.test(
      contentType,
    )
  );
}

/** The words of a body; null where it is none of text after all. `type` is the header with its parameters. */
export async function textOfBody(
  bytes: Uint8Array,
  { type, url }: { readonly type: string; readonly url: string },
): Promise<string | null> {
  const encoding = encodingOf(bytes, type);
  if (!encoding.startsWith('utf-16') && bytes.subarray(0, 1024).includes(0)) return null;
  const text = new TextDecoder(encoding).decode(bytes);
  const isHtml =
    /^(?:text\/html|application\/xhtml\+xml)\b/i.test(type.trim()) || (type === '' && /^\s*<(?:!doctype|html)/i.test(text));
  if (!isHtml) return text;
  // Loaded with the first page.
  return (await import('./html-text.ts')).htmlToText(text, url);
}

/** As the bytes, the header or the page itself say, in this order. Source: https://encoding.spec.whatwg.org, 2026-12 */
function encodingOf(bytes: Uint8Array, type: string): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  const named = /charset\s*=\s*["']?([\w.:-]+)/i;
  const inHead = new TextDecoder('latin1').decode(bytes.subarray(0, 1024));
  const label = named.exec(type)?.[1] ?? named.exec(/<meta\b[^>]{0,300}/i.exec(inHead)?.[0] ?? '')?.[1];
  return label !== undefined && isKnown(label) ? new TextDecoder(label).encoding : 'utf-8';
}

function isKnown(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== '';
  } catch {
    return false;
  }
}
