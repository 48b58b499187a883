import type { ImageBlock } from '../core/message.ts';

/** The largest image that every provider takes. Source: the vendors' vision pages, 2026-08: 5 MB, base64 counted. */
export const MAX_IMAGE_BYTES = 3_750_000;

const SIGNATURES: readonly { readonly type: ImageBlock['mediaType']; readonly at: number; readonly bytes: readonly number[] }[] =
  [
    { type: 'image/png', at: 0, bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
    { type: 'image/jpeg', at: 0, bytes: [0xff, 0xd8, 0xff] },
    { type: 'image/gif', at: 0, bytes: [0x47, 0x49, 0x46, 0x38] },
    { type: 'image/webp', at: 8, bytes: [0x57, 0x45, 0x42, 0x50] },
  ];

/** What kind of image a file is by its first bytes, whatever its name; null for none that models take. */
export function imageTypeOf(head: Uint8Array): ImageBlock['mediaType'] | null {
  return SIGNATURES.find(({ at, bytes }) => bytes.every((byte, i) => head[at + i] === byte))?.type ?? null;
}
