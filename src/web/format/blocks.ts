import { withDays } from './dates.ts';

/** Parses a reply of the assistant and formats its dates. */
export const parseReplyBlocks = (content: string): (string | string[])[] => parseBlocks(withDays(content));

/** Splits text into paragraphs and lists. A line of a list starts with this mark, by default a dash. */
export function parseBlocks(content: string, mark = /^- /): (string | string[])[] {
  const blocks: (string | string[])[] = [];
  for (const line of content.split('\n')) {
    const last = blocks.at(-1);
    const item = line.replace(mark, '');
    if (item === line) blocks.push(...(line.trim() === '' ? [] : [line]));
    else if (Array.isArray(last)) last.push(item);
    else blocks.push([item]);
  }
  return blocks;
}
