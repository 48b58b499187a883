import type { CallToolResult } from '@modelcontextprotocol/client';
import type { ImageBlock, TextBlock } from '../../core/message.ts';
import type { ToolResult } from '../../core/tool-result.ts';

const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const MAX_IMAGE_CHARS = 8 * 1024 * 1024;
const MAX_BLOCKS = 200;

/** What a server answered, as a tool's result. What a model cannot take is named in its place. */
export function resultOfServer({ content, structuredContent, isError }: CallToolResult): ToolResult {
  const blocks = content.slice(0, MAX_BLOCKS).map(blockOf);
  if (content.length > MAX_BLOCKS) blocks.push(textBlock(`[${content.length - MAX_BLOCKS} more blocks left out]`));
  const isBare = blocks.length === 0 && structuredContent !== undefined;
  return { content: isBare ? [textBlock(JSON.stringify(structuredContent))] : blocks, isError: isError === true };
}

function blockOf(block: CallToolResult['content'][number]): TextBlock | ImageBlock {
  switch (block.type) {
    case 'text':
      return textBlock(block.text);
    case 'image':
      return imageBlock(block.data, block.mimeType);
    case 'resource':
      return 'text' in block.resource
        ? textBlock(`${block.resource.uri}:\n${block.resource.text}`)
        : textBlock(`[binary content of ${block.resource.uri}]`);
    case 'resource_link':
      return textBlock(`[${block.name}: ${block.uri}]`);
    default:
      return textBlock(`[content of the type ${block.type}, which is not shown]`);
  }
}

function imageBlock(data: string, mediaType: string): TextBlock | ImageBlock {
  if (!IMAGE_TYPES.has(mediaType)) return textBlock(`[an image of the type ${mediaType}, which is not shown]`);
  if (data.length > MAX_IMAGE_CHARS || !/^[A-Za-z0-9+/]*={0,2}$/.test(data))
    return textBlock('[an image that is too large, or none]');
  // Its type is one of the set.
  return { type: 'image', mediaType: mediaType as ImageBlock['mediaType'], data };
}

function textBlock(text: string): TextBlock {
  return { type: 'text', text };
}
