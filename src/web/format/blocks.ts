import { withDays } from './dates.ts';

/** Parses a reply of the assistant and formats its dates. */
export const parseReplyBlocks = (content: string): (string | string[])[] => parseBlocks(withDays(content));

/** Splits text into paragraphs and lists, whose lines start with a dash. */
export function parseBlocks(content: string): (string | string[])[] {
  const blocks: (string | string[])[] = [];
  for (const line of content.split('\n')) {
    const last = blocks.at(-1);
    if (line.startsWith('- ')) {
      if (Array.isArray(last)) last.push(line.slice(2));
      else blocks.push([line.slice(2)]);
    } else if (line.trim() !== '') blocks.push(line);
  }
  return blocks;
}
