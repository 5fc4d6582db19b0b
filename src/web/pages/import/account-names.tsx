import { useState } from 'preact/hooks';
import type { ImportedFile } from '../../api/upload-request.ts';
import { type FileUpload, nameAccount } from '../../api/uploads.ts';
import { formatCount } from '../../format/amounts.ts';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { StackedTable } from '../../parts/tables/stacked-table.tsx';
import { say } from '../../parts/toasts.tsx';
import { useSubmission } from './submission.ts';

/** Asks for the accounts of several dropped files that do not name one, in one table. */
export function AccountNames({ uploads }: { readonly uploads: readonly FileUpload[] }) {
  const [names, setNames] = useState<Readonly<Record<string, string>>>({});
  const { problem, isBusy, submit } = useSubmission();
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
      <form onSubmit={submit(save)}>
        <StackedTable
          label="Accounts of these files"
          columns={['File', 'Account']}
          rows={unnamed.map(({ upload: { id, file }, account }) => ({
            key: String(id),
            name: file.name,
            cells: [
              <input
                key="account"
                aria-label={`Account of ${file.name}`}
                maxLength={200}
                value={names[id] ?? account}
                onInput={({ currentTarget }) => setNames({ ...names, [id]: currentTarget.value })}
              />,
            ],
          }))}
        />
        {problem !== null && <ProblemNotice problem={problem} />}
        <p class="actions">
          <button type="submit" aria-disabled={isBusy} disabled={changed.length === 0}>
            Save names
          </button>
        </p>
      </form>
    </details>
  );
}

/** Returns the account of the rows for which neither the file nor the user names one. */
function findUnnamed({ accounts }: ImportedFile): string | undefined {
  return accounts.find(({ by }) => by === 'source')?.account;
}
