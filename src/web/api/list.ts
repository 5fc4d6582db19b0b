import { useState } from 'preact/hooks';
import { type Reading, useResource } from './resource.ts';

/** A page of any list of the API. */
interface ListPage {
  readonly data: readonly unknown[];
  readonly nextCursor: string | null;
}

export interface List<Page extends ListPage> {
  /** The first page, with the items of all pages so far. */
  readonly reading: Reading<Page>;
  /** Loads the next page. Null after the last one. */
  readonly showMore: (() => void) | null;
}

/**
 * Loads a list page by page. When the books change, all pages shown are loaded again. A different key starts with the
 * first page, and a null key loads nothing. `cursor` is empty for the first page.
 */
export function useList<Page extends ListPage>(
  key: string | null,
  readPage: (cursor: { readonly cursor?: string }) => Promise<Page>,
): List<Page> {
  const [shown, setShown] = useState<Shown<Page>>({ key, count: 1, pages: [], isCurrent: false });
  const { count, pages, isCurrent } = shown.key === key ? shown : { count: 1, pages: [], isCurrent: false };
  let known = isCurrent ? pages : [];
  const loading = useResource(key === null ? null : `${key}, ${count} pages`, async () => {
    const all = [...known];
    // A second load reads everything again.
    known = [];
    while (all.length < count) {
      const cursor = all.at(-1)?.nextCursor;
      if (cursor === null) break;
      all.push(await readPage(cursor === undefined ? {} : { cursor }));
    }
    return all;
  });
  const all = loading.data ?? pages;
  const [first] = all;
  const data = first && { ...first, data: all.flatMap((page) => page.data) };
  const hasMore = loading.data !== undefined && (all.at(-1)?.nextCursor ?? null) !== null;
  return {
    reading: { ...loading, data },
    showMore: hasMore ? () => setShown({ key, count: count + 1, pages: all, isCurrent: !loading.isLoading }) : null,
  };
}

interface Shown<Page> {
  readonly key: string | null;
  readonly count: number;
  /** The pages before the last one, shown while it loads. */
  readonly pages: readonly Page[];
  /** Whether showing more loads a single page, because the others were not being loaded again. */
  readonly isCurrent: boolean;
}
