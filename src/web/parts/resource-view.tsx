import type { ComponentChildren } from 'preact';
import { type Reading, refresh } from '../api/resource.ts';
import { ProblemNotice } from './problem-notice.tsx';

interface ResourceViewProps<Data> {
  readonly reading: Reading<Data>;
  readonly children: (data: Data) => ComponentChildren;
  /** What stands there until the first answer. */
  readonly waiting?: ComponentChildren;
}

/** Shows what was read; until then that it is being read, or why it cannot be. */
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

/** Grey bars where text will be, after a moment, so that a quick answer does not flash. */
export function Waiting({ lines = 4 }: { readonly lines?: number }) {
  return (
    <div class="waiting" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, at) => (
        <div key={at} class="waiting-line" />
      ))}
    </div>
  );
}
