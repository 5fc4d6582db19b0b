import { t } from 'elysia';
import { assetClasses, transactionTypes } from '../../../engine/model.ts';
import { dateOrderCodes } from '../../../formats/cells/times.ts';
import { mappedFields } from '../../../formats/mapping/mapping.ts';
import { closed, id, instant, oneOf } from '../../../http/schemas.ts';

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
