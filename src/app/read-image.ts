import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { AgentError, messageOf } from '../core/errors.ts';
import type { ImageBlock } from '../core/message.ts';
import { imageTypeOf, MAX_IMAGE_BYTES } from '../tools/image-type.ts';

/** A picture that a person gives to the model. Errors: AgentError `misuse` for what is no image that models take. */
export async function readImage(path: string, cwd: string): Promise<ImageBlock> {
  const full = resolve(cwd, path);
  const bytes = await bytesOf(full).catch((cause: unknown) => {
    throw misuse(`The image ${full} cannot be read: ${messageOf(cause)}.`, 'Name a file that is there.');
  });
  return imageOf(bytes, basename(full));
}

/** Bytes as an image. Errors: AgentError `misuse`. */
export function imageOf(bytes: Uint8Array, name: string): ImageBlock {
  const mediaType = imageTypeOf(bytes);
  if (mediaType === null) throw misuse(`${name} is no image that models take.`, 'They take PNG, JPEG, GIF and WebP.');
  if (bytes.length > MAX_IMAGE_BYTES)
    throw misuse(`${name} has more than ${MAX_IMAGE_BYTES} bytes; models take no more.`, 'Make a smaller copy and give that.');
  return { type: 'image', mediaType, data: Buffer.from(bytes).toString('base64') };
}

/** Errors: AgentError `misuse` where images are given to a model that takes none. */
export function assertSeesImages(
  images: readonly ImageBlock[],
  { model, seesImages }: { readonly model: string; readonly seesImages: boolean },
): void {
  if (images.length > 0 && !seesImages)
    throw misuse(`The model ${model} takes no images.`, 'Choose one that does: --model, or /model in the chat.');
}

async function bytesOf(path: string): Promise<Uint8Array> {
  // Non-blocking, since opening a FIFO that nobody writes to would wait for ever.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new Error('it is no regular file');
    const bytes = Buffer.alloc(Math.min(stats.size, MAX_IMAGE_BYTES + 1));
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await file.read(bytes, filled, bytes.length - filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  } finally {
    await file.close();
  }
}

function misuse(message: string, remedy: string): AgentError {
  return new AgentError({ code: 'misuse', message, remedy });
}
