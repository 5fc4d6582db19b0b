import { t } from 'elysia';
import { assetClasses, issueKinds, lotMethods } from '../../engine/model.ts';
import { closed, day, money, nullable, oneOf, quantity, whole, year } from '../../http/schemas.ts';
import { lineSchema } from '../books/line-members.ts';
import { Summary } from '../books/schemas.ts';

const number = t.String({ minLength: 1, maxLength: 64, description: 'A decimal string.' });
const salesMax = 100;

export const WhatIfAsked = closed(
  {
    sales: t.Array(
      closed({
        asset: t.String({ minLength: 1, maxLength: 200 }),
        assetClass: t.Optional(oneOf(assetClasses, 'Needed only where a coin and a security of one name are held.')),
        account: t.Optional(t.String({ maxLength: 200, description: 'Needed only where several accounts hold it.' })),
        quantity: number,
        amount: t.Optional(t.String({ maxLength: 64, description: 'What the whole sale yields, after its costs.' })),
        price: t.Optional(t.String({ maxLength: 64, description: 'What a unit yields, instead of the amount.' })),
        date: day,
        method: t.Optional(
          oneOf(
            lotMethods,
            'Which lots go first; it holds for this asset and account on that day. Else the one in force.',
          ),
        ),
      }),
      { minItems: 1, maxItems: salesMax },
    ),
  },
  { title: 'WhatIfAsked' },
);

const source = {
  source: oneOf(['price', 'transaction'], 'A price that was given, or a trade of the taxpayer’s own.'),
  date: day,
  transactionId: nullable(t.String()),
};

export const WhatIf = closed(
  {
    sales: t.Array(
      closed({
        id: t.String({ description: 'The `saleId` of its disposals.' }),
        asset: t.String(),
        assetClass: oneOf(assetClasses),
        account: t.String(),
        date: day,
        quantity,
        amount: money,
        held: t.String({ description: 'What the account holds on the day, before the sale.' }),
        oversold: t.String({ description: 'Units that are not there: their basis stands as zero.' }),
        valuedBy: nullable(closed(source, { description: 'Who says the amount, where the sale does not.' })),
      }),
    ),
    disposals: t.Array(lineSchema, { description: 'The lines of these sales alone.' }),
    summary: Summary,
    years: t.Array(Summary, { description: 'Every year that these sales change, as it would be.' }),
    issues: t.Array(
      closed({
        kind: oneOf(issueKinds),
        asset: t.String(),
        account: t.String(),
        dollars: money,
        detail: t.String(),
      }),
      { description: 'What the sales would leave open, as more units than are held.' },
    ),
    comparison: t.Array(
      closed({
        method: oneOf(lotMethods),
        proceeds: money,
        basis: money,
        adjustment: money,
        gain: money,
        count: whole(),
        shortTermGain: money,
        longTermGain: money,
        years: t.Array(
          closed({
            year: whole(),
            gain: money,
            shortTermGain: money,
            longTermGain: money,
            washSaleDisallowed: money,
          }),
        ),
      }),
      { description: 'The same sales by each lot method, and the years they fall in.' },
    ),
  },
  { title: 'WhatIf' },
);

const HarvestLot = closed(
  {
    lotId: t.String(),
    asset: t.String(),
    assetClass: oneOf(assetClasses),
    account: t.String(),
    quantity,
    basis: money,
    acquired: t.String({ description: '`YYYY-MM-DD` or `INHERITED`.' }),
    heldSince: t.String({ description: '`YYYY-MM-DD` or `INHERITED`.' }),
    value: nullable(money),
    gain: nullable(t.String({ description: 'What a sale today would yield, less the basis; null without a value.' })),
    valuedBy: nullable(closed({ ...source, unit: t.String({ description: 'US dollars of a unit.' }) })),
    term: oneOf(['short', 'long'], 'Of a sale today.'),
    longTermOn: day,
    daysToLongTerm: whole({ description: '0 where a sale today is long-term.' }),
    wash: closed({
      applies: t.Boolean({ description: 'Whether the wash sale rule covers it at all.' }),
      washed: t.String({ description: 'Units of this lot whose loss recent purchases would deny, at most.' }),
      denied: money,
      purchases: t.Array(
        closed({ transactionId: t.String(), date: day, account: t.String(), asset: t.String(), quantity }),
        {
          description:
            'Bought within the last 30 days and not used up by another loss, in the accounts that count (`washAccounts`); sold already only where that counts (`washSoldBefore`).',
        },
      ),
      safeToSellOn: nullable(
        t.String({ description: 'The first day on which no purchase made so far denies the loss.' }),
      ),
      safeToRebuyOn: nullable(
        t.String({ description: 'After a sale today, the first day on which buying it again is safe.' }),
      ),
    }),
  },
  { title: 'HarvestLot' },
);

export const Harvest = closed(
  {
    year,
    asOf: t.String({ description: 'Today, where the taxpayer is.' }),
    lastDay: t.String({ description: 'The last day on which a sale counts in the year.' }),
    realized: closed({ shortTermGain: money, longTermGain: money, gain: money, washSaleDisallowed: money }),
    losses: closed({ short: money, long: money, lots: whole(), unvalued: whole() }),
    data: t.Array(HarvestLot, { description: 'The largest loss first; lots without any value at the end.' }),
    hasMore: t.Boolean(),
    nextCursor: nullable(t.String({ description: 'Give it as `cursor` to read on.' })),
  },
  { title: 'Harvest' },
);
