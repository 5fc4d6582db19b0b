import { t } from 'elysia';
import { assetClasses, transactionTypes } from '../../../engine/model.ts';
import { accountStatements } from '../../../formats/accounts/file-accounts.ts';
import { dateOrderCodes } from '../../../formats/cells/times.ts';
import { mappedFields } from '../../../formats/mapping/mapping.ts';
import { comparedResults } from '../../../formats/stated-results.ts';
import { closed, day, FailureReason, id, instant, money, nullable, oneOf, whole } from '../../../http/schemas.ts';
import { changedYears, YearsPreview } from '../books/books.schemas.ts';
import { Transaction } from '../transactions/transactions.schemas.ts';

/** An account with rows in the file. */
const ImportedAccount = closed(
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
const AccountOffer = closed(
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

const types = oneOf([...transactionTypes, 'sign', 'skip'], '`sign`: decided by the sign. `skip`: the row is left out.');

/** A mapping for a file of trades. */
export const mappingExample = {
  columns: { 'Trade Date': 'date', Side: 'type', Ticker: 'asset', Qty: 'quantity', Price: 'price', Commission: 'fee' },
  types: { Acquired: 'buy', Disposed: 'sell', Memo: 'skip' },
  dateOrder: 'mdy',
  constants: { currency: 'EUR' },
};

export const dateOrder = t.Optional(
  oneOf(
    dateOrderCodes,
    'The part that comes first in `3/4/2025` or `25-03-04`. If omitted, it is detected from the rows. Set it if the problem is `ambiguous_file`.',
  ),
);
export const timeZoneMeaning = 'IANA time zone of times without offset.';

const Mapping = closed(
  {
    columns: t.Record(t.String(), oneOf(mappedFields), {
      description:
        'Maps a header of the file to a member of a transaction, or to a value that files have instead: time, price, total, debit, credit, pair, quote, sentAsset, sentQuantity, label, status; openedAt, openPrice, openAmount, gain, grossGain and financing of closed positions; effect, expiration, strike and multiplier of contracts; tax withheld of a sale. Several columns can contain fees and accounts.',
    }),
    dateOrder,
    epoch: t.Optional(t.Boolean({ description: 'Times are seconds or milliseconds since 1970.' })),
    serialDays: t.Optional(t.Boolean({ description: 'Dates are days since 1900, as in spreadsheets.' })),
    fillDown: t.Optional(t.Boolean({ description: 'A row without a date gets the date of the row above.' })),
    decimal: t.Optional(oneOf(['.', ','])),
    signs: t.Optional(
      oneOf(
        ['quantity', 'amount'],
        'The column whose sign distinguishes purchases from sales: more units or less money is a purchase. Types that contradict the sign are rejected.',
      ),
    ),
    types: t.Optional(
      t.Record(t.String(), types, { description: 'Maps the type names of the file to transaction types.' }),
    ),
    timeZone: t.Optional(t.String({ description: timeZoneMeaning })),
    splitQuantity: t.Optional(
      oneOf(['ratio', 'added'], 'How to read the quantity of a split: new shares for each old one, or shares added.'),
    ),
    multipliers: t.Optional(
      t.Record(t.String(), t.String(), { description: 'Maps the root of a future to the dollars of one point.' }),
    ),
    constants: t.Optional(
      closed(
        {
          type: t.Optional(oneOf(transactionTypes)),
          account: t.Optional(t.String()),
          asset: t.Optional(t.String()),
          currency: t.Optional(t.String()),
          assetClass: t.Optional(oneOf(assetClasses)),
        },
        { description: 'Values that no column contains.' },
      ),
    ),
    undecided: t.Optional(
      t.Record(t.String(), t.String(), {
        description:
          'Columns with two possible meanings that give different amounts, each with the question. Resolve each one before the import: add the column to `columns`, or remove it from both.',
      }),
    ),
  },
  { title: 'Mapping', examples: [mappingExample] },
);

export const SavedMapping = closed(
  {
    id,
    header: t.Array(t.String(), { description: 'The mapping applies to files with these columns in this order.' }),
    mapping: Mapping,
    createdAt: instant,
    usedAt: instant,
  },
  { title: 'SavedMapping' },
);
