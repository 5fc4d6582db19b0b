import { useState } from 'preact/hooks';
import { to } from '../../api/page-url.ts';
import type { ImportedFile } from '../../api/upload-request.ts';
import { type FileUpload, isRunning, nameAccount, removeUpload } from '../../api/uploads.ts';
import { formatCount } from '../../format/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { Form } from '../../parts/form.tsx';
import { Table } from '../../parts/tables/table.tsx';
import { say } from '../../parts/toasts.tsx';
import { needsDecision } from '../../parts/uploads/upload-strip.tsx';
import { UploadLine } from './upload-card.tsx';

/** Several files that were dropped together: one result, and each file on a line. */
export function DropSummary({ uploads }: { readonly uploads: readonly FileUpload[] }) {
  const results = uploads.flatMap(({ step }) => (step.name === 'done' ? [step.result] : []));
  const sum = (pick: (result: ImportedFile) => number) => results.reduce((total, one) => total + pick(one), 0);
  const rejected = sum((result) => result.rejected);
  const dismiss = () => {
    for (const { id } of uploads) removeUpload(id);
  };
  const headingId = `drop-${uploads[0]?.drop}`;
  return (
    <article class="card upload several" aria-labelledby={headingId}>
      <header>
        <h2 id={headingId}>{formatCount(uploads.length, 'file')}</h2>
        <p class="state">{describeDrop(uploads)}</p>
      </header>
      {results.length > 0 && (
        <p>
          <strong>
            {formatCount(
              sum((result) => result.transactions),
              'transaction',
            )}
          </strong>
          {`, ${formatCount(
            sum((result) => result.duplicates),
            'duplicate',
          )}, ${formatCount(
            sum((result) => result.skipped),
            'row',
          )} not taxable`}
          {rejected > 0 && (
            <>
              , <a href={to('/import/rejected')}>{formatCount(rejected, 'row')}</a> we couldn't read
            </>
          )}
        </p>
      )}
      <AccountNames uploads={uploads} />
      <div class="upload-lines">
        {uploads.map((upload) => (
          <UploadLine key={upload.id} upload={upload} />
        ))}
      </div>
      {uploads.every(({ step }) => step.name === 'done' || step.name === 'undone') && (
        <p class="actions">
          <Button label="Dismiss" onClick={dismiss} />
        </p>
      )}
    </article>
  );
}

function describeDrop(uploads: readonly FileUpload[]): string {
  const going = uploads.filter((upload) => isRunning(upload) || upload.step.name === 'waiting').length;
  const done = uploads.filter(({ step }) => step.name === 'done').length;
  const open = uploads.filter(needsDecision).length;
  return [
    ...(going > 0 ? [`importing ${going}`] : []),
    ...(done > 0 ? [`${done} imported`] : []),
    ...(open > 0 ? [`${open} to review`] : []),
  ].join(', ');
}

/** Asks for the accounts of several dropped files that do not name one, in one table. */
function AccountNames({ uploads }: { readonly uploads: readonly FileUpload[] }) {
  const [names, setNames] = useState<Readonly<Record<string, string>>>({});
  const unnamed = uploads.flatMap((upload) => {
    const account = upload.step.name === 'done' ? findUnnamed(upload.step.result) : undefined;
    return account === undefined ? [] : [{ upload, account }];
  });
  if (unnamed.length < 2) return null;
  const changed = unnamed.flatMap(({ upload, account }) => {
    const name = (names[upload.id] ?? '').trim();
    return name === '' || name === account ? [] : [{ upload, name }];
  });
  const save = async () => {
    for (const { upload, name } of changed) await nameAccount(upload, name);
    say(`${formatCount(changed.length, 'account')} named.`);
  };
  return (
    <details>
      <summary>Name the accounts of {unnamed.length} files that don't contain a name</summary>
      <Form
        fields={{}}
        verb="Save names"
        look=""
        isReady={() => changed.length > 0}
        onSubmit={save}
        lead={
          <Table
            label="Accounts of these files"
            rows={unnamed}
            keyOf={({ upload }) => upload.id}
            columns={[
              { head: 'File', cell: ({ upload }) => upload.file.name },
              {
                head: 'Account',
                cell: ({ upload: { id, file }, account }) => (
                  <input
                    aria-label={`Account of ${file.name}`}
                    maxLength={200}
                    value={names[id] ?? account}
                    onInput={({ currentTarget }) => setNames({ ...names, [id]: currentTarget.value })}
                  />
                ),
              },
            ]}
          />
        }
      />
    </details>
  );
}

/** Returns the account of the rows for which neither the file nor the user names one. */
function findUnnamed({ accounts }: ImportedFile): string | undefined {
  return accounts.find(({ by }) => by === 'source')?.account;
}
