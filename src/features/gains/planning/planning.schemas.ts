import { t } from 'elysia';
import { assetClasses, issueKinds, lotMethods } from '../../../engine/model.ts';
import { filingStatuses } from '../../../forms/report.ts';
import { closed, day, money, nullable, oneOf, quantity, whole, year } from '../../../http/schemas.ts';
import { Summary } from '../../ledger/books/books.schemas.ts';
import { lineSchema } from '../../ledger/books/line-members.ts';
import { assetName } from '../../ledger/transactions/transactions.schemas.ts';
import { excludedTaxes, firstRatesYear } from './gain-tax.ts';

const number = t.String({ minLength: 1, maxLength: 64, description: 'A decimal string.' });
const salesMax = 100;

export const WhatIfRequest = closed(
  {
    sales: t.Array(
      closed({
        asset: t.String({ minLength: 1, maxLength: 200 }),
        assetClass: t.Optional(oneOf(assetClasses, 'Required if a coin and a security share the name.')),
        account: t.Optional(t.String({ maxLength: 200, description: 'Required if several accounts hold the asset.' })),
        quantity: number,
        amount: t.Optional(t.String({ maxLength: 64, description: 'The proceeds of the whole sale, after fees.' })),
        price: t.Optional(t.String({ maxLength: 64, description: 'The price per unit, instead of the amount.' })),
        date: day,
        method: t.Optional(
          oneOf(
            lotMethods,
            'The lot method for this asset and account on that day. The default is the current method.',
          ),
        ),
      }),
      { minItems: 1, maxItems: salesMax },
    ),
  },
  {
    title: 'WhatIfRequest',
    examples: [{ sales: [{ asset: 'AAPL', account: 'Schwab', quantity: '5', price: '210.00', date: '2025-06-02' }] }],
  },
);

const taxes = {
  atZero: money,
  atFifteen: money,
  atTwenty: money,
  tax: t.String({ description: 'The tax on net capital gain at 0, 15 and 20%.' }),
  investmentTax: t.String({ description: '3.8% of these gains over the threshold (IRC 1411).' }),
};
const ratesYear = whole({
  description: 'The year whose rates are used: `year`, or the latest year with published rates if earlier.',
});
const ratesSource = t.String({ description: 'The publication of the rates.' });
const ratesNote = nullable(t.String({ description: 'A note if rates of an earlier year are used; null otherwise.' }));
const leftOut = t.Array(oneOf(excludedTaxes), { description: 'Taxes that the figures do not include.' });
const GainTax = closed(taxes, { title: 'GainTax' });
const GainTaxChange = closed(
  {
    year,
    filingStatus: oneOf(filingStatuses),
    otherIncome: t.String({ description: '`taxableIncome` of the settings without the gains in the books.' }),
    ratesYear,
    source: ratesSource,
    note: ratesNote,
    before: GainTax,
    after: GainTax,
    change: t.String({ description: 'The change in both taxes.' }),
    ordinaryIncomeChange: t.String({
      description:
        'The change in other income from short-term gains and deducted losses. Ordinary rates apply to it, which these figures do not include.',
    }),
    leftOut,
  },
  { title: 'GainTaxChange' },
);

/** What a tax estimate needs. Lotbook never assumes a missing value. */
export const taxNeeds = t.Array(oneOf(['filing_status', 'taxable_income', 'rates']), {
  description: `What the estimate lacks: a setting, or the rates of a year before ${firstRatesYear}.`,
});

export const GainTaxEstimate = closed(
  {
    filingStatus: oneOf(filingStatuses),
    ratesYear,
    source: ratesSource,
    note: ratesNote,
    ...taxes,
    total: t.String({ description: 'Both taxes.' }),
    ordinaryIncome: t.String({
      description:
        'Net short-term gain, or the deducted loss with a minus sign. Ordinary rates apply, which are not included.',
    }),
    leftOut,
  },
  { title: 'GainTaxEstimate', description: 'The federal tax on the stored gains of the year.' },
);

const source = {
  source: oneOf(['price', 'transaction'], 'A stored price or a trade of the taxpayer.'),
  date: day,
  transactionId: nullable(t.String()),
};

export const WhatIfResult = closed(
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
        held: t.String({ description: 'Units in the account on that day before the sale.' }),
        oversold: t.String({ description: 'Units sold that are not held. Their basis counts as zero.' }),
        valuedBy: nullable(closed(source, { description: 'The source of the amount, if the request has none.' })),
      }),
    ),
    disposals: t.Array(lineSchema, { description: 'Only the lines of these sales.' }),
    summary: Summary,
    years: t.Array(Summary, { description: 'All years that these sales change, including the sales.' }),
    taxes: t.Array(GainTaxChange, {
      description: `The tax of those years from ${firstRatesYear} on whose \`taxableIncome\` is known. A year without published rates uses the latest rates, and \`note\` mentions this.`,
    }),
    issues: t.Array(
      closed({
        kind: oneOf(issueKinds),
        asset: t.String(),
        account: t.String(),
        dollars: nullable(money),
        detail: t.String(),
      }),
      { description: 'Issues of these sales, such as units that are not held.' },
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
      { description: 'The same sales under each lot method, with their years.' },
    ),
  },
  { title: 'WhatIfResult' },
);

export const UnitValue = closed(
  {
    ...source,
    provider: nullable(
      t.String({ description: 'The price source: `own` or the name of a provider. Null for a trade.' }),
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
    assetName,
    assetClass: oneOf(assetClasses),
    account: t.String(),
    quantity,
    basis: money,
    acquired: nullable(lotDay),
    heldSince: nullable(lotDay),
    value: nullable(money),
    gain: nullable(t.String({ description: 'The value less the basis, or null without a value.' })),
    valuedBy: nullable(UnitValue),
    term: nullable(oneOf(['short', 'long'], 'The term if sold today. Null if the purchase is unknown.')),
    longTermOn: nullable(day),
    daysToLongTerm: nullable(whole({ description: '0 if a sale today is long-term.' })),
    wash: closed({
      applies: t.Boolean({ description: 'Whether the wash sale rule applies to the asset.' }),
      washed: t.String({ description: 'The maximum units of this lot whose loss recent purchases would disallow.' }),
      denied: money,
      purchases: t.Array(
        closed({ transactionId: t.String(), date: day, account: t.String(), asset: t.String(), quantity }),
        {
          description:
            'Purchases of the last 30 days in the accounts of `washAccounts` that no other loss was matched with. Purchases already sold are listed only if `washSoldBefore` includes them.',
        },
      ),
      safeToSellOn: nullable(
        t.String({ description: 'The first day when existing purchases no longer disallow the loss.' }),
      ),
      safeToRebuyOn: nullable(
        t.String({
          description: 'The first day when a new purchase does not disallow a loss from a sale made today.',
        }),
      ),
    }),
  },
  { title: 'HarvestLot' },
);

const BrokerOrder = closed(
  {
    account: t.String(),
    from: t.String({ description: 'The deadline for the order to the broker.' }),
    orders: t.Array(
      closed({
        asset: nullable(t.String({ description: 'Null for all other digital assets.' })),
        method: oneOf(lotMethods),
      }),
    ),
    notified: t.Boolean({ description: 'Whether the broker was notified as of the day of the response.' }),
    notifiedOn: nullable(t.String({ description: '`toldBroker` of the account or its orders in the settings.' })),
    notifiedHow: nullable(t.String({ description: '`toldBrokerHow` of the account in the settings.' })),
    message: t.String({ description: 'A text to send to the broker.' }),
  },
  { title: 'BrokerInstruction' },
);

const asOf = t.String({ description: 'Today in the taxpayer’s time zone.' });

export const YearEnd = closed(
  {
    year,
    asOf,
    lastTradingDay: t.String({
      description: 'The last trading day of the year. A loss on securities counts on the trade date.',
    }),
    lastDay: t.String({ description: 'The last day of the year, when digital assets trade in any case.' }),
    brokers: t.Array(BrokerOrder, {
      description:
        'The accounts whose digital assets are not sold first in, first out. From 2027 on the broker must have the order by the time of the sale (26 CFR 1.1012-1(j)(3)). Store the confirmation as `toldBroker` and `toldBrokerHow` of the account.',
    }),
    funds: t.Array(
      closed({
        fund: t.String(),
        account: t.String(),
        quantity,
        dueOn: day,
        included: t.String({ description: 'The gain included on that day.' }),
        value: nullable(t.String({ description: 'The value on that day, or null until a `mark` row contains it.' })),
      }),
      { description: 'Opportunity funds whose deferred gain is included this year because the deferral ends.' },
    ),
    washWindows: t.Array(
      closed({
        asset: t.String(),
        account: t.String(),
        sold: day,
        loss: money,
        until: t.String({ description: 'The last day when a purchase would disallow the loss.' }),
      }),
      { description: 'Losses in December whose wash sale window extends into January, up to 1,000.' },
    ),
  },
  { title: 'YearEnd' },
);

export const HarvestList = closed(
  {
    year,
    asOf,
    lastDay: t.String({ description: 'The last day for sales that count in the year.' }),
    realized: closed({ shortTermGain: money, longTermGain: money, gain: money, washSaleDisallowed: money }),
    losses: closed({ short: money, long: money, lots: whole(), unvalued: whole() }),
    tax: nullable(GainTaxChange),
    data: t.Array(HarvestLot, { description: 'The largest loss first, lots without a value last.' }),
    hasMore: t.Boolean(),
    nextCursor: nullable(t.String({ description: 'The `cursor` of the next page.' })),
  },
  { title: 'HarvestList' },
);
