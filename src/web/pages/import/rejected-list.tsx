import { useState } from 'preact/hooks';
import { useResource } from '../../api/resource.ts';
import { ResourceView } from '../../parts/resource-view.tsx';
import { RejectedLineCard } from './rejected-line-card.tsx';
import { type RejectState, readRejected } from './rejected-lines.ts';

interface RejectedListProps {
  readonly importId: string | undefined;
  readonly state: RejectState;
}

/** Lines that could not be read, in the order of their files. */
export function RejectedList({ importId, state }: RejectedListProps) {
  const [limit, setLimit] = useState(20);
  const filter = { state, ...(importId === undefined ? {} : { importId }) };
  const lines = useResource(`rejected ${JSON.stringify(filter)} ${limit}`, () => readRejected(filter, limit));
  return (
    <ResourceView reading={lines}>
      {({ data, hasMore }) => (
        <>
          {data.length === 0 && (
            <section class="card">
              <p class="fine">{nothing[state]}</p>
            </section>
          )}
          {data.map((line) => (
            <RejectedLineCard key={line.id} line={line} />
          ))}
          {hasMore && (
            <button type="button" onClick={() => setLimit(limit + 40)}>
              Show more
            </button>
          )}
        </>
      )}
    </ResourceView>
  );
}

const nothing: Readonly<Record<RejectState, string>> = {
  open: 'Every line is read, mended or set aside.',
  mended: 'No line was mended yet.',
  dismissed: 'No line was set aside yet.',
  superseded: 'No line that could not be read came again in another file.',
};
