import { useState } from 'preact/hooks';
import type { ImportedFile } from '../../api/upload-request.ts';
import { type FileUpload, nameAccount } from '../../api/uploads.ts';
import { formatCount } from '../../format/amounts.ts';
import { Form } from '../../parts/form.tsx';
import { Table } from '../../parts/tables/table.tsx';
import { say } from '../../parts/toasts.tsx';

/** Asks for the accounts of several dropped files that do not name one, in one table. */
export function AccountNames({ uploads }: { readonly uploads: readonly FileUpload[] }) {
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
