import { useList } from '../../api/list.ts';
import { ListView } from '../../parts/list-view.tsx';
import { DifferenceCard } from './difference-card.tsx';
import { RejectedLineCard } from './rejected-line-card.tsx';
import { type RejectedFileLine, type RejectState, readRejected } from './rejected-lines.ts';

interface RejectedListProps {
  readonly importId: string | undefined;
  readonly state: RejectState;
}

/** Rows that could not be read, in file order. */
export function RejectedList({ importId, state }: RejectedListProps) {
  const filter = { state, ...(importId === undefined ? {} : { importId }) };
  const list = useList(`rejected ${JSON.stringify(filter)}`, (cursor) => readRejected({ ...filter, ...cursor }));
  return (
    <ListView list={list}>
      {({ data }) => (
        <>
          {data.length === 0 && (
            <section class="card">
              <p class="fine">{nothing[state]}</p>
            </section>
          )}
          {data.filter(isUnread).map((line) => (
            <RejectedLineCard key={line.id} line={line} />
          ))}
          <Differences lines={data.filter((line) => !isUnread(line))} />
        </>
      )}
    </ListView>
  );
}

function isUnread({ stated }: RejectedFileLine): boolean {
  return stated === undefined;
}

/** Rows that were imported, but whose reported result does not match their other numbers. */
function Differences({ lines }: { readonly lines: readonly RejectedFileLine[] }) {
  if (lines.length === 0) return null;
  return (
    <section class="differing-results" aria-labelledby="differing-results">
      <h2 id="differing-results">Results that differ</h2>
      <p class="fine">
        These rows are imported. In each, the result in your file does not match its other numbers. Check whether rows
        are missing, or note why the difference does not matter.
      </p>
      {lines.map((line) => (
        <DifferenceCard key={line.id} line={line} />
      ))}
    </section>
  );
}

const nothing: Readonly<Record<RejectState, string>> = {
  open: 'All rows are taken care of.',
  mended: 'No rows fixed yet.',
  dismissed: 'No rows dismissed yet.',
  superseded: 'No unreadable row has been read from another file.',
};
