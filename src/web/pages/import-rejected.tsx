import { useLocation } from 'preact-iso';
import { useList } from '../api/list.ts';
import { to } from '../api/page-url.ts';
import { Choice } from '../parts/field.tsx';
import { Page } from '../parts/page.tsx';
import { ListView } from '../parts/resource-view.tsx';
import { DifferenceCard, RejectedLineCard } from './import/rejected-line-card.tsx';
import { type RejectedFileLine, type RejectState, readRejected } from './import/rejected-lines.ts';

/** Rows that could not be read, from all files or from one. */
export default function RejectedLinesPage() {
  const { query, route } = useLocation();
  const { importId } = query;
  const state = states.find(({ value }) => value === query.state)?.value ?? 'open';
  return (
    <Page
      title="Rows we couldn't read"
      lead="Each stays on your review list until you fix or dismiss it."
      actions={
        <a class="button" href={to(importId === undefined ? '/import' : `/import/${importId}`)}>
          Back to {importId === undefined ? 'imports' : 'the file'}
        </a>
      }
    >
      <div class="filters">
        <Choice
          label="Status"
          value={state}
          options={states}
          onChange={(chosen) => route(to('/import/rejected', { importId, state: chosen }), true)}
        />
      </div>
      <RejectedList key={state} importId={importId} state={state} />
    </Page>
  );
}

const states: readonly { readonly value: RejectState; readonly label: string }[] = [
  { value: 'open', label: 'Open' },
  { value: 'mended', label: 'Fixed' },
  { value: 'dismissed', label: 'Dismissed' },
  { value: 'superseded', label: 'Read from another file' },
];

/** Rows that could not be read, in file order. */
function RejectedList({ importId, state }: { readonly importId: string | undefined; readonly state: RejectState }) {
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

const isUnread = ({ stated }: RejectedFileLine): boolean => stated === undefined;

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
