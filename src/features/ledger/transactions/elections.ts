import { defaultTimeZone } from '../../../base/day.ts';
import { type Money, parseMoney } from '../../../base/decimal.ts';
import { toBookName } from '../../../engine/events/same-assets.ts';
import type { AccountRules, AssetRules, ClassRules, LotMethod, Rules } from '../../../engine/model.ts';
import type { FormChoices } from '../../../forms/choices.ts';
import type { FilingStatus } from '../../../forms/report.ts';

/** The taxpayer's choices: the rules for the engine, and choices that only affect summaries and forms. */
export interface Elections {
  readonly rules: Rules;
  readonly wholeDollars: boolean;
  /** The elections for writing forms (P5, P10, P11), if set. */
  readonly choices: Pick<FormChoices, 'columnB' | 'merge' | 'digitalAssets'>;
  /**
   * The filing status for years that are not in `filingStatusByYear`. Use `getFilingStatus` to get the status for a
   * year.
   */
  readonly defaultFilingStatus: FilingStatus;
  /** The filing status for individual years. */
  readonly filingStatusByYear: ReadonlyMap<number, FilingStatus>;
  /** The taxable income by year, if entered. The carryover worksheet starts with it. */
  readonly taxableIncome: ReadonlyMap<number, Money>;
  /** The loss carried into a year, if earlier years are missing from the books. */
  readonly carryover: ReadonlyMap<number, { readonly short: Money; readonly long: Money }>;
}

/**
 * The settings in `taxpayers.settings`. They contain only values that the taxpayer set, which were validated before
 * they were stored.
 */
export interface StoredSettings extends Pick<Rules, (typeof switches)[number]> {
  readonly method?: LotMethod;
  readonly methodByAccount?: Readonly<Record<string, LotMethod>>;
  readonly methodFrom?: readonly { readonly year: number; readonly method: LotMethod }[];
  readonly digitalAssetScopeBefore2025?: Rules['digitalAssetScopeBefore2025'];
  readonly washSales?: Rules['washSales'];
  readonly washPeriod?: Rules['washPeriod'];
  readonly accounts?: Readonly<Record<string, AccountRules>>;
  readonly assets?: Readonly<Record<string, AssetSettings>>;
  /**
   * The classes of ambiguous tickers. They are derived from the rows, but stored with the settings because rows are
   * resolved with them (`transactions/tickers.ts`).
   */
  readonly tickers?: Rules['tickers'];
  /** Evidence about forms. Derived and stored like `tickers` (`transactions/evidence.ts`). */
  readonly evidence?: Rules['evidence'];
  /** Names on Forms 1099. Derived and stored like `tickers` (`recompute/settle.ts`). */
  readonly formNames?: Rules['formNames'];
  readonly wholeDollars?: boolean;
  readonly columnB?: FormChoices['columnB'];
  readonly mergeRows?: FormChoices['merge'];
  readonly digitalAssetsInTxf?: FormChoices['digitalAssets'];
  readonly filingStatus?: FilingStatus;
  readonly filingStatusByYear?: Readonly<Record<string, FilingStatus>>;
  readonly taxableIncome?: Readonly<Record<string, string>>;
  readonly carryover?: Readonly<Record<string, { readonly short: string; readonly long: string }>>;
}

/** The rules for an asset, and its name on screens. */
export interface AssetSettings extends AssetRules {
  readonly name?: string;
}

/** Removes the names, so that the rules of the engine do not change with them. */
function toAssetRules(assets: StoredSettings['assets']): Rules['assets'] {
  if (assets === undefined || Object.values(assets).every(({ name }) => name === undefined)) return assets;
  const rules = Object.entries(assets).map(([asset, { name: _name, ...rest }]) => [asset, rest] as const);
  const stated = rules.filter(([, rest]) => Object.keys(rest).length > 0);
  return stated.length === 0 ? undefined : Object.fromEntries(stated);
}

/** Returns the settings that determine the asset classes of rows. */
export function toClassRules({ accounts = {}, assets: stated, tickers }: StoredSettings): ClassRules {
  const assets = toAssetRules(stated);
  return {
    accounts,
    ...(assets === undefined ? {} : { assets }),
    ...(tickers === undefined ? {} : { tickers }),
  };
}

/**
 * Fills in the defaults for elections that are not set (DECISIONS.md, "The switches"), and the taxpayer's time zone.
 */
export function toElections(stored: StoredSettings, timeZone: string): Elections {
  return {
    rules: {
      method: stored.method ?? 'FIFO',
      methodByAccount: stored.methodByAccount ?? {},
      methodFrom: (stored.methodFrom ?? []).toSorted((a, b) => a.year - b.year),
      digitalAssetScopeBefore2025: stored.digitalAssetScopeBefore2025 ?? 'per_wallet',
      washSales: stored.washSales ?? 'securities_and_tokenized',
      washPeriod: stored.washPeriod ?? 'tacking',
      ...toClassRules(stored),
      ...pickSwitches(stored),
      ...ordersUnderBookNames(stored),
      ...findSeparateReturns(stored),
      ...(stored.evidence === undefined ? {} : { evidence: stored.evidence }),
      ...(timeZone === defaultTimeZone ? {} : { timeZone }),
      ...(stored.formNames === undefined ? {} : { formNames: stored.formNames }),
    },
    wholeDollars: stored.wholeDollars ?? false,
    choices: {
      ...(stored.columnB === undefined ? {} : { columnB: stored.columnB }),
      ...(stored.mergeRows === undefined ? {} : { merge: stored.mergeRows }),
      ...(stored.digitalAssetsInTxf === undefined ? {} : { digitalAssets: stored.digitalAssetsInTxf }),
    },
    defaultFilingStatus: stored.filingStatus ?? 'single',
    filingStatusByYear: new Map(
      Object.entries(stored.filingStatusByYear ?? {}).map(([year, status]) => [Number(year), status]),
    ),
    taxableIncome: new Map(
      Object.entries(stored.taxableIncome ?? {}).map(([year, amount]) => [Number(year), money(amount)]),
    ),
    carryover: new Map(
      Object.entries(stored.carryover ?? {}).map(([year, carried]) => [
        Number(year),
        { short: money(carried.short), long: money(carried.long) },
      ]),
    ),
  };
}

/** Returns the filing status for a year. The deductible loss depends on it (IRC 1211(b)). */
export function getFilingStatus(
  { defaultFilingStatus, filingStatusByYear }: Pick<Elections, 'defaultFilingStatus' | 'filingStatusByYear'>,
  year: number,
): FilingStatus {
  return filingStatusByYear.get(year) ?? defaultFilingStatus;
}

/**
 * Returns which years have separate returns. Returns nothing if there is no spouse's account, because the filing status
 * then does not affect the rules.
 */
function findSeparateReturns({ accounts = {}, filingStatus, filingStatusByYear = {} }: StoredSettings): Partial<Rules> {
  const byYear = Object.entries(filingStatusByYear).map(([year, status]) => [year, status === 'mfs'] as const);
  const otherwise = filingStatus === 'mfs';
  const isSeparate = otherwise || byYear.some(([, separate]) => separate);
  if (!isSeparate || !Object.values(accounts).some(({ type }) => type === 'spouse')) return {};
  return { separateReturns: { otherwise, byYear: Object.fromEntries(byYear) } };
}

/**
 * Settings that are omitted from the rules if they are not set, so that the rules do not change when a new setting is
 * introduced.
 */
const switches = [
  'washSalesFrom',
  'washAccounts',
  'washSoldBefore',
  'fragmentOrder',
  'giftBetweenBases',
  'transferFees',
  'lateIdentification',
  'mergerRows',
  'constructiveSalesOfCoinsFrom',
  'standingOrders',
] as const satisfies readonly (keyof Rules)[];

function pickSwitches(stored: StoredSettings): Partial<Rules> {
  const stated = switches.flatMap((name) => (stored[name] === undefined ? [] : [[name, stored[name]] as const]));
  return Object.fromEntries(stated);
}

/** Applies standing orders for another name of a security to that security. */
function ordersUnderBookNames({ standingOrders, assets }: StoredSettings): Partial<Rules> {
  if (standingOrders === undefined || Object.values(assets ?? {}).every(({ sameAs }) => sameAs === undefined))
    return {};
  const named = standingOrders.map((order) =>
    order.asset === undefined ? order : { ...order, asset: toBookName(order.asset, assets) },
  );
  return { standingOrders: named };
}

function money(text: string): Money {
  const amount = parseMoney(text);
  if (amount === undefined) throw new Error('The stored settings contain an invalid amount.');
  return amount;
}
