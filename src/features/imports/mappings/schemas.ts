import { t } from 'elysia';
import { assetClasses, transactionTypes } from '../../../engine/model.ts';
import { dateOrderCodes } from '../../../formats/cells/times.ts';
import { mappedFields } from '../../../formats/mapping/mapping.ts';
import { closed, id, instant, oneOf } from '../../../http/schemas.ts';

const types = oneOf([...transactionTypes, 'sign', 'skip'], '`sign` leaves it to the sign, `skip` leaves the row out.');

/** A file of trades with words of its own. */
export const mappingExample = {
  columns: { 'Trade Date': 'date', Side: 'type', Ticker: 'asset', Qty: 'quantity', Price: 'price', Commission: 'fee' },
  types: { Acquired: 'buy', Disposed: 'sell', Memo: 'skip' },
  dateOrder: 'mdy',
  constants: { currency: 'EUR' },
};

export const Mapping = closed(
  {
    columns: t.Record(t.String(), oneOf(mappedFields), {
      description:
        'Header of the file → the member of a transaction that stands below it, or what files have instead: time, price, total, debit, credit, pair, quote, sentAsset, sentQuantity, label, status; openedAt, openPrice, openAmount, gain, grossGain and financing of closed positions; effect, expiration, strike and multiplier of contracts; tax withheld of a sale. Several columns may hold fees and accounts.',
    }),
    dateOrder: t.Optional(
      oneOf(dateOrderCodes, 'Which part comes first in `3/4/2025` or `25-03-04`; otherwise the rows decide.'),
    ),
    epoch: t.Optional(t.Boolean({ description: 'Times are seconds or milliseconds since 1970.' })),
    serialDays: t.Optional(t.Boolean({ description: 'Dates are days since 1900, as spreadsheets count them.' })),
    fillDown: t.Optional(t.Boolean({ description: 'A row without a date goes on with that of the row above.' })),
    decimal: t.Optional(oneOf(['.', ','])),
    signs: t.Optional(
      oneOf(
        ['quantity', 'amount'],
        'Whose sign decides: more units or less money is a purchase. Types that say otherwise are rejected.',
      ),
    ),
    types: t.Optional(t.Record(t.String(), types, { description: 'The file’s own words for its types.' })),
    timeZone: t.Optional(t.String({ description: 'IANA zone of times without offset.' })),
    splitQuantity: t.Optional(
      oneOf(['ratio', 'added'], 'How to read the quantity of a split: new shares for each old one, or shares added.'),
    ),
    multipliers: t.Optional(
      t.Record(t.String(), t.String(), { description: 'Root of a future → the dollars of one point.' }),
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
        { description: 'What no column says.' },
      ),
    ),
    undecided: t.Optional(
      t.Record(t.String(), t.String(), {
        description:
          'Columns with two readings that give different money, each with the question. A file is read when none is left: put the column in `columns`, or leave it out of both.',
      }),
    ),
  },
  { title: 'Mapping', examples: [mappingExample] },
);

export const RememberedMapping = closed(
  {
    id,
    header: t.Array(t.String(), { description: 'Files with these columns, in this order, are read so.' }),
    mapping: Mapping,
    createdAt: instant,
    usedAt: instant,
  },
  { title: 'RememberedMapping' },
);
