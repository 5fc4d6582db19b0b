import { useLocation } from 'preact-iso';
import { to } from '../api/page-url.ts';
import { Choice } from '../parts/field.tsx';
import { Page } from '../parts/page.tsx';
import type { RejectState } from './import/rejected-lines.ts';
import { RejectedList } from './import/rejected-list.tsx';

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
