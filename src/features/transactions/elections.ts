import { defaultTimeZone } from '../../base/day.ts';
import { type Money, parseMoney } from '../../base/decimal.ts';
import { bookNameOf } from '../../engine/events/same-assets.ts';
import type { AccountRules, ClassRules, LotMethod, Rules } from '../../engine/model.ts';
import type { FormChoices } from '../../forms/choices.ts';
import type { FilingStatus } from '../../forms/report.ts';

/** What the taxpayer chose: the rules of the engine, and what only the summaries and the forms ask for. */
export interface Elections {
  readonly rules: Rules;
  readonly wholeDollars: boolean;
  /** How forms are written (P5, P10, P11), where it is stated. */
  readonly choices: Pick<FormChoices, 'columnB' | 'merge' | 'digitalAssets'>;
  /** The status of every year that `filingStatusByYear` does not name: ask `filingStatusIn` for the status of a year. */
  readonly defaultFilingStatus: FilingStatus;
  /** Of years in which it was another one. */
  readonly filingStatusByYear: ReadonlyMap<number, FilingStatus>;
  /** Of each year that it is stated for: the carryover worksheet begins with it. */
  readonly taxableIncome: ReadonlyMap<number, Money>;
  /** Carried into a year, where the records do not reach back far enough. */
  readonly carryover: ReadonlyMap<number, { readonly short: Money; readonly long: Money }>;
}

/** `taxpayers.settings` as it is stored: what was stated and nothing else. It was checked when it was stored. */
export interface StoredSettings extends Pick<Rules, (typeof switches)[number]> {
  readonly method?: LotMethod;
  readonly methodByAccount?: Readonly<Record<string, LotMethod>>;
  readonly methodFrom?: readonly { readonly year: number; readonly method: LotMethod }[];
  readonly digitalAssetScopeBefore2025?: Rules['digitalAssetScopeBefore2025'];
  readonly washSales?: Rules['washSales'];
  readonly washPeriod?: Rules['washPeriod'];
  readonly accounts?: Readonly<Record<string, AccountRules>>;
  readonly assets?: Rules['assets'];
  /** Derived from the rows, stored beside the settings because rows are resolved by it (`transactions/tickers.ts`). */
  readonly tickers?: Rules['tickers'];
  /** Derived from the rows and stored beside the settings, as the tickers (`transactions/evidence.ts`). */
  readonly evidence?: Rules['evidence'];
  /** Derived from the rows and stored beside the settings, as the tickers (`recompute/form-names.ts`). */
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

/** What is stated of accounts and assets, from which the classes of rows are resolved. */
export function classRulesOf({ accounts = {}, assets, tickers }: StoredSettings): ClassRules {
  return {
    accounts,
    ...(assets === undefined ? {} : { assets }),
    ...(tickers === undefined ? {} : { tickers }),
  };
}

/** With the defaults of API.md ("Details that clients rely on") where nothing is stated; in the taxpayer's time zone. */
export function electionsOf(stored: StoredSettings, timeZone: string): Elections {
  return {
    rules: {
      method: stored.method ?? 'FIFO',
      methodByAccount: stored.methodByAccount ?? {},
      methodFrom: (stored.methodFrom ?? []).toSorted((a, b) => a.year - b.year),
      digitalAssetScopeBefore2025: stored.digitalAssetScopeBefore2025 ?? 'per_wallet',
      washSales: stored.washSales ?? 'securities_and_tokenized',
      washPeriod: stored.washPeriod ?? 'tacking',
      ...classRulesOf(stored),
      ...switchesOf(stored),
      ...ordersUnderBookNames(stored),
      ...separateReturnsOf(stored),
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

/** The filing status of a year: the loss that may be deducted depends on it (IRC 1211(b)). */
export function filingStatusIn(
  { defaultFilingStatus, filingStatusByYear }: Pick<Elections, 'defaultFilingStatus' | 'filingStatusByYear'>,
  year: number,
): FilingStatus {
  return filingStatusByYear.get(year) ?? defaultFilingStatus;
}

/** Without an account of the spouse the rules are the same, whatever the filing status is. */
function separateReturnsOf({ accounts = {}, filingStatus, filingStatusByYear = {} }: StoredSettings): Partial<Rules> {
  const byYear = Object.entries(filingStatusByYear).map(([year, status]) => [year, status === 'mfs'] as const);
  const otherwise = filingStatus === 'mfs';
  const isSeparate = otherwise || byYear.some(([, separate]) => separate);
  if (!isSeparate || !Object.values(accounts).some(({ type }) => type === 'spouse')) return {};
  return { separateReturns: { otherwise, byYear: Object.fromEntries(byYear) } };
}

/** Without these the rules are the same as ever: what is not stated changes nothing. */
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

function switchesOf(stored: StoredSettings): Partial<Rules> {
  const stated = switches.flatMap((name) => (stored[name] === undefined ? [] : [[name, stored[name]] as const]));
  return Object.fromEntries(stated);
}

/** A standing order for another name of a security is one for that security. */
function ordersUnderBookNames({ standingOrders, assets }: StoredSettings): Partial<Rules> {
  if (standingOrders === undefined || Object.values(assets ?? {}).every(({ sameAs }) => sameAs === undefined))
    return {};
  const named = standingOrders.map((order) =>
    order.asset === undefined ? order : { ...order, asset: bookNameOf(order.asset, assets) },
  );
  return { standingOrders: named };
}

function money(text: string): Money {
  const amount = parseMoney(text);
  if (amount === undefined) throw new Error('The stored settings hold an amount that is none.');
  return amount;
}
