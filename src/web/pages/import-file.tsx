import { useLocation, useRoute } from 'preact-iso';
import { api, unwrapResponse } from '../api/api.ts';
import { useReadOnly } from '../api/books.ts';
import { to } from '../api/page-url.ts';
import { useResource } from '../api/resource.ts';
import type { ImportedFile } from '../api/upload-request.ts';
import { formatCount } from '../format/amounts.ts';
import { bytes } from '../format/bytes.ts';
import { day, moment } from '../format/dates.ts';
import { Page } from '../parts/page.tsx';
import { ResourceView } from '../parts/resource-view.tsx';
import { AccountOffers, AccountQuestions, ImportAccounts } from './import/account-notes.tsx';
import { ImportChangesView } from './import/import-changes.tsx';
import { ImportCounts, ImportedTransactions, ImportNotes, ImportYears, useFormatName } from './import/import-facts.tsx';
import { RereadCard } from './import/reread-card.tsx';
import { UndoImport } from './import/undo-import.tsx';

/** One import: what happened to its rows, and how it differs from the previous file. */
export default function ImportFilePage() {
  const { params } = useRoute();
  const { route } = useLocation();
  const id = params.id ?? '';
  const reading = useResource(`import ${id}`, () => unwrapResponse(api.imports({ id }).get()));
  const status = reading.data?.status;
  const name = reading.data?.fileName ?? 'An import';
  return (
    <Page
      title={name}
      lead={
        reading.data && (
          <>
            {status === 'completed' ? 'Imported' : 'Uploaded'} {moment(reading.data.createdAt)},{' '}
            {bytes(reading.data.bytes)}
          </>
        )
      }
      actions={
        <>
          <a class="button" href={to('/import')}>
            Back to imports
          </a>
          {status !== undefined && status !== 'running' && (
            <UndoImport id={id} name={name} isFailed={status === 'failed'} onUndone={() => route(to('/import'))} />
          )}
        </>
      }
    >
      <ResourceView reading={reading}>{(result) => <ImportedFileView result={result} />}</ResourceView>
    </Page>
  );
}

function ImportedFileView({ result }: { readonly result: ImportedFile }) {
  const readOnly = useReadOnly();
  const { id, status, problem, firstDate, lastDate, years, format, rejected } = result;
  const source = useFormatName(format);
  if (status !== 'completed') {
    return (
      <section class="card">
        <p>
          {status === 'failed'
            ? `This file was not imported. ${problem?.detail ?? ''}`
            : 'Saving the rows of this file.'}
        </p>
      </section>
    );
  }
  return (
    <>
      <section class="card">
        <h2>Results</h2>
        <p>
          Read as <strong>{source}</strong>
          {firstDate !== null && lastDate !== null && `, from ${day(firstDate)} to ${day(lastDate)}`}:{' '}
          <ImportedTransactions result={result} />
          <ImportYears years={years} />
        </p>
        <ImportAccounts result={result} />
        <ImportCounts result={result} />
        <ImportNotes result={result} />
        <p class="actions">
          <a class="button" href={to('/transactions', { importId: id })}>
            View transactions
          </a>
          {rejected > 0 && (
            <>
              <a class="button" href={to('/import/rejected', { importId: id })}>
                Fix {formatCount(rejected, 'row')}
              </a>
              <a class="button" href={to(`/v1/imports/${id}/rejects`)} download>
                Download them as CSV
              </a>
            </>
          )}
        </p>
      </section>
      <AccountOffers result={result} isReadOnly={readOnly !== null} />
      <AccountQuestions result={result} isReadOnly={readOnly !== null} />
      <ImportChangesView id={id} />
      <RereadCard key={id} id={id} isReadOnly={readOnly !== null} />
    </>
  );
}
