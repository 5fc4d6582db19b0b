import { t } from 'elysia';
import { accountStatements } from '../../../formats/accounts/file-accounts.ts';
import { closed, id, nullable, oneOf, whole } from '../../../http/schemas.ts';

/** An account that a file has rows of. */
export const ImportedAccount = closed(
  {
    account: t.String({ description: 'Its name in the books.' }),
    by: oneOf(
      accountStatements,
      'How the file names it: in a column (`row`), in a line between its rows, in a title above them, or in the name of the file. `request`: the import stated it. `source`: nothing does.',
    ),
    stated: nullable(t.String({ description: 'The name that the file gives it outside of its rows.' })),
    rows: whole(),
  },
  { title: 'ImportedAccount' },
);

/** Rows that were stored under the name of their source, and whose account is known now. */
export const AccountOffer = closed(
  {
    from: t.String({ description: 'The account that the rows have.' }),
    to: t.String({ description: 'The account that the file names.' }),
    rows: whole(),
  },
  { title: 'AccountOffer' },
);

export const AssignedAccounts = closed(
  {
    edits: t.Array(
      closed({
        editId: t.String({ description: 'POST /transactions/edits/:id/undo takes it back.' }),
        account: t.String(),
        rows: whole(),
      }),
    ),
    left: whole({ description: 'Rows that are not assigned yet. Send the request again.' }),
  },
  {
    title: 'AssignedAccounts',
    examples: [
      {
        edits: [{ editId: '0b8f1c1e-5d4c-4b57-9d0a-6f0d2a1c7e11', account: 'Joint Tenant ...871', rows: 12 }],
        left: 0,
      },
    ],
  },
);

/** Files that may belong to two accounts and name none. */
export const AccountQuestion = closed(
  {
    id,
    account: t.String({ description: 'The account in which the rows of `importId` are now.' }),
    importId: t.String({ description: 'The import whose rows may belong to another account.' }),
    otherId: t.String({ description: 'The import that was compared with it.' }),
    otherAccount: t.String({ description: 'The account of that one. The same: neither file names an account.' }),
    detail: t.String(),
  },
  {
    title: 'AccountQuestion',
    examples: [
      {
        id: '0b8f1c1e-5d4c-4b57-9d0a-6f0d2a1c7e11',
        account: 'Robinhood',
        importId: '53c3ec83-a853-47ac-8706-22be23f30a70',
        otherId: 'f5a80716-6614-73e3-0fb1-7918089d5766',
        otherAccount: 'Robinhood',
        detail:
          'Two files of Robinhood name no account, cover the days from 2025-01-02 to 2025-06-30, and have different assets. Are they of two accounts?',
      },
    ],
  },
);
