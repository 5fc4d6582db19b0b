import { t } from 'elysia';
import { assetClasses, issueKinds, lotMethods } from '../../engine/model.ts';
import { filingStatuses } from '../../forms/report.ts';
import { closed, day, money, nullable, oneOf, quantity, whole, year } from '../../http/schemas.ts';
import { lineSchema } from '../books/line-members.ts';
import { Summary } from '../books/schemas.ts';
import { leftOut } from './gain-tax.ts';
import { firstRatesYear } from './tax-rates.ts';

const number = t.String({ minLength: 1, maxLength: 64, description: 'A decimal string.' });
const salesMax = 100;

export const WhatIfAsked = closed(
  {
    sales: t.Array(
      closed({
        asset: t.String({ minLength: 1, maxLength: 200 }),
        assetClass: t.Optional(oneOf(assetClasses, 'Needed only where a coin and a security share the name.')),
        account: t.Optional(
          t.String({ maxLength: 200, description: 'Needed only where several accounts hold the asset.' }),
        ),
        quantity: number,
        amount: t.Optional(t.String({ maxLength: 64, description: 'The proceeds of the whole sale, after fees.' })),
        price: t.Optional(t.String({ maxLength: 64, description: 'The proceeds of one unit, instead of the amount.' })),
        date: day,
        method: t.Optional(
          oneOf(
            lotMethods,
            'The lot method for this asset and account on that day. The default is the method in force.',
          ),
        ),
      }),
      { minItems: 1, maxItems: salesMax },
    ),
  },
  {
    title: 'WhatIfAsked',
    examples: [{ sales: [{ asset: 'AAPL', account: 'Schwab', quantity: '5', price: '210.00', date: '2025-06-02' }] }],
  },
);

const taxes = {
  atZero: money,
  atFifteen: money,
  atTwenty: money,
  tax: t.String({ description: 'On net capital gain, at 0, 15 and 20 %.' }),
  investmentTax: t.String({ description: '3.8 % of these gains over the threshold (IRC 1411).' }),
};
const GainTax = closed(taxes, { title: 'GainTax' });
const GainTaxChange = closed(
  {
    year,
    filingStatus: oneOf(filingStatuses),
    otherIncome: t.String({ description: '`taxableIncome` of the settings without the gains that the books have.' }),
    ratesYear: whole({
      description: 'The year whose rates are used: `year`, or the latest year with published rates if that is earlier.',
    }),
    source: t.String({ description: 'Where the rates are published.' }),
    note: nullable(t.String({ description: 'States that rates of an earlier year are used; null otherwise.' })),
    before: GainTax,
    after: GainTax,
    change: t.String({ description: 'The difference of both taxes.' }),
    ordinaryIncomeChange: t.String({
      description:
        'Short-term gain, or loss deducted, by which other income changes: taxed by rates that are left out.',
    }),
    leftOut: t.Array(oneOf(leftOut), { description: 'What the figures do not have in them.' }),
  },
  { title: 'GainTaxChange' },
);

const source = {
  source: oneOf(['price', 'transaction'], 'A stored price, or a trade of the taxpayer.'),
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
        held: t.String({ description: 'Units in the account on that day, before the sale.' }),
        oversold: t.String({ description: 'Units sold that are not held. Their basis counts as zero.' }),
        valuedBy: nullable(
          closed(source, { description: 'The source of the amount, where the sale does not state it.' }),
        ),
      }),
    ),
    disposals: t.Array(lineSchema, { description: 'The lines of these sales only.' }),
    summary: Summary,
    years: t.Array(Summary, { description: 'Every year that these sales change, with the sales.' }),
    taxes: t.Array(GainTaxChange, {
      description: `The tax of those years from ${firstRatesYear} on whose \`taxableIncome\` is known. A year without published rates uses the latest ones, and \`note\` states this.`,
    }),
    issues: t.Array(
      closed({
        kind: oneOf(issueKinds),
        asset: t.String(),
        account: t.String(),
        dollars: nullable(money),
        detail: t.String(),
      }),
      { description: 'The issues of these sales, such as units that are not held.' },
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
      { description: 'The same sales by each lot method, with their years.' },
    ),
  },
  { title: 'WhatIf' },
);

/** What values a unit. */
export const UnitValue = closed(
  {
    ...source,
    provider: nullable(
      t.String({ description: 'Who gave the price: `own`, or the name of a provider; null for a trade.' }),
    ),
    unit: t.String({ description: 'US dollars per unit.' }),
  },
  { title: 'UnitValue' },
);

const lotDay = t.String({ description: '`YYYY-MM-DD` or `INHERITED`. Null if the purchase is unknown.' });

const HarvestLot = closed(
  {
    lotId: t.String(),
    asset: t.String(),
    assetClass: oneOf(assetClasses),
    account: t.String(),
    quantity,
    basis: money,
    acquired: nullable(lotDay),
    heldSince: nullable(lotDay),
    value: nullable(money),
    gain: nullable(t.String({ description: 'The value less the basis; null without a value.' })),
    valuedBy: nullable(UnitValue),
    term: nullable(oneOf(['short', 'long'], 'The term of a sale today. Null if the purchase is unknown.')),
    longTermOn: nullable(day),
    daysToLongTerm: nullable(whole({ description: '0 if a sale today is long-term.' })),
    wash: closed({
      applies: t.Boolean({ description: 'Whether the wash sale rule applies to the asset.' }),
      washed: t.String({ description: 'The most units of this lot whose loss recent purchases would disallow.' }),
      denied: money,
      purchases: t.Array(
        closed({ transactionId: t.String(), date: day, account: t.String(), asset: t.String(), quantity }),
        {
          description:
            'Purchases within the last 30 days that no other loss was matched with, in the accounts of `washAccounts`. Purchases sold already are listed only if `washSoldBefore` includes them.',
        },
      ),
      safeToSellOn: nullable(
        t.String({ description: 'The first day on which no purchase so far disallows the loss.' }),
      ),
      safeToRebuyOn: nullable(
        t.String({ description: 'The first day on which a new purchase does not disallow the loss of a sale today.' }),
      ),
    }),
  },
  { title: 'HarvestLot' },
);

const BrokerOrder = closed(
  {
    account: t.String(),
    from: t.String({ description: 'The day from which the broker must know the order.' }),
    orders: t.Array(
      closed({
        asset: nullable(t.String({ description: 'Null: all other digital assets.' })),
        method: oneOf(lotMethods),
      }),
    ),
    notified: t.Boolean({ description: 'Whether the broker was notified, by the day of the response.' }),
    notifiedOn: nullable(t.String({ description: '`toldBroker` of the account or its orders in the settings.' })),
    notifiedHow: nullable(t.String({ description: '`toldBrokerHow` of the account in the settings.' })),
    message: t.String({ description: 'A text to send to the broker.' }),
  },
  { title: 'BrokerOrder' },
);

export const YearEnd = closed(
  {
    year,
    asOf: t.String({ description: 'Today in the taxpayer’s time zone.' }),
    lastTradingDay: t.String({
      description:
        'The last day of the year on which the exchanges are open: a loss on securities counts by the trade date.',
    }),
    lastDay: t.String({ description: 'The last day of the year. Digital assets trade on it in any case.' }),
    brokers: t.Array(BrokerOrder, {
      description:
        'The accounts whose digital assets are sold by another order than first in, first out. From 2027 on the broker must know it by the sale (26 CFR 1.1012-1(j)(3)). Store the confirmation as `toldBroker` and `toldBrokerHow` of the account.',
    }),
    funds: t.Array(
      closed({
        fund: t.String(),
        account: t.String(),
        quantity,
        dueOn: day,
        included: t.String({ description: 'The gain that is included on that day.' }),
        value: nullable(t.String({ description: 'The value on that day; null until a `mark` states it.' })),
      }),
      { description: 'Opportunity funds whose deferred gain is included in the year because the deferral ends.' },
    ),
    washWindows: t.Array(
      closed({
        asset: t.String(),
        account: t.String(),
        sold: day,
        loss: money,
        until: t.String({ description: 'The last day on which a purchase disallows the loss.' }),
      }),
      { description: 'Losses of December whose wash sale window reaches into January, up to 1,000.' },
    ),
  },
  { title: 'YearEnd' },
);

export const Harvest = closed(
  {
    year,
    asOf: t.String({ description: 'Today in the taxpayer’s time zone.' }),
    lastDay: t.String({ description: 'The last day on which a sale falls in the year.' }),
    realized: closed({ shortTermGain: money, longTermGain: money, gain: money, washSaleDisallowed: money }),
    losses: closed({ short: money, long: money, lots: whole(), unvalued: whole() }),
    tax: nullable(GainTaxChange),
    data: t.Array(HarvestLot, { description: 'The largest loss first, lots without a value last.' }),
    hasMore: t.Boolean(),
    nextCursor: nullable(t.String({ description: 'The `cursor` of the next page.' })),
  },
  { title: 'Harvest' },
);
