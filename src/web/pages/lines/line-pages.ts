import { useEffect, useState } from 'preact/hooks';
import { type FormLine, type LinesPageResponse, readLinesPage } from './filter.ts';

/** Entries loaded so far, page by page. */
export interface LinePages {
  /** The cursors of the pages after the first. */
  readonly cursors: readonly string[];
  /** The entries loaded so far. */
  readonly lines: readonly FormLine[];
  /** The cursor of the next page, or null at the end and while a page loads. */
  readonly following: string | null;
  readonly showMore: () => void;
  readonly onRead: (cursor: string, linesPage: LinesPageResponse) => void;
}

/** Entries per page. */
export const pageSize = 100;

/** Returns the entries loaded so far. `asked` is the query as a key. A different query starts over. */
export function useLinePages(requestKey: string, first: LinesPageResponse | undefined): LinePages {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const [read, setRead] = useState<ReadonlyMap<string, LinesPageResponse>>(new Map());
  useEffect(() => {
    setCursors([]);
    setRead(new Map());
  }, [requestKey]);
  const pages = [first, ...cursors.map((cursor) => read.get(cursor))];
  const following = pages.at(-1)?.nextCursor ?? null;
  return {
    cursors,
    lines: pages.flatMap((page) => page?.data ?? []),
    following,
    showMore: () => following !== null && setCursors([...cursors, following]),
    onRead: (cursor, linesPage) => setRead((before) => new Map([...before, [cursor, linesPage]])),
  };
}

/** Returns the first entry of a page, to continue with it. */
export async function fetchFirstLine(
  query: Readonly<Record<string, string>>,
  cursor: string,
): Promise<string | undefined> {
  return (await readLinesPage(query, pageSize, cursor)).data[0]?.id;
}
