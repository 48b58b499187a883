import type { ImageBlock, TextBlock } from '../../../core/message.ts';
import { withoutColours } from '../amounts.ts';
import { html, type SafeHtml } from '../../../core/safe-html.ts';

const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** A picture of the session, with its bytes in the page. Other kinds could hold a script and are named only. */
export function imageView({ mediaType, data }: ImageBlock): SafeHtml {
  if (!IMAGE_TYPES.has(mediaType) || !/^[A-Za-z0-9+/]+={0,2}$/.test(data))
    return html`<p class="aside-note">A picture that cannot be shown (${mediaType}).</p>`;
  return html`<img class="picture" src="data:${mediaType};base64,${data}" alt="A picture of the session" loading="lazy">`;
}

/** What a tool answered. */
export function outputView(content: readonly (TextBlock | ImageBlock)[]): readonly SafeHtml[] {
  return content.map((block) =>
    block.type === 'image' ? imageView(block) : html`<pre class="output" tabindex="0">${withoutColours(block.text)}</pre>`,
  );
}
