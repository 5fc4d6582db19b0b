import { type TSchema, t } from 'elysia';
import { yearMax } from '../../base/day.ts';
import {
  accountTypes,
  assetClasses,
  informationReturns,
  lotMethods,
  orderMethods,
  otherAccountTypes,
  tickerReadings,
  washScopes,
} from '../../engine/model.ts';
import { columnBChoices, digitalAssetChoices, mergeChoices } from '../../forms/choices.ts';
import { filingStatuses } from '../../forms/report.ts';
import { closed, day, nullable, oneOf, year } from '../../http/schemas.ts';

const method = oneOf(lotMethods);
const yearName = t.String({ pattern: `^(?:19\\d\\d|20\\d\\d|${yearMax})$` });
const amount = t.String({ pattern: '^-?\\d{1,15}(\\.\\d{1,8})?$', description: 'US dollars as a decimal string.' });
const loss = t.String({ pattern: '^\\d{1,15}(\\.\\d{1,2})?$', description: 'US dollars, a positive amount.' });
const dayPattern = '^\\d{4}-\\d{2}-\\d{2}$';
const accountName = t.String({ pattern: '^[\\s\\S]{1,200}$' });

/** A record whose names must match the pattern. */
function recordOf<Value extends TSchema>(name: typeof yearName, value: Value) {
  return t.Record(name, value, { additionalProperties: false });
}

const account = {
  type: oneOf(accountTypes),
  assetClass: oneOf(assetClasses),
  form: oneOf([...informationReturns, 'none']),
  basisReported: t.Boolean(),
  wallet: t.String({
    pattern: '^[\\s\\S]{1,200}$',
    description: 'Accounts of one wallet share their digital assets. By default each account is its own wallet.',
  }),
  toldBroker: t.String({
    pattern: dayPattern,
    description:
      'The day from which the broker is told which lots are sold. From 2027 digital assets at a broker are sold first in, first out before it.',
  }),
  toldBrokerHow: t.String({
    maxLength: 500,
    description:
      'How the broker was told and confirmed it, as “Chat of December 5, ticket 4711”. It changes no number.',
  }),
  paymentProcessor: t.Boolean({
    description:
      'Whether it only processes payments in digital assets: sales of up to $600 a year need no Form 1099-DA. The reconciliation desk expects none.',
  }),
};
const { type, ...ofAccount } = account;
/** What the taxpayer states of one account. */
export const AccountSettings = closed(
  { type, ...t.Partial(t.Object(ofAccount)).properties },
  { title: 'AccountSettings' },
);
const asset = {
  assetClass: oneOf(assetClasses, 'The class of the asset, whatever files state.'),
  accounts: t.Record(accountName, oneOf(assetClasses), {
    additionalProperties: false,
    description: 'Its class in single accounts: a coin and a security may have one name.',
  }),
  collectible: t.Boolean({ description: 'Whether its long-term gain is taxed at 28 % (IRC 408(m), 1(h)(4)).' }),
  basisAtSale: t.Boolean({
    description:
      'Of an interest in an opportunity fund held for ten years: whether its basis is, by election, its value when it is sold (IRC 1400Z-2(c)).',
  }),
  ruralFund: t.Boolean({
    description:
      'Whether it is a qualified rural opportunity fund: of a gain invested from 2027 on, 30 % is never included after five years instead of 10 % (IRC 1400Z-2(b)(2)(B)).',
  }),
  section1256: t.Boolean({ description: 'Of the root of options: whether these are section 1256 contracts.' }),
  formNameOf: t.String({
    pattern: '^[\\s\\S]{1,200}$',
    description:
      'Of a name on Forms 1099, as `APPLE INC`: what your transactions call the asset, as `AAPL`. Its own name states that it is another asset.',
  }),
  sameAs: t.String({
    pattern: '^[\\s\\S]{1,200}$',
    description:
      'This name, as the ISIN `US0378331005`, is another name of the security `AAPL`: all rows, options, prices, positions and forms under it count as that security. A name with `sameAs` has no other members, and no other name may refer to it. Share classes, as GOOG and GOOGL, are two securities.',
  }),
};
const standingOrder = {
  account: t.Optional(t.String({ minLength: 1, maxLength: 200, description: 'The default is all accounts.' })),
  asset: t.Optional(t.String({ minLength: 1, maxLength: 200, description: 'The default is all assets.' })),
  method: oneOf(orderMethods),
  madeAt: t.String({ maxLength: 40, description: 'When the order was made: RFC 3339, or a calendar day.' }),
  from: t.Optional(day),
  toldBroker: t.Optional(
    t.String({ pattern: dayPattern, description: 'The day on which the broker was told of the order.' }),
  ),
};
const members = {
  method,
  methodFrom: t.Array(closed({ year, method }), { maxItems: 201 }),
  digitalAssetScopeBefore2025: oneOf(['universal', 'per_wallet']),
  washSales: oneOf(washScopes),
  washSalesFrom: t.Array(closed({ date: day, washSales: oneOf(washScopes) }), {
    maxItems: 50,
    description: 'Scopes for sales from a day on.',
  }),
  washAccounts: t.Array(oneOf(otherAccountTypes), {
    maxItems: otherAccountTypes.length,
    uniqueItems: true,
    description: 'Accounts other than the taxpayer’s own whose purchases replace what the taxpayer sold at a loss.',
  }),
  washSoldBefore: oneOf(
    ['exclude', 'include'],
    'Whether shares that were bought in the window and sold before the day of the loss are replacements.',
  ),
  washPeriod: oneOf(['tacking', 'replacement']),
  fragmentOrder: oneOf(
    ['wash_adjusted_first', 'wash_adjusted_last'],
    'Which part of a purchase is sold first when a wash sale has adjusted a part of it.',
  ),
  giftBetweenBases: oneOf(
    ['basis_is_proceeds', 'donor_basis'],
    'How the form shows a gift sold between its two bases: with the proceeds as basis, or with the donor’s basis and code L.',
  ),
  transferFees: oneOf(
    ['disposal', 'joins_basis'],
    'Units that pay the fee of a transfer of the same asset are disposed of, or their basis is added to the moved units.',
  ),
  lateIdentification: oneOf(
    ['method', 'accepted'],
    'Lots identified too late: the method chooses the lots, or the identification counts. Either way there is a warning.',
  ),
  mergerRows: oneOf(
    ['cash_less_gain', 'all_received'],
    'How the form shows a merger with cash: the cash and the cash less the gain, or everything received, the basis and code O.',
  ),
  standingOrders: t.Array(closed(standingOrder), {
    maxItems: 1_000,
    description: 'Standing orders identify lots for sales after they were made. The most specific order counts.',
  }),
  wholeDollars: t.Boolean(),
  columnB: oneOf(
    columnBChoices,
    'When forms show the start of the holding period as date acquired, for lots that include the period of other property: where it decides the term, always, or never.',
  ),
  mergeRows: oneOf(mergeChoices, 'One row of a form for all parts of a lot sold on a day, or for all lots of a sale.'),
  digitalAssetsInTxf: oneOf(
    digitalAssetChoices,
    'TXF has no code for digital assets: they are written as not reported, or left out.',
  ),
  filingStatus: oneOf(filingStatuses, 'Of every year that filingStatusByYear does not name.'),
};
const byAccount = {
  methodByAccount: recordOf(accountName, method),
  accounts: recordOf(accountName, AccountSettings),
};
/** What the taxpayer states of one asset, and of all by their names. */
export const StatedAsset = closed(t.Partial(t.Object(asset)).properties, { title: 'StatedAsset' });
export const StatedAssets = recordOf(accountName, StatedAsset);
/** Derived from the rows: stored beside the settings, and no part of what is read or patched. */
const tickers = t.Record(accountName, t.Record(accountName, oneOf(tickerReadings), { additionalProperties: false }), {
  additionalProperties: false,
});
const evidence = t.Record(
  accountName,
  closed(
    t.Partial(
      t.Object({
        lines: oneOf(informationReturns),
        source: oneOf(informationReturns),
        taxFreeName: t.Literal(true),
        walletName: t.Literal(true),
        brokerName: t.Literal(true),
      }),
    ).properties,
  ),
  { additionalProperties: false },
);
const formNames = t.Record(
  accountName,
  t.Record(
    accountName,
    closed({ asset: t.String(), assetClass: oneOf(assetClasses), by: oneOf(['word', 'spelling', 'sale']) }),
    { additionalProperties: false },
  ),
  { additionalProperties: false },
);
const byYear = {
  filingStatusByYear: recordOf(yearName, oneOf(filingStatuses)),
  taxableIncome: recordOf(yearName, amount),
  carryover: recordOf(yearName, closed({ short: loss, long: loss })),
  constructiveSalesOfCoinsFrom: t.String({
    pattern: dayPattern,
    description: 'Off until a bill is law: the day it counts from.',
  }),
};

/** The response of a GET: every election, chosen or by default. */
export const Settings = closed(
  { ...members, ...byAccount, assets: StatedAssets, ...t.Partial(t.Object(byYear)).properties },
  { title: 'Settings' },
);

/** What the taxpayer states of assets, by name. null removes a word, or all words for an asset. */
export const AssetsPatch = recordOf(
  accountName,
  nullable(
    closed({
      ...patchable(asset),
      accounts: t.Optional(nullable(recordOf(accountName, nullable(oneOf(assetClasses))))),
    }),
  ),
);

/** A JSON merge patch (RFC 7396). null removes a choice. The patched settings are validated, not the patch. */
export const SettingsPatch = closed(
  {
    ...patchable(members),
    methodByAccount: t.Optional(nullable(recordOf(accountName, nullable(method)))),
    accounts: t.Optional(nullable(recordOf(accountName, nullable(closed(patchable(account)))))),
    assets: t.Optional(nullable(AssetsPatch)),
    constructiveSalesOfCoinsFrom: t.Optional(nullable(byYear.constructiveSalesOfCoinsFrom)),
    filingStatusByYear: t.Optional(nullable(recordOf(yearName, nullable(oneOf(filingStatuses))))),
    taxableIncome: t.Optional(nullable(recordOf(yearName, nullable(amount)))),
    carryover: t.Optional(nullable(recordOf(yearName, nullable(closed(patchable({ short: loss, long: loss })))))),
  },
  {
    title: 'SettingsPatch',
    description: 'JSON merge patch of Settings: omitted members stay, null removes a choice.',
    examples: [{ filingStatus: 'single', accounts: { Schwab: { type: 'taxable', form: '1099-B' } } }],
  },
);

function patchable<Properties extends Readonly<Record<string, TSchema>>>(properties: Properties) {
  const patched = Object.entries(properties).map(([name, schema]) => [name, removable(schema)]);
  return Object.fromEntries(patched) as {
    [Name in keyof Properties]: ReturnType<typeof removable<Properties[Name]>>;
  };
}

function removable<Schema extends TSchema>(schema: Schema) {
  return t.Optional(nullable(schema));
}

/** As it is kept. */
export const StoredDocument = closed(
  t.Partial(t.Object({ ...members, ...byAccount, assets: StatedAssets, tickers, evidence, formNames, ...byYear }))
    .properties,
);
