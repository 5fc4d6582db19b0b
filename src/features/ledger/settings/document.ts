import { type TSchema, t } from 'elysia';
import { yearMax } from '../../../base/day.ts';
import {
  accountTypes,
  assetClasses,
  informationReturns,
  lotMethods,
  orderMethods,
  otherAccountTypes,
  tickerReadings,
  washScopes,
} from '../../../engine/model.ts';
import { columnBChoices, digitalAssetChoices, mergeChoices } from '../../../forms/choices.ts';
import { filingStatuses } from '../../../forms/report.ts';
import { closed, day, dayFormat, nullable, oneOf, type TextFormat, year } from '../../../http/schemas.ts';

const method = oneOf(lotMethods);
const yearName = t.String({ pattern: `^(?:19\\d\\d|20\\d\\d|${yearMax})$` });
const amount = t.String({
  pattern: '^-?\\d{1,15}(\\.\\d{1,8})?$',
  'x-message': 'Enter US dollars like 1250.50',
  description: 'US dollars as a decimal string.',
});
const loss = t.String({
  pattern: '^\\d{1,15}(\\.\\d{1,2})?$',
  'x-message': 'Enter a loss without a sign, like 1250.50',
  description: 'A positive amount in US dollars.',
});
const nameFormat: TextFormat = { pattern: '^[\\s\\S]{1,200}$', 'x-message': 'Use 1 to 200 characters' };
const accountName = t.String({ ...nameFormat });

/** Creates a record schema whose names must match a pattern. */
function createRecordSchema<Value extends TSchema>(name: typeof yearName, value: Value) {
  return t.Record(name, value, { additionalProperties: false });
}

const account = {
  type: oneOf(accountTypes),
  assetClass: oneOf(assetClasses),
  form: oneOf([...informationReturns, 'none']),
  basisReported: t.Boolean(),
  wallet: t.String({
    ...nameFormat,
    description: 'Accounts of one wallet share their digital assets. By default each account is its own wallet.',
  }),
  toldBroker: t.String({
    ...dayFormat,
    description:
      'The day from which the broker has lot instructions. From 2027, digital assets at a broker are sold first in, first out before that day.',
  }),
  toldBrokerHow: t.String({
    maxLength: 500,
    description:
      'How the broker was notified and confirmed, such as “Chat of December 5, ticket 4711”. It does not affect any number.',
  }),
  paymentProcessor: t.Boolean({
    description:
      'Whether the account only processes payments in digital assets. Such sales of up to $600 a year need no Form 1099-DA, so reconciliation does not expect one.',
  }),
};
const { type, ...ofAccount } = account;
export const AccountSettings = closed(
  { type, ...t.Partial(t.Object(ofAccount)).properties },
  { title: 'AccountSettings' },
);
const asset = {
  name: t.String({
    pattern: '^(?=[\\s\\S]*\\S)[^\\r\\n]{1,120}$',
    'x-message': 'Enter a name of up to 120 characters on one line',
    description: 'Your name for the asset, such as `Apple`. It is only shown, and no number depends on it.',
  }),
  assetClass: oneOf(assetClasses, 'The class of the asset. It overrides the files.'),
  accounts: t.Record(accountName, oneOf(assetClasses), {
    additionalProperties: false,
    description: 'Its class in individual accounts, because a coin and a security may share a name.',
  }),
  collectible: t.Boolean({ description: 'Whether its long-term gain is taxed at 28% (IRC 408(m), 1(h)(4)).' }),
  basisAtSale: t.Boolean({
    description:
      'For an interest in an opportunity fund held for ten years: whether its basis is its value at the sale, by election (IRC 1400Z-2(c)).',
  }),
  ruralFund: t.Boolean({
    description:
      'Whether it is a qualified rural opportunity fund. For gains invested from 2027 on, 30% is never included after five years instead of 10% (IRC 1400Z-2(b)(2)(B)).',
  }),
  section1256: t.Boolean({ description: 'For an option root: whether its options are section 1256 contracts.' }),
  formNameOf: t.String({
    ...nameFormat,
    description:
      'For a name on Forms 1099, such as `APPLE INC`: the name in your transactions, such as `AAPL`. The name itself means that it is a different asset.',
  }),
  sameAs: t.String({
    ...nameFormat,
    description:
      'The main name of the same security. For example, with `AAPL` here, the ISIN `US0378331005` is another name of it, and all rows, options, prices, positions and forms under the ISIN count as `AAPL`. A name with `sameAs` has no other settings, and no other name may refer to it. Share classes such as GOOG and GOOGL are two securities.',
  }),
};
const standingOrder = {
  account: t.Optional(t.String({ minLength: 1, maxLength: 200, description: 'The default is all accounts.' })),
  asset: t.Optional(t.String({ minLength: 1, maxLength: 200, description: 'The default is all assets.' })),
  method: oneOf(orderMethods),
  madeAt: t.String({ maxLength: 40, description: 'The date of the order: RFC 3339 or a calendar day.' }),
  from: t.Optional(day),
  toldBroker: t.Optional(
    t.String({ ...dayFormat, description: 'The day on which the broker was notified of the order.' }),
  ),
};
const members = {
  method,
  methodFrom: t.Array(closed({ year, method }), { maxItems: 201 }),
  digitalAssetScopeBefore2025: oneOf(['universal', 'per_wallet']),
  washSales: oneOf(washScopes),
  washSalesFrom: t.Array(closed({ date: day, washSales: oneOf(washScopes) }), {
    maxItems: 50,
    description: 'Scopes for sales from a given day on.',
  }),
  washAccounts: t.Array(oneOf(otherAccountTypes), {
    maxItems: otherAccountTypes.length,
    uniqueItems: true,
    description: 'Other people’s accounts whose purchases can replace what the taxpayer sold at a loss.',
  }),
  washSoldBefore: oneOf(
    ['exclude', 'include'],
    'Whether shares bought in the window but sold before the day of the loss are replacements.',
  ),
  washPeriod: oneOf(['tacking', 'replacement']),
  fragmentOrder: oneOf(
    ['wash_adjusted_first', 'wash_adjusted_last'],
    'Which part of a purchase is sold first if a wash sale has adjusted only part of it.',
  ),
  giftBetweenBases: oneOf(
    ['basis_is_proceeds', 'donor_basis'],
    'How the form shows a gift sold between its two bases: with the proceeds as basis, or with the donor’s basis and code L.',
  ),
  transferFees: oneOf(
    ['disposal', 'joins_basis'],
    'Whether units that pay the fee of a transfer of the same asset are disposed of or add their basis to the moved units.',
  ),
  lateIdentification: oneOf(
    ['method', 'accepted'],
    'For lots identified too late: either the lot method chooses, or the identification counts. Both raise a warning.',
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
    'When forms show the start of the holding period as the date acquired for lots with a tacked holding period: only if it decides the term, always, or never.',
  ),
  mergeRows: oneOf(
    mergeChoices,
    'Whether forms have one row for all parts of a lot sold on a day, or one row for all lots of a sale.',
  ),
  digitalAssetsInTxf: oneOf(
    digitalAssetChoices,
    'TXF has no code for digital assets. They are exported as not reported or left out.',
  ),
  filingStatus: oneOf(filingStatuses, 'The status for every year that filingStatusByYear does not name.'),
};
const byAccount = {
  methodByAccount: createRecordSchema(accountName, method),
  accounts: createRecordSchema(accountName, AccountSettings),
};
/** The settings of one asset, and of all assets by name. */
export const AssetSettings = closed(t.Partial(t.Object(asset)).properties, { title: 'AssetSettings' });
export const StatedAssets = createRecordSchema(accountName, AssetSettings);
/**
 * The classes of ambiguous tickers, derived from the rows. They are stored with the settings but cannot be read or
 * changed through the API.
 */
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
  filingStatusByYear: createRecordSchema(yearName, oneOf(filingStatuses)),
  taxableIncome: createRecordSchema(yearName, amount),
  carryover: createRecordSchema(yearName, closed({ short: loss, long: loss })),
  constructiveSalesOfCoinsFrom: t.String({
    ...dayFormat,
    description: 'Off until a bill becomes law: the effective date.',
  }),
};

/** The response of GET: all elections, whether chosen or default. */
export const Settings = closed(
  { ...members, ...byAccount, assets: StatedAssets, ...t.Partial(t.Object(byYear)).properties },
  { title: 'Settings' },
);

/** The settings of assets, by name. Null removes one setting, or all settings of an asset. */
export const AssetsPatch = createRecordSchema(
  accountName,
  nullable(
    closed({
      ...patchable(asset),
      accounts: t.Optional(nullable(createRecordSchema(accountName, nullable(oneOf(assetClasses))))),
    }),
  ),
);

/** A JSON merge patch (RFC 7396). Null removes a choice. The patched settings are validated, not the patch. */
export const SettingsUpdate = closed(
  {
    ...patchable(members),
    methodByAccount: t.Optional(nullable(createRecordSchema(accountName, nullable(method)))),
    accounts: t.Optional(nullable(createRecordSchema(accountName, nullable(closed(patchable(account)))))),
    assets: t.Optional(nullable(AssetsPatch)),
    constructiveSalesOfCoinsFrom: t.Optional(nullable(byYear.constructiveSalesOfCoinsFrom)),
    filingStatusByYear: t.Optional(nullable(createRecordSchema(yearName, nullable(oneOf(filingStatuses))))),
    taxableIncome: t.Optional(nullable(createRecordSchema(yearName, nullable(amount)))),
    carryover: t.Optional(
      nullable(createRecordSchema(yearName, nullable(closed(patchable({ short: loss, long: loss }))))),
    ),
  },
  {
    title: 'SettingsUpdate',
    description: 'A JSON merge patch of Settings: omitted fields keep their values, and null removes a choice.',
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

/** The settings as stored in the database. */
export const StoredDocument = closed(
  t.Partial(t.Object({ ...members, ...byAccount, assets: StatedAssets, tickers, evidence, formNames, ...byYear }))
    .properties,
);
