import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { api, booksChanged, type DataOf, type ItemOf, unwrapResponse, useApi, write } from '../api/api.ts';
import { to } from '../api/page-url.ts';
import { useImport } from '../api/status.ts';
import { say } from '../api/toasts.ts';
import type { ImportedFile } from '../api/upload-request.ts';
import { bytes, count, formatCount } from '../format/amounts.ts';
import { day, moment } from '../format/dates.ts';
import { ActionButton, Button, LinkButton, useAction } from '../parts/button.tsx';
import { DownloadButton } from '../parts/files/download-button.tsx';
import { Form } from '../parts/form.tsx';
import { OwnBooks } from '../parts/own-books.tsx';
import { Card, Page, ProblemNotice, ResourceView } from '../parts/page.tsx';
import { Points } from '../parts/points.tsx';
import { YearsPreview } from '../parts/years-preview.tsx';
import { ImportCounts, ImportedTransactions, ImportNotes, ImportYears, useFormatName } from './import/import-facts.tsx';
import { RowsTable } from './import/preview-view.tsx';
import { UndoImport } from './import/undo-import.tsx';

/** One import: what happened to its rows, and how it differs from the previous file. */
export default function ImportFilePage() {
  const { params } = useRoute();
  const { route } = useLocation();
  const id = params.id ?? '';
  const reading = useImport(id);
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
          <LinkButton label="Back to imports" href={to('/import')} />
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
      <Card title="Results">
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
          <LinkButton label="View transactions" href={to('/transactions', { importId: id })} />
          {rejected > 0 && (
            <>
              <a class="button" href={to('/import/rejected', { importId: id })}>
                Fix {formatCount(rejected, 'row')}
              </a>
              <LinkButton label="Download them as CSV" href={to(`/v1/imports/${id}/rejects`)} download />
            </>
          )}
        </p>
      </Card>
      <AccountOffers result={result} />
      <AccountQuestions result={result} />
      <ImportChangesView id={id} />
      <RereadCard key={id} id={id} />
    </>
  );
}

const namedBy: Readonly<Record<ImportedFile['accounts'][number]['by'], string>> = {
  row: 'named in its rows',
  section: 'named between its rows',
  title: 'named above its table',
  file_name: 'named by the file name',
  request: 'named by you',
  source: 'not named in the file',
};

const accountsShown = 6;

/** The accounts in a file's rows, and how the file names each. */
function ImportAccounts({ result: { accounts } }: { readonly result: ImportedFile }) {
  return (
    <Points
      items={[
        ...accounts.slice(0, accountsShown).map(({ account, by, rows }) => (
          <>
            <strong>{account}</strong>, {namedBy[by]}: {formatCount(rows, 'row')}
          </>
        )),
        accounts.length > accountsShown && formatCount(accounts.length - accountsShown, 'more account'),
      ]}
    />
  );
}

/** Offers to assign rows from earlier files to the account that this file names. */
function AccountOffers({ result }: { readonly result: ImportedFile }) {
  if (result.accountOffers.length === 0) return null;
  const assign = async () => {
    const { edits, left } = await write(api.imports({ id: result.id })['assign-accounts'].post());
    const rows = edits.reduce((sum, edit) => sum + edit.rows, 0);
    say(`${formatCount(rows, 'row')} assigned.${left > 0 ? ` ${formatCount(left, 'row')} left: assign again.` : ''}`);
  };
  return (
    <Card title="Assign earlier rows to an account">
      <p>You imported these rows before we knew their account. This file contains them too and names the account.</p>
      <Points
        items={result.accountOffers.map(({ from, to, rows }) => (
          <>
            {formatCount(rows, 'row')} from <strong>{from}</strong> to <strong>{to}</strong>
          </>
        ))}
      />
      <OwnBooks>
        <Form fields={{}} verb="Assign rows" busy="Assign rows" onSubmit={assign} />
      </OwnBooks>
    </Card>
  );
}

/** Asks once whether two files without an account name belong to the same account. */
function AccountQuestions({ result }: { readonly result: ImportedFile }) {
  const { id, accountQuestions } = result;
  const key = accountQuestions > 0 ? `account questions ${id}` : null;
  const reading = useApi(key, () => api.imports['account-questions'].get({ query: { importId: id } }));
  return (
    <>
      {(reading.data?.data ?? []).map((question) => (
        <AccountQuestionCard key={question.id} question={question} />
      ))}
    </>
  );
}

type AccountQuestion = ItemOf<(typeof api.imports)['account-questions']['get']>;

function AccountQuestionCard({ question }: { readonly question: AccountQuestion }) {
  const { route } = useLocation();
  const { account, otherAccount, importId } = question;
  return (
    <Card title="One account or two?">
      <p>{question.detail}</p>
      <OwnBooks>
        <Form
          fields={{
            name: {
              label: `Account for the rows in ${account}`,
              value: account === otherAccount ? '' : otherAccount,
              placeholder: 'Roth IRA',
              isRequired: true,
            },
          }}
          verb="Move to this account"
          isReady={({ name }) => name.trim() !== ''}
          onSubmit={async ({ name: typed }) => {
            const name = typed.trim();
            const reread = api.imports({ id: importId }).reread.post({ apply: true, account: name });
            const { import: moved } = await unwrapResponse(reread);
            route(to(`/import/${moved.id}`), true);
            booksChanged();
            say(`The rows are now in ${name}.`);
          }}
          actions={
            <ActionButton
              label={`Keep them in ${account}`}
              act={() => write(api.imports['account-questions']({ id: question.id }).delete())}
              said={`The rows stay in ${account}.`}
            />
          }
        />
      </OwnBooks>
    </Card>
  );
}

type Rereading = Awaited<ReturnType<typeof readAgain>>;

const readAgain = (id: string, apply: boolean) => unwrapResponse(api.imports({ id }).reread.post({ apply }));

/** The original file, and the changes if the latest version imported it again. */
function RereadCard({ id }: { readonly id: string }) {
  const { route } = useLocation();
  const [found, setFound] = useState<Rereading | null>(null);
  const { act, problem, isBusy } = useAction();
  const apply = async () => {
    const { import: applied } = await readAgain(id, true);
    route(to(`/import/${applied.id}`), true);
    // Loads the new import first so that the old import's page no longer requests it.
    await unwrapResponse(api.imports({ id: applied.id }).get());
    booksChanged();
    say('The new version has been applied.');
  };
  return (
    <Card title="Original file">
      <p class="fine">
        We keep the file exactly as you uploaded it. Each Lotbook version can read more. Re-import it to see what would
        change before you decide.
      </p>
      {problem !== null && <ProblemNotice problem={problem} />}
      {found !== null && <RereadDifference found={found} />}
      <p class="actions">
        <DownloadButton label="Original file" pathOf={() => `/v1/imports/${id}/file`} />
        {found === null && (
          <OwnBooks>
            <Button
              label={isBusy ? 'Reading…' : 'Re-import with the latest version'}
              aria-disabled={isBusy}
              onClick={() => void act(async () => setFound(await readAgain(id, false)))}
            />
          </OwnBooks>
        )}
        {found !== null && differs(found) && (
          <Button label="Apply" class="primary" aria-disabled={isBusy} onClick={() => void act(apply)} />
        )}
        {found !== null && <Button label="Cancel" onClick={() => setFound(null)} />}
      </p>
    </Card>
  );
}

function differs({ changes: { added, changed, gone }, years }: Rereading): boolean {
  return added.length + changed.length + gone.length + years.length > 0;
}

function RereadDifference({ found }: { readonly found: Rereading }) {
  const { added, changed, gone, truncated } = found.changes;
  if (!differs(found)) return <p role="status">No changes.</p>;
  return (
    <div role="status">
      <YearsPreview years={found.years} />
      <ComparedRows
        title={`New rows: ${count(added.length)}`}
        explanation="Rows that you deleted are listed too. They would come back."
        rows={added.map((row) => ({ row, isNew: true }))}
      />
      <ComparedRows title={`Read differently: ${count(changed.length)}`} rows={listPairs(changed, true)} />
      <ComparedRows
        title={`No longer read: ${count(gone.length)}`}
        explanation="They will be removed, unless another file contains them too."
        rows={gone.map((row) => ({ row }))}
      />
      {truncated && <p class="fine">There are more than shown.</p>}
    </div>
  );
}

type ImportDifferences = DataOf<ReturnType<typeof api.imports>['changes']['get']>;
type ComparedRow = ImportDifferences['added'][number];

/** Shows how a file differs from the previous one from the same source. */
function ImportChangesView({ id }: { readonly id: string }) {
  const changes = useApi(`changes of ${id}`, () => api.imports({ id }).changes.get());
  return (
    <Card title="Changes since the previous file">
      <ResourceView reading={changes}>
        {(changes) =>
          changes.against === null ? (
            <p class="fine">
              This is the first file from this source and account for these dates. After you import a newer one, this
              page shows the differences.
            </p>
          ) : (
            <Differences found={changes} against={changes.against} />
          )
        }
      </ResourceView>
    </Card>
  );
}

function Differences({ found, against }: { readonly found: ImportDifferences; readonly against: string }) {
  const { added, changed, gone, truncated } = found;
  const before = useImport(against).data;
  return (
    <>
      <p>
        Compared with <a href={to(`/import/${against}`)}>{before?.fileName ?? 'the previous file'}</a>
        {before !== undefined && ` of ${moment(before.createdAt)}`}.
      </p>
      {added.length + changed.length + gone.length === 0 && <p class="fine">No differences for the same dates.</p>}
      <ComparedRows title={`Added: ${count(added.length)}`} rows={added.map((row) => ({ row }))} />
      <ComparedRows
        title={`Changed: ${count(changed.length)}`}
        explanation="Both rows of each pair are in your records. Delete the wrong one."
        rows={listPairs(changed, false)}
      />
      <ComparedRows
        title={`Removed: ${count(gone.length)}`}
        explanation="The new file covers these dates but no longer contains these rows. They are still in your records."
        rows={gone.map((row) => ({ row }))}
      />
      {truncated && <p class="fine">There are more than shown.</p>}
    </>
  );
}

/** Returns both rows of each changed pair. */
function listPairs(changed: ImportDifferences['changed'], isNew: boolean): ComparedRowsProps['rows'] {
  return changed.flatMap(({ before, after, members }) => [
    { row: before, note: 'before' },
    { row: after, isNew, note: members.length === 0 ? 'after' : `after: different ${members.join(', ')}` },
  ]);
}

interface ComparedRowsProps {
  readonly title: string;
  readonly explanation?: string;
  /** Rows, each with a note. */
  readonly rows: readonly {
    readonly row: ComparedRow;
    readonly note?: string;
    /** The row is not in the books yet, so there is no page to open. */
    readonly isNew?: boolean;
  }[];
}

function ComparedRows({ title, explanation, rows }: ComparedRowsProps) {
  if (rows.length === 0) return null;
  return (
    <details open={rows.length <= 20}>
      <summary>{title}</summary>
      {explanation !== undefined && <p class="fine">{explanation}</p>}
      <RowsTable
        label={title}
        rows={rows.map(({ row, note, isNew = false }) => ({
          ...row,
          key: row.transactionId,
          line: (
            <>
              {isNew ? row.line : <a href={to('/transactions', { ids: row.transactionId })}>{row.line}</a>}
              {note !== undefined && <p class="fine">{note}</p>}
            </>
          ),
        }))}
      />
    </details>
  );
}
