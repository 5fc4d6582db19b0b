import { useEffect, useRef, useState } from 'preact/hooks';
import { to } from '../../api/page-url.ts';
import { say } from '../../api/toasts.ts';
import type { ImportedFile } from '../../api/upload-request.ts';
import {
  addFiles,
  type FileUpload,
  isRunning,
  nameAccount,
  nextFiles,
  removeUpload,
  uploadName,
} from '../../api/uploads.ts';
import { formatCount } from '../../format/amounts.ts';
import { Button, Icon } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import { Check, Form } from '../../parts/form.tsx';
import { Table } from '../../parts/tables/table.tsx';
import { needsDecision } from '../../parts/uploads/upload-strip.tsx';
import { UploadLine } from './upload-card.tsx';

/** Accepts dropped, chosen or pasted files, with options for the next ones. */
export function DropCard() {
  const input = useRef<HTMLInputElement>(null);
  const [isPasting, setPasting] = useState(false);
  const { account, isTrial, isCorrection } = nextFiles.value;
  useEffect(() => {
    const onPaste = (event: ClipboardEvent): void => {
      const isTyped = event.target instanceof Element && event.target.closest('input, textarea, select') !== null;
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (!isTyped && isTable(text)) addFiles([createCsvFile(text)]);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, []);
  return (
    <section class="card drop">
      <div class="drop-place">
        <Icon name="import" />
        <div>
          <h2>Drop files here, or anywhere in Lotbook</h2>
          <p class="fine">
            CSV, Excel (.xlsx), OFX, QFX, Flex XML and FDX files, and ZIPs of them, as many as you like. If we don't
            recognize a file, we'll ask you to match its columns.
          </p>
        </div>
        <p class="actions">
          <Button label="Browse files" class="primary" onClick={() => input.current?.click()} />
          <Button label="Paste from a spreadsheet" aria-expanded={isPasting} onClick={() => setPasting(!isPasting)} />
          <input
            ref={input}
            type="file"
            multiple
            hidden
            accept=".csv,.tsv,.txt,.json,.xlsx,.xlsm,.ofx,.qfx,.xml,.pdf,.zip,.gz,text/csv,text/plain,application/json,application/zip"
            aria-label="Files to import"
            onChange={({ currentTarget }) => {
              addFiles(currentTarget.files ?? []);
              currentTarget.value = '';
            }}
          />
        </p>
      </div>
      {isPasting && <PasteForm onClose={() => setPasting(false)} />}
      <div class="fields">
        <Field
          label="Account name (optional)"
          value={account}
          onInput={(text) => setNext({ account: text })}
          placeholder="Joint brokerage"
          hint="Used when a file doesn't name one. Defaults to the broker's name."
        />
        <Check
          label="Preview before importing"
          means="Shows what each file would change. Nothing is saved until you confirm."
          isOn={isTrial}
          onInput={(isOn) => setNext({ isTrial: isOn })}
        />
        <Check
          label="Corrects earlier files"
          means="Rows that differ from an earlier file wait under Review. You can replace all of them at once."
          isOn={isCorrection}
          onInput={(isOn) => setNext({ isCorrection: isOn })}
        />
      </div>
    </section>
  );
}

function setNext(change: Partial<typeof nextFiles.value>): void {
  nextFiles.value = { ...nextFiles.peek(), ...change };
}

function PasteForm({ onClose }: { readonly onClose: () => void }) {
  return (
    <Form
      class="answer"
      fields={{
        text: {
          label: 'Rows, including the header',
          rows: 6,
          isRequired: true,
          placeholder: 'date,type,account,asset,quantity,amount\n2025-02-03,buy,Schwab,MSFT,5,2050.00',
        },
      }}
      draft={null}
      verb="Import rows"
      onSubmit={async ({ text }) => {
        addFiles([createCsvFile(text)]);
        onClose();
      }}
      onClose={onClose}
    />
  );
}

/** Returns whether text has several lines with several cells, as copied from a spreadsheet or an editor. */
function isTable(text: string): boolean {
  const lines = text.split('\n').filter((line) => /[,;\t|]/.test(line));
  return lines.length > 1;
}

const createCsvFile = (text: string): File => new File([text], 'Pasted rows.csv', { type: 'text/csv' });

/** Several files that were dropped together: one result, and each file on a line. */
export function DropSummary({ uploads }: { readonly uploads: readonly FileUpload[] }) {
  const results = uploads.flatMap(({ step }) => (step.name === 'done' ? [step.result] : []));
  const count = (name: 'transactions' | 'duplicates' | 'skipped' | 'rejected', one: string) =>
    formatCount(
      results.reduce((total, result) => total + result[name], 0),
      one,
    );
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
          <strong>{count('transactions', 'transaction')}</strong>, {count('duplicates', 'duplicate')},{' '}
          {count('skipped', 'row')} not taxable
          {results.some(({ rejected }) => rejected > 0) && (
            <>
              , <a href={to('/import/rejected')}>{count('rejected', 'row')}</a> we couldn't read
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
              { head: 'File', cell: ({ upload }) => uploadName(upload) },
              {
                head: 'Account',
                cell: ({ upload, account }) => (
                  <input
                    aria-label={`Account of ${uploadName(upload)}`}
                    maxLength={200}
                    value={names[upload.id] ?? account}
                    onInput={({ currentTarget }) => setNames({ ...names, [upload.id]: currentTarget.value })}
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
