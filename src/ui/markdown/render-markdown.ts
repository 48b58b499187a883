import { createMarkdownStream, type MarkdownOptions } from './markdown-stream.ts';

/** Markdown as rows for a terminal. A text that is not finished may end in the middle of anything. */
export function renderMarkdown(text: string, options: MarkdownOptions & { readonly isFinished: boolean }): readonly string[] {
  const stream = createMarkdownStream(options);
  const { finished, open } = stream.push(text);
  return [...finished, ...(options.isFinished ? stream.end() : open)];
}
