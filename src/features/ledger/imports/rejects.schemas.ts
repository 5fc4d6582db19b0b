import { t } from 'elysia';
import { closed, id, money, nullable, oneOf, whole, year } from '../../../http/schemas.ts';
import { YearsPreview } from '../books/books.schemas.ts';
import { NewTransaction } from '../transactions/transactions.schemas.ts';

export const rejectStates = ['open', 'mended', 'dismissed', 'superseded'] as const;

export const RejectedLine = closed(
  {
    id,
    importId: id,
    line: whole({ description: 'The line number in the file.' }),
    column: nullable(t.String({ description: 'The header of the column; null for the whole row.' })),
    code: t.String(),
    reason: t.String(),
    manual: t.Boolean({
      description: 'Whether editing the row does not help, so that you have to enter the transaction manually.',
    }),
    text: t.String({ description: 'The line as CSV.' }),
    header: t.Array(t.String(), { description: 'The column names of its file, for the cells of `text`.' }),
    amount: t.Optional(money),
    stated: t.Optional(
      t.String({
        description: 'The result reported in the row, if it was read and its result differs (`result_differs`).',
      }),
    ),
    computed: t.Optional(t.String({ description: 'The result calculated from the file. `amount` is the difference.' })),
    year: t.Optional(year),
    state: oneOf(rejectStates),
    note: nullable(t.String({ description: 'The reason why it was dismissed.' })),
    transactionId: nullable(t.String({ description: 'The transaction that fixes it.' })),
  },
  {
    title: 'RejectedRow',
    examples: [
      {
        id: '2c0d4e57-7a51-4a53-9c7e-54b5a7a5f0d1',
        importId: '53c3ec83-a853-47ac-8706-22be23f30a70',
        line: 7,
        column: 'Action',
        code: 'unknown_type',
        reason: 'Unknown transaction type',
        manual: false,
        text: '2024-06-03,Cash Merger,ACME,,30246.04',
        header: ['Date', 'Action', 'Symbol', 'Quantity', 'Amount'],
        amount: '30246.04',
        year: 2024,
        state: 'open',
        note: null,
        transactionId: null,
      },
    ],
  },
);

export const SettledRejectedLine = closed(
  { ...RejectedLine.properties, preview: t.Optional(YearsPreview) },
  { title: 'SettledRejectedRow' },
);

export const RejectSettlement = t.Union(
  [
    closed({ row: NewTransaction }),
    closed({
      dismiss: t.String({ minLength: 1, maxLength: 2_000, description: 'The reason why the row can be ignored.' }),
    }),
  ],
  { title: 'RejectSettlement', examples: [{ dismiss: 'The broker corrected it on line 9.' }] },
);
