const IMAGE = /\.(?:png|jpe?g|gif|webp)$/i;

/** The path of an image where a paste is nothing else: terminals give a file that is dropped on them as its path, quoted in one way or another. */
export function droppedImage(pasted: string): string | null {
  const text = pasted.trim();
  if (text === '' || text.length > 4096 || text.includes('\n')) return null;
  const path = unquoted(text);
  return path !== null && IMAGE.test(path) && /^(?:\/|~\/)/.test(path) ? path : null;
}

function unquoted(text: string): string | null {
  if (text.startsWith('file://')) {
    try {
      return decodeURIComponent(new URL(text).pathname);
    } catch {
      return null;
    }
  }
  const [, quoted] = /^(?:'([^']*)'|"([^"]*)")$/.exec(text)?.filter((part) => part !== undefined) ?? [];
  return quoted ?? text.replaceAll(/\\(.)/g, '$1');
}
