import type { ComponentChildren } from 'preact';
import type { List } from '../api/list.ts';
import { ResourceView } from './resource-view.tsx';

interface ListViewProps<Page> {
  readonly list: List<Page & { readonly data: readonly unknown[]; readonly nextCursor: string | null }>;
  /** The label of the button that loads the next page. */
  readonly more?: string;
  readonly children: (page: Page) => ComponentChildren;
}

/** The pages of a list so far, and a button for the next one. */
export function ListView<Page>({ list: { reading, showMore }, more = 'Show more', children }: ListViewProps<Page>) {
  return (
    <>
      <ResourceView reading={reading}>{children}</ResourceView>
      {showMore !== null && (
        <button type="button" onClick={showMore}>
          {more}
        </button>
      )}
    </>
  );
}
