import { execFile } from 'node:child_process';
import { imageOf } from '../app/read-image.ts';
import type { ImageBlock } from '../core/message.ts';

/** What gives the picture on the clipboard as PNG, by what the session runs on. Sources: the manuals of wl-clipboard, xclip and pngpaste. */
const READERS: readonly { readonly fits: (environment: NodeJS.ProcessEnv) => boolean; readonly command: readonly string[] }[] = [
  { fits: () => process.platform === 'darwin', command: ['pngpaste', '-'] },
  { fits: ({ WAYLAND_DISPLAY }) => (WAYLAND_DISPLAY ?? '') !== '', command: ['wl-paste', '--type', 'image/png'] },
  { fits: ({ DISPLAY }) => (DISPLAY ?? '') !== '', command: ['xclip', '-selection', 'clipboard', '-t', 'image/png', '-o'] },
];
const MAX_BYTES = 32 * 1024 * 1024;
const WAIT_MS = 3000;

/** Null where there is no picture, or nothing here can tell. Errors: AgentError `misuse` where it is too large. */
export async function clipboardImage(environment: NodeJS.ProcessEnv): Promise<ImageBlock | null> {
  for (const { fits, command } of READERS) {
    if (!fits(environment)) continue;
    const bytes = await outputOf(command);
    if (bytes !== null && bytes.length > 0) return imageOf(bytes, 'The picture on the clipboard');
  }
  return null;
}

function outputOf([program = '', ...args]: readonly string[]): Promise<Uint8Array | null> {
  return new Promise((resolve) => {
    execFile(program, args, { encoding: 'buffer', maxBuffer: MAX_BYTES, timeout: WAIT_MS }, (error, stdout) =>
      resolve(error === null ? stdout : null),
    );
  });
}
