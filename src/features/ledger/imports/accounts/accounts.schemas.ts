import { t } from 'elysia';
import { accountStatements } from '../../../../formats/accounts/file-accounts.ts';
import { closed, id, nullable, oneOf, whole } from '../../../../http/schemas.ts';

/** An account with rows in the file. */
export const ImportedAccount = closed(
  {
    account: t.String({ description: 'Its name in the books.' }),
    by: oneOf(
      accountStatements,
      'Where the file names the account: in a column (`row`), in a line between its rows, in a title above them, or in the file name. `request`: set by the import request. `source`: the file does not name it.',
    ),
    stated: nullable(t.String({ description: 'Its name in the file, outside of the rows.' })),
    rows: whole(),
  },
  { title: 'ImportedAccount' },
);

/** Rows that were stored under the name of their source, and the account that is now known. */
export const AccountOffer = closed(
  {
    from: t.String({ description: 'The account of the rows now.' }),
    to: t.String({ description: 'The account named in the file.' }),
    rows: whole(),
  },
  { title: 'AccountOffer' },
);

export const AccountAssignment = closed(
  {
    edits: t.Array(
      closed({
        editId: t.String({ description: 'Undo the edit with POST /transactions/edits/:id/undo.' }),
        account: t.String(),
        rows: whole(),
      }),
    ),
    left: whole({ description: 'Number of rows that are not assigned yet. If it is not 0, send the request again.' }),
  },
  {
    title: 'AccountAssignment',
    examples: [
      {
        edits: [{ editId: '0b8f1c1e-5d4c-4b57-9d0a-6f0d2a1c7e11', account: 'Joint Tenant ...871', rows: 12 }],
        left: 0,
      },
    ],
  },
);

/** Two files that name no account and may belong to different accounts. */
export const AccountQuestion = closed(
  {
    id,
    account: t.String({ description: 'The current account of the rows in `importId`.' }),
    importId: t.String({ description: 'The import whose rows may belong to another account.' }),
    otherId: t.String({ description: 'The import that it was compared with.' }),
    otherAccount: t.String({
      description: 'The account of `otherId`. If it is the same as `account`, neither file names an account.',
    }),
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
          'Two Robinhood files name no account, cover 2025-01-02 to 2025-06-30 and have different assets. Do they belong to two accounts?',
      },
    ],
  },
);
