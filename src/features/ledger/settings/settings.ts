import { canonicalJson } from '../../../base/json.ts';
import { invalidMember, Refusal } from '../../../base/refusal.ts';
import { type Sql, withTaxpayerLock } from '../../../db/connection.ts';
import { otherAccountTypes, switchDefaults } from '../../../engine/elections.ts';
import { exchangesItself, renameToBookNames } from '../../../engine/events/same-assets.ts';
import type { AssetClass, ClassRules } from '../../../engine/model.ts';
import { rulesHash } from '../../../engine/replay.ts';
import { choiceDefaults } from '../../../forms/choices.ts';
import { selectAllocation } from '../allocation/allocation.queries.ts';
import { selectTaxpayer, type TaxpayerRow, updateSettings } from '../books/books.queries.ts';
import { type RecomputeResult, recompute } from '../recompute/recompute.ts';
import { reclassify, redate } from '../transactions/derive.ts';
import type { RowsToClassify } from '../transactions/derived.queries.ts';
import { type StoredSettings, toClassRules, toElections } from '../transactions/elections.ts';
import { compareJoinedNames } from '../transactions/matched.ts';
import { type TouchedKeys, touch } from '../transactions/rows.ts';
import { selectClasses, selectExchanges } from './settings.queries.ts';

/** The settings and time zone that were used to date and classify rows. */
interface SettingsSnapshot {
  readonly stored: StoredSettings;
  readonly timeZone: string;
}

/** Stores the settings and recomputes the books, under the taxpayer's lock. */
export async function changeSettings(sql: Sql, taxpayerId: string, settings: StoredSettings): Promise<RecomputeResult> {
  const before = await selectTaxpayer(sql, taxpayerId);
  await refuseOtherScope(sql, taxpayerId, before.settings, settings);
  await refuseOtherSecurities(sql, taxpayerId, before.settings, settings);
  await updateSettings(sql, taxpayerId, settings);
  const read = { stored: before.settings, timeZone: before.time_zone };
  const touched = await reclassifyRows(sql, taxpayerId, { read, now: { ...before, settings } }, new Map());
  const { names } = classifiedOtherwise(toClassRules(before.settings), toClassRules(settings));
  if (names.length > 0) await compareJoinedNames(sql, taxpayerId);
  const computeRulesHash = (stored: StoredSettings): string => rulesHash(toElections(stored, before.time_zone).rules);
  const sameRules = computeRulesHash(before.settings) === computeRulesHash(settings);
  return recompute(sql, taxpayerId, sameRules ? touched : 'all', { sources: 'same' });
}

/** Refuses to change the scope after the universal pool was allocated, because units and basis would count twice. */
async function refuseOtherScope(
  sql: Sql,
  taxpayerId: string,
  before: StoredSettings,
  after: StoredSettings,
): Promise<void> {
  const [was, is] = [before, after].map((stored) => toElections(stored, 'UTC').rules.digitalAssetScopeBefore2025);
  if (was === is || (await selectAllocation(sql, taxpayerId)) === undefined) return;
  const detail = 'The universal pool was allocated to wallets, and the allocation is irrevocable (Rev. Proc. 2024-28):';
  throw new Refusal('conflict', `${detail} digitalAssetScopeBefore2025 must stay ${was}.`);
}

/**
 * Redates rows after the taxpayer's time zone changed, in the same transaction. Rows and lot identifications with a
 * time may move to a different day.
 */
export async function changeTimeZone(sql: Sql, taxpayerId: string, timeZone: string): Promise<void> {
  await withTaxpayerLock(sql, taxpayerId);
  const { settings } = await selectTaxpayer(sql, taxpayerId);
  const touched = await redate(sql, taxpayerId, { ...toClassRules(settings), timeZone });
  await recompute(sql, taxpayerId, settings.standingOrders === undefined ? touched : 'all', { sources: 'same' });
}

/** Returns whether the current settings date and classify rows in the same way as the snapshot. */
export function matchesSnapshot(read: SettingsSnapshot, now: TaxpayerRow): boolean {
  const other = classifiedOtherwise(toClassRules(read.stored), toClassRules(now.settings));
  return read.timeZone === now.time_zone && !hasNames(other);
}

/** Reclassifies and redates rows if the settings have changed since the rows were read. */
export async function reclassifyRows(
  sql: Sql,
  taxpayerId: string,
  { read, now }: { readonly read: SettingsSnapshot; readonly now: TaxpayerRow },
  touched: TouchedKeys,
): Promise<TouchedKeys> {
  const resolution = { ...toClassRules(now.settings), timeZone: now.time_zone };
  const all = new Map(touched);
  const other = classifiedOtherwise(toClassRules(read.stored), resolution);
  if (hasNames(other)) merge(all, await reclassify(sql, taxpayerId, other, resolution));
  if (read.timeZone !== now.time_zone) merge(all, await redate(sql, taxpayerId, resolution));
  return all;
}

function hasNames({ accounts, assets, names }: RowsToClassify): boolean {
  return accounts.length + assets.length + names.length > 0;
}

/**
 * Returns the accounts and assets whose rows may get a different class, and the names that may mean a different asset.
 */
function classifiedOtherwise(before: ClassRules, after: ClassRules): RowsToClassify {
  const accounts = listNames(before.accounts, after.accounts).filter(
    (name) => before.accounts[name]?.assetClass !== after.accounts[name]?.assetClass,
  );
  const classed = ({ assets }: ClassRules, name: string): string => {
    const { assetClass, accounts: byAccount, section1256 } = assets?.[name] ?? {};
    return canonicalJson({ assetClass, byAccount, section1256 });
  };
  const assets = listNames(before.assets, after.assets).filter(
    (name) => classed(before, name) !== classed(after, name),
  );
  const names = listNames(before.assets, after.assets).filter(
    (name) => before.assets?.[name]?.sameAs !== after.assets?.[name]?.sameAs,
  );
  return { accounts, assets: [...assets, ...tickersReadOtherwise(before.tickers, after.tickers)], names };
}

function tickersReadOtherwise(before: ClassRules['tickers'] = {}, after: ClassRules['tickers'] = {}): string[] {
  return listNames(before, after).flatMap((account) =>
    listNames(before[account], after[account]).filter((asset) => before[account]?.[asset] !== after[account]?.[asset]),
  );
}

function listNames(before: object = {}, after: object = {}): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])];
}

function merge(all: Map<string, Parameters<typeof touch>[2]>, more: TouchedKeys): void {
  for (const [key, day] of more) touch(all, key, day);
}

/** Returns the settings as shown by GET: all elections, whether chosen or default. */
export function settingsView(stored: StoredSettings) {
  const { rules, wholeDollars, choices, defaultFilingStatus } = toElections(stored, 'UTC');
  return {
    method: rules.method,
    methodByAccount: { ...rules.methodByAccount },
    methodFrom: rules.methodFrom.map((from) => ({ ...from })),
    digitalAssetScopeBefore2025: rules.digitalAssetScopeBefore2025,
    washSales: rules.washSales,
    washSalesFrom: (rules.washSalesFrom ?? []).map((from) => ({ ...from })),
    washAccounts: [...(rules.washAccounts ?? otherAccountTypes)],
    washSoldBefore: rules.washSoldBefore ?? switchDefaults.washSoldBefore,
    washPeriod: rules.washPeriod ?? switchDefaults.washPeriod,
    fragmentOrder: rules.fragmentOrder ?? switchDefaults.fragmentOrder,
    giftBetweenBases: rules.giftBetweenBases ?? switchDefaults.giftBetweenBases,
    transferFees: rules.transferFees ?? switchDefaults.transferFees,
    lateIdentification: rules.lateIdentification ?? switchDefaults.lateIdentification,
    mergerRows: rules.mergerRows ?? switchDefaults.mergerRows,
    standingOrders: (stored.standingOrders ?? []).map((order) => ({ ...order })),
    accounts: { ...rules.accounts },
    assets: { ...stored.assets },
    wholeDollars,
    columnB: choices.columnB ?? choiceDefaults.columnB,
    mergeRows: choices.merge ?? choiceDefaults.merge,
    digitalAssetsInTxf: choices.digitalAssets ?? choiceDefaults.digitalAssets,
    filingStatus: defaultFilingStatus,
    ...(stored.filingStatusByYear === undefined ? {} : { filingStatusByYear: { ...stored.filingStatusByYear } }),
    ...(rules.constructiveSalesOfCoinsFrom && { constructiveSalesOfCoinsFrom: rules.constructiveSalesOfCoinsFrom }),
    ...(stored.taxableIncome === undefined ? {} : { taxableIncome: { ...stored.taxableIncome } }),
    ...(stored.carryover === undefined
      ? {}
      : { carryover: Object.fromEntries(Object.entries(stored.carryover).map(([at, lost]) => [at, { ...lost }])) }),
  };
}

type Assets = NonNullable<StoredSettings['assets']>;

/**
 * Refuses a `sameAs` if the rows show two different securities: their classes are never compatible, or a row exchanges
 * one for the other.
 */
async function refuseOtherSecurities(
  sql: Sql,
  taxpayerId: string,
  { assets: before = {} }: StoredSettings,
  { assets: after = {} }: StoredSettings,
): Promise<void> {
  const pairs = Object.entries(after).flatMap(([name, { sameAs }]) =>
    sameAs === undefined || before[name]?.sameAs === sameAs ? [] : [{ name, sameAs }],
  );
  if (pairs.length === 0) return;
  await refuseOtherClasses(sql, taxpayerId, pairs);
  await refuseExchanges(sql, taxpayerId, after, new Set(pairs.flatMap(({ name, sameAs }) => [name, sameAs])));
}

interface SecurityPair {
  readonly name: string;
  readonly sameAs: string;
}

async function refuseOtherClasses(sql: Sql, taxpayerId: string, pairs: readonly SecurityPair[]): Promise<void> {
  const rows = await selectClasses(sql, taxpayerId, [...new Set(pairs.flatMap(({ name, sameAs }) => [name, sameAs]))]);
  const listClasses = (name: string): AssetClass[] =>
    rows.flatMap((row) => (row.name === name ? [row.asset_class] : []));
  for (const { name, sameAs } of pairs) {
    const [own, others] = [listClasses(name), listClasses(sameAs)];
    if (own.length === 0 || others.length === 0) continue;
    if (own.some((one) => others.some((other) => familyOf[one] === familyOf[other]))) continue;
    throw refused(
      name,
      `In your transactions, ${name} is ${wordsOf[own[0] as AssetClass]} and ${sameAs} is ${wordsOf[others[0] as AssetClass]}. Correct the class of one of them first.`,
    );
  }
}

async function refuseExchanges(
  sql: Sql,
  taxpayerId: string,
  assets: Assets,
  names: ReadonlySet<string>,
): Promise<void> {
  for (const { on_day, ...stated } of await selectExchanges(sql, taxpayerId, [...names])) {
    if (!exchangesItself(stated, renameToBookNames(stated, assets))) continue;
    const { type, asset, receivedAsset } = stated;
    const other = assets[asset]?.sameAs === undefined ? receivedAsset : asset;
    throw refused(
      other,
      `Your ${type} of ${on_day} exchanges ${asset} for ${receivedAsset}, so they are two securities. Correct that transaction if it is wrong.`,
    );
  }
}

function refused(name: string, detail: string): Refusal {
  return invalidMember(`/assets/${name.replaceAll('~', '~0').replaceAll('/', '~1')}/sameAs`, detail);
}

/** Groups the classes that rows of one security may have. Many files contain no class, or report a fund as a stock. */
const familyOf: Readonly<Record<AssetClass, string>> = {
  stock: 'share',
  fund: 'share',
  bond: 'debt',
  treasury_bill: 'debt',
  option: 'option',
  crypto: 'coin',
  nft: 'coin',
  tokenized_security: 'token',
  future: 'contract',
  section_1256: 'contract',
  currency: 'money',
};

const wordsOf: Readonly<Record<AssetClass, string>> = {
  stock: 'a stock',
  fund: 'a fund',
  bond: 'a bond',
  treasury_bill: 'a Treasury bill',
  option: 'an option',
  crypto: 'a coin',
  nft: 'an NFT',
  tokenized_security: 'a tokenized security',
  future: 'a future',
  section_1256: 'a section 1256 contract',
  currency: 'a currency',
};
