import { useLocation } from 'preact-iso';
import { api, useList } from '../api/api.ts';
import { to } from '../api/page-url.ts';
import { toOptions } from '../parts/field.tsx';
import { FilterChoice } from '../parts/filters.tsx';
import { ListView, Page } from '../parts/page.tsx';
import { DifferenceCard, RejectedLineCard } from './import/rejected-line-card.tsx';
import type { RejectedFileLine, RejectState } from './import/rejected-lines.ts';

/** Rows that could not be read, from all files or from one. */
export default function RejectedLinesPage() {
  const { query } = useLocation();
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
        <FilterChoice name="state" label="Status" options={states} />
      </div>
      <RejectedList key={state} importId={importId} state={state} />
    </Page>
  );
}

const states = toOptions<RejectState>({
  ...{ open: 'Open', mended: 'Fixed', dismissed: 'Dismissed', superseded: 'Read from another file' },
});

/** Rows that could not be read, in file order. */
function RejectedList({ importId, state }: { readonly importId: string | undefined; readonly state: RejectState }) {
  const filter = { state, ...(importId === undefined ? {} : { importId }) };
  const list = useList(`rejected ${JSON.stringify(filter)}`, (cursor) =>
    api.imports.rejects.get({ query: { ...filter, ...cursor, limit: 20 } }),
  );
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
