import type { ImageBlock } from '../core/message.ts';
import type { ChatFlags } from './args/flags.ts';
import { workingFolder } from './working-folder.ts';

/** The pictures of `--image`; paths are meant from where the command was started. Errors: AgentError `misuse`. */
export async function givenImages({ image = [] }: ChatFlags): Promise<readonly ImageBlock[]> {
  if (image.length === 0) return [];
  const { readImage } = await import('../app/read-image.ts');
  return Promise.all(image.map((path) => readImage(path, workingFolder())));
}

/** Errors: AgentError `misuse` where a model takes none. */
export async function assertImagesFit(
  images: readonly ImageBlock[],
  { model, provider }: { readonly model: string; readonly provider: { readonly seesImages: boolean } },
): Promise<void> {
  if (images.length === 0) return;
  (await import('../app/read-image.ts')).assertSeesImages(images, { model, seesImages: provider.seesImages });
}
