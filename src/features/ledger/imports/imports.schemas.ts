import { t } from 'elysia';
import { comparedResults } from '../../../formats/stated-results.ts';
import { closed, day, FailureReason, id, instant, money, nullable, oneOf, whole } from '../../../http/schemas.ts';
import { changedYears, YearsPreview } from '../books/books.schemas.ts';
import { Transaction } from '../transactions/transactions.schemas.ts';
import { AccountOffer, ImportedAccount } from './accounts/accounts.schemas.ts';

const Preview = closed(
  {
    transactions: t.Array(Transaction, {
      description: 'The first rows as they would be imported, including duplicates.',
    }),
    rejects: t.Array(closed({ line: whole(), column: nullable(t.String()), reason: t.String() }), {
      description: 'The first rows that cannot be read.',
    }),
    issues: t.Array(
      closed({
        kind: t.String(),
        on: day,
        asset: t.String(),
        account: t.String(),
        dollars: nullable(money),
        detail: t.String(),
        line: whole(),
      }),
      { description: 'Issues that its rows would leave open: unknown amounts first, then the largest.' },
    ),
    years: changedYears,
    planLimit: nullable(t.String({ description: 'Why the plan would refuse the import. Null if it would not.' })),
    warnings: t.Array(t.String(), { description: 'Messages to show before importing.' }),
  },
  { title: 'Preview', description: 'The preview of a dry run.' },
);

export const Import = closed(
  {
    id,
    status: oneOf(['running', 'completed', 'failed']),
    format: nullable(t.String({ description: 'One of GET /formats, or `mapping`.' })),
    fileName: nullable(t.String()),
    bytes: whole(),
    rows: whole({ description: 'Number of non-empty lines below the header.' }),
    imported: whole({ description: 'Lines with new transactions.' }),
    transactions: whole({
      description: 'New transactions of these lines. A line can contain several, and several lines can describe one.',
    }),
    duplicates: whole({
      description: 'Lines that are duplicates, and lines that contradict a stored row (`proposedRows`).',
    }),
    skipped: whole({ description: 'Lines that are not taxable, such as totals and cash deposits.' }),
    rejected: whole({ description: 'Lines that could not be read; see /imports/:id/rejects.' }),
    firstDate: nullable(day),
    lastDate: nullable(day),
    years: t.Array(whole(), { description: 'The years of its rows.' }),
    skips: t.Array(closed({ reason: t.String(), lines: whole() }), { description: 'The reasons for skipped lines.' }),
    warnings: closed(
      {
        count: whole(),
        lines: t.Array(closed({ line: whole(), detail: t.String() })),
        results: t.Array(
          closed({
            result: oneOf([...comparedResults]),
            compared: whole(),
            differing: nullable(
              whole({
                description:
                  'Null for balances and gains of sales. Each one that differs from the books is an open issue.',
              }),
            ),
          }),
          {
            description:
              'The number of results in the file (prices, gains, totals, gains of closed positions, balances) that were compared with its rows, and the number that differ. Each difference is a warning or an open issue with both numbers.',
          },
        ),
      },
      {
        description:
          'The number of lines with inconsistent amounts, and the first 100 of them. An example is an amount that is not price times quantity and that no fee explains. They are imported as they are, with a note in the transaction.',
      },
    ),
    issues: whole({ description: 'Open issues raised by its rows.' }),
    possibleDuplicates: whole({
      description: 'Rows that another kind of file, or a manual entry, may also have. Both count.',
    }),
    proposedRows: whole({
      description:
        'Rows that contradict a row of an earlier file. They are not stored. Each is an issue of kind `row_differs` until you choose one of the two, or both.',
    }),
    accounts: t.Array(ImportedAccount, {
      description: 'The accounts of its rows, and how the file names each. Empty for imports from earlier versions.',
    }),
    accountOffers: t.Array(AccountOffer, {
      description:
        'Rows of earlier files that are also in this file and whose account is now known. Assign them with POST /imports/:id/assign-accounts.',
    }),
    accountQuestions: whole({
      description:
        'Open questions about whether its rows and those of another file belong to two accounts; see GET /imports/account-questions.',
    }),
    createdAt: instant,
    completedAt: nullable(instant),
    undoneAt: t.Optional(instant),
    preview: t.Optional(Preview),
    problem: t.Optional(FailureReason),
  },
  { title: 'Import' },
);

export const UndoPreview = closed(
  {
    transactions: whole({ description: 'The number of transactions that the undo would remove.' }),
    years: YearsPreview.properties.years,
  },
  { title: 'UndoPreview' },
);

export const Format = closed(
  {
    id: t.String(),
    name: t.String(),
    source: t.String({ description: 'The account for rows that name none.' }),
    assetClass: nullable(
      t.String({ description: 'The default class of its assets, if neither the row nor the account determines it.' }),
    ),
    layouts: t.Array(
      closed({
        id: t.String(),
        headers: t.Array(t.String(), { description: 'Names that the header must contain, in any order and case.' }),
        onlyWhenNamed: t.Boolean({
          description: 'Whether the names are too common to identify the source. If so, set `format`.',
        }),
        asks: t.Array(oneOf(['dateOrder', 'side']), {
          description: 'Import parameters that its files may need.',
        }),
      }),
    ),
  },
  { title: 'Format' },
);
