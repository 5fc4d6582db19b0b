import { useLocation } from 'preact-iso';
import { to } from '../api/acting.ts';
import { Choice } from '../parts/field.tsx';
import { Page } from '../parts/page.tsx';
import type { RejectState } from './import/rejected-lines.ts';
import { RejectedList } from './import/rejected-list.tsx';

/** Lines that could not be read, of all files or of one. */
export default function RejectedLinesPage() {
  const { query, route } = useLocation();
  const { importId } = query;
  const state = states.find(({ value }) => value === query.state)?.value ?? 'open';
  return (
    <Page
      title="Lines that could not be read"
      lead="Each is an open question of its tax year until it is mended, set aside, or read from another file."
      actions={
        <a class="button" href={to(importId === undefined ? '/import' : `/import/${importId}`)}>
          Back to the {importId === undefined ? 'imports' : 'file'}
        </a>
      }
    >
      <div class="filters">
        <Choice
          label="State"
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
  { value: 'mended', label: 'Mended' },
  { value: 'dismissed', label: 'Set aside' },
  { value: 'superseded', label: 'Read from another file' },
];
