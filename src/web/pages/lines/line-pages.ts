import { useEffect, useState } from 'preact/hooks';
import { type FormLine, type LinesPageAnswer, readLinesPage } from './filter.ts';

/** The pages of a list of lines that are read, one after the other. */
export interface LinePages {
  /** The cursors of the pages after the first. */
  readonly cursors: readonly string[];
  /** What is read so far. */
  readonly lines: readonly FormLine[];
  /** The page that would follow; null at the end, and while one is read. */
  readonly following: string | null;
  readonly showMore: () => void;
  readonly onRead: (cursor: string, answer: LinesPageAnswer) => void;
}

/** So many lines are read at a time. */
export const pageSize = 100;

/** `asked`: what is asked for, as a key. Other lines begin anew. */
export function useLinePages(asked: string, first: LinesPageAnswer | undefined): LinePages {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const [read, setRead] = useState<ReadonlyMap<string, LinesPageAnswer>>(new Map());
  useEffect(() => {
    setCursors([]);
    setRead(new Map());
  }, [asked]);
  const pages = [first, ...cursors.map((cursor) => read.get(cursor))];
  const following = pages.at(-1)?.nextCursor ?? null;
  return {
    cursors,
    lines: pages.flatMap((page) => page?.data ?? []),
    following,
    showMore: () => following !== null && setCursors([...cursors, following]),
    onRead: (cursor, answer) => setRead((before) => new Map([...before, [cursor, answer]])),
  };
}

/** The first line of a page, to go on with it. */
export async function firstLineOf(
  query: Readonly<Record<string, string>>,
  cursor: string,
): Promise<string | undefined> {
  return (await readLinesPage(query, pageSize, cursor)).data[0]?.id;
}
