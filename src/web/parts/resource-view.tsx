import type { ComponentChildren } from 'preact';
import type { List } from '../api/list.ts';
import { type Reading, refresh } from '../api/resource.ts';
import { Button } from './button.tsx';
import { ProblemNotice } from './problem-notice.tsx';

interface ResourceViewProps<Data> {
  readonly reading: Reading<Data>;
  readonly children: (data: Data) => ComponentChildren;
  /** Shown until the first response. */
  readonly waiting?: ComponentChildren;
}

/** Shows loaded data, a loading indicator, or the error. */
export function ResourceView<Data>({ reading, children, waiting }: ResourceViewProps<Data>) {
  const { data, problem, isLoading } = reading;
  return (
    <>
      {problem !== null && <ProblemNotice problem={problem} onRetry={refresh} />}
      {data !== undefined && <div aria-busy={isLoading}>{children(data)}</div>}
      {data === undefined && problem === null && (waiting ?? <Waiting />)}
    </>
  );
}

/** Gray placeholder bars, shown after a moment so that a quick response does not flash. */
export function Waiting({ lines = 4 }: { readonly lines?: number }) {
  return (
    <div class="waiting" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, at) => (
        <div key={at} class="waiting-line" />
      ))}
    </div>
  );
}

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
      {showMore !== null && <Button label={more} onClick={showMore} />}
    </>
  );
}
