import { t } from 'elysia';
import { transactionTypes } from '../../../engine/model.ts';
import { closed, id, money, nullable, oneOf, quantity, whole } from '../../../http/schemas.ts';
import { changedYears } from '../books/books.schemas.ts';
import { Import } from './imports.schemas.ts';
import { importQuery } from './options.ts';

const row = {
  transactionId: t.String(),
  line: whole({ description: 'The line number in the imported file.' }),
  date: t.String(),
  type: oneOf(transactionTypes),
  account: t.String(),
  asset: t.String(),
  quantity: nullable(quantity),
  amount: nullable(money),
  externalId: nullable(t.String()),
};

const bought = {
  transactionId: '8dd4636e-78aa-432c-6c3c-694cd77a7fc6',
  line: 2,
  date: '2024-01-02',
  type: 'buy',
  account: 'Schwab',
  asset: 'AAPL',
  quantity: '10',
  amount: '1000.00',
  externalId: 'b1',
};
const example = {
  importId: '53c3ec83-a853-47ac-8706-22be23f30a70',
  against: 'f5a80716-6614-73e3-0fb1-7918089d5766',
  added: [],
  changed: [{ before: bought, after: { ...bought, amount: '1001.00' }, members: ['amount'] }],
  gone: [],
  truncated: false,
};

const lists = {
  added: t.Array(closed(row), { description: 'Rows in this import but not in the previous one.' }),
  changed: t.Array(
    closed({
      before: closed(row),
      after: closed(row),
      members: t.Array(t.String(), { description: 'The names of the fields that differ.' }),
    }),
    {
      description:
        'Rows with the same ID, or the same date, type and asset, but different values. If the later row is a proposal that you have not resolved (`row_differs`), `transactionId` is the ID that the row would get. Otherwise, both rows are in the books.',
    },
  ),
  truncated: t.Boolean({ description: 'Whether there are more rows than the lists contain.' }),
};

export const Changes = closed(
  {
    importId: id,
    against: nullable(
      t.String({
        description:
          'The ID of the previous import of the same kind of file that has an account and some days in common with this one. Null if there is none.',
      }),
    ),
    ...lists,
    gone: t.Array(closed(row), {
      description:
        'Rows of the previous import that are missing from this one, although it covers their days and accounts. They are still in the books.',
    }),
  },
  { title: 'ImportChanges', examples: [example] },
);

/** The differences between an import and the rows found by rereading its file. */
const ReadingDifferences = closed(
  {
    ...lists,
    added: t.Array(closed(row), { description: 'Rows that the reread found but the import does not contain.' }),
    changed: t.Array(lists.changed.items, { description: 'Rows that the reread found with different values.' }),
    gone: t.Array(closed(row), {
      description:
        'Rows that the import contains but the reread did not find. They are removed unless another file also contains them.',
    }),
  },
  { title: 'ReadingDifferences' },
);

const { format, account, timeZone, dateOrder, side } = importQuery;

export const RereadBody = closed(
  {
    apply: t.Optional(
      t.Boolean({
        description: 'Set to true to replace the import with the new version. Otherwise, nothing is saved.',
      }),
    ),
    format,
    account,
    timeZone,
    dateOrder,
    side,
  },
  { title: 'RereadChanges', examples: [{ apply: false }] },
);

export const RereadResult = closed(
  {
    applied: t.Boolean(),
    import: Import,
    changes: ReadingDifferences,
    years: changedYears,
  },
  { title: 'RereadResult' },
);
