import { addDays, firstDay, formatDay } from '../../../base/day.ts';
import { canonicalJson } from '../../../base/json.ts';
import type { Sql } from '../../../db/connection.ts';
import { isAlsoCoin, isKnownDigitalAsset } from '../../../engine/events/classes.ts';
import { findFormNames, linksOfFormNames, openShortDaysMax } from '../../../engine/events/form-names.ts';
import { assetOfKey, isCurrencyKey, parseOption, toAssetKey } from '../../../engine/events/keys.ts';
import { tickersOfCoins } from '../../../engine/events/tickers.ts';
import type { ClassRules, FormAssetNames } from '../../../engine/model.ts';
import { unstatedMembers } from '../../../engine/unstated-members.ts';
import { updateSettings } from '../books/books.queries.ts';
import { reclassify } from '../transactions/derive.ts';
import { type StoredSettings, toClassRules } from '../transactions/elections.ts';
import { collectEvidence, type Evidence } from '../transactions/evidence.ts';
import { parseDayColumn, type TouchedKeys, toTransaction, touch } from '../transactions/rows.ts';
import type { Arrivals } from '../transactions/store.ts';
import { findTickers, ofSecurities } from '../transactions/tickers.ts';
import { selectAssetUses } from '../transactions/transactions.queries.ts';
import {
  selectAccountsBeside,
  selectAccountsOfTypes,
  selectFormNames,
  selectFormsOfNames,
  selectHasForms,
  selectKeysOfAccounts,
  selectNamedHistory,
  selectOpenAccounts,
  selectRowKinds,
  selectSalesNear,
} from './recompute.queries.ts';
import { allUses, type Recomputation, type Settled, type StepContext } from './step.ts';

/**
 * Resolves ambiguous tickers based on the other assets in their accounts (`transactions/tickers.ts`). Rows that change
 * their asset class move to other books.
 */
export async function settleTickers(
  { sql, taxpayerId, arrivals }: StepContext,
  values: Pick<Recomputation, 'touched' | 'settings' | 'timeZone' | 'stored' | 'rowKinds' | 'uses'>,
): Promise<Settled & Pick<Recomputation, 'rowKinds' | 'uses'>> {
  const { touched: changed, settings, timeZone, rowKinds, uses } = values;
  const stored = values.stored.map((row) => row.asset_key);
  if (mayHoldOpen(changed, settings, [...stored, ...(changed === 'all' ? [] : changed.keys())])) await arrivals.bring();
  // Rows from a restored archive have no books until all books are computed.
  const more = changed === 'all' ? (rowKinds?.keys ?? []) : changed.keys();
  const keys = [...new Set([...stored, ...more])];
  const wallets = keysBesideCoins(keys).stocks.length > 0 ? accountsNamed(settings, 'walletName') : [];
  const brokers = listedKeys(keys).length > 0 ? accountsNamed(settings, 'brokerName') : [];
  const tickers = await readTickers(
    sql,
    taxpayerId,
    { rules: toClassRules(settings), keys, named: [...wallets, ...brokers], worthless: uses.worthless },
    arrivals,
  );
  const before = settings.tickers ?? {};
  if (canonicalJson(before) === canonicalJson(tickers ?? {})) return { touched: changed, settings, rowKinds, uses };
  const { tickers: _, ...others } = settings;
  const after: StoredSettings = tickers === undefined ? others : { ...others, tickers };
  await updateSettings(sql, taxpayerId, after);
  const names = namesReadOtherwise(before, tickers ?? {});
  const moved = await reclassify(
    sql,
    taxpayerId,
    { accounts: [], assets: names, names: [] },
    { ...toClassRules(after), timeZone },
  );
  if (changed === 'all') {
    return { touched: changed, settings: after, rowKinds: await selectRowKinds(sql, taxpayerId), uses: allUses };
  }
  const touched = new Map([...changed]);
  for (const [key, day] of moved) touch(touched, key, day);
  // An issue may appear or disappear even if the class does not change.
  for (const key of names.flatMap(listNameKeys)) touch(touched, key, firstDay);
  return { touched, settings: after, rowKinds, uses: allUses };
}

interface TickerRequest {
  readonly rules: ClassRules;
  /** The asset keys of all books. */
  readonly keys: readonly string[];
  /** Accounts whose name suggests a wallet or a broker. */
  readonly named: readonly string[];
  /** Whether rows may declare an asset worthless. */
  readonly worthless: boolean;
}

function accountsNamed({ evidence = {} }: StoredSettings, sign: 'walletName' | 'brokerName'): string[] {
  return Object.keys(evidence).filter((account) => evidence[account]?.[sign] === true);
}

async function readTickers(
  sql: Sql,
  taxpayerId: string,
  { rules, keys, named, worthless }: TickerRequest,
  arrivals: Arrivals,
): Promise<ClassRules['tickers']> {
  const mayBeOpen = worthless || keys.some((key) => sharedKeys.includes(key));
  const shared = mayBeOpen ? await selectOpenAccounts(sql, taxpayerId, sharedKeys) : [];
  const { coins, unlisted } = keysBesideCoins(keys);
  const isMixed = coins.length > 0 && unlisted.length > 0;
  const mixed = isMixed ? await selectAccountsBeside(sql, taxpayerId, unlisted, coins) : [];
  const doubtful = await selectDoubtfulAccounts(sql, taxpayerId, keys);
  const accounts = [...new Set([...shared, ...mixed, ...doubtful, ...named])];
  if (accounts.length === 0) return undefined;
  await arrivals.bring();
  const uses = await selectAssetUses(sql, taxpayerId, accounts);
  const rows = uses.map((use) => ({
    ...unstatedMembers,
    type: use.type,
    account: use.account,
    asset: use.asset,
    receivedAsset: use.received_asset,
    feeAsset: use.fee_asset,
    underlying: use.underlying,
    assetClass: use.stated_class,
    resolvedClass: use.asset_class,
    sourceClass: use.source_class,
  }));
  return findTickers(rows, rules);
}

/** Selects accounts that hold securities and also contain rows without a class whose asset is a listed coin. */
async function selectDoubtfulAccounts(sql: Sql, taxpayerId: string, keys: readonly string[]): Promise<string[]> {
  const [listed, securities] = [listedKeys(keys), securityKeys(keys)];
  if (listed.length === 0) return [];
  const accounts = securities.length === 0 ? [] : await selectAccountsBeside(sql, taxpayerId, listed, securities);
  return [...accounts, ...(await selectAccountsOfTypes(sql, taxpayerId, listed, [...ofSecurities]))];
}

/** Returns the keys of coins whose names are only in the list of coins. */
function listedKeys(keys: readonly string[]): string[] {
  return keys.filter((key) => {
    const name = assetOfKey(key);
    return key === toAssetKey(name, 'crypto') && isKnownDigitalAsset(name) && !isAlsoCoin(name);
  });
}

function securityKeys(keys: readonly string[]): string[] {
  return keys.filter((key) => key !== toAssetKey(assetOfKey(key), 'crypto') && !isCurrencyKey(key));
}

/** Returns whether the staged rows may contain an ambiguous ticker or help to resolve one. */
function mayHoldOpen(changed: TouchedKeys | 'all', settings: StoredSettings, keys: readonly string[]): boolean {
  if (changed === 'all' || settings.tickers !== undefined || sharedKeys.some((key) => changed.has(key))) return true;
  const { coins, unlisted, stocks } = keysBesideCoins(keys);
  if (
    listedKeys(keys).length > 0 &&
    (securityKeys(keys).length > 0 || accountsNamed(settings, 'brokerName').length > 0)
  )
    return true;
  return (
    (coins.length > 0 && unlisted.length > 0) || (stocks.length > 0 && accountsNamed(settings, 'walletName').length > 0)
  );
}

/**
 * Splits asset keys into coins and unlisted names, which may also be coins. `stocks` are the unlisted names that
 * currently count as stock.
 */
function keysBesideCoins(keys: readonly string[]): { coins: string[]; unlisted: string[]; stocks: string[] } {
  const unlisted = keys.filter((key) => {
    const name = assetOfKey(key);
    const mayBe = key === toAssetKey(name, 'stock') || key === toAssetKey(name, 'crypto');
    return mayBe && !isKnownDigitalAsset(name) && !isAlsoCoin(name) && parseOption(name) === undefined;
  });
  return {
    coins: keys.filter((key) => key === toAssetKey(assetOfKey(key), 'crypto')),
    unlisted,
    stocks: unlisted.filter((key) => key === toAssetKey(assetOfKey(key), 'stock')),
  };
}

function namesReadOtherwise(
  before: NonNullable<ClassRules['tickers']>,
  after: NonNullable<ClassRules['tickers']>,
): string[] {
  const accounts = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const names = accounts.flatMap((account) => {
    const [was = {}, is = {}] = [before[account], after[account]];
    return [...Object.keys(was), ...Object.keys(is)].filter((name) => was[name] !== is[name]);
  });
  return [...new Set(names)];
}

function listNameKeys(name: string): string[] {
  return [toAssetKey(name, 'crypto'), toAssetKey(name, 'stock')];
}

const sharedKeys: readonly string[] = [...tickersOfCoins].flatMap(listNameKeys);

/**
 * Matches assets that Forms 1099 name differently from the transactions (`engine/events/form-names.ts`). If a name is
 * matched or unmatched, marks its books to be recomputed from their first row on.
 */
export async function settleFormNames(
  { sql, taxpayerId, arrivals }: StepContext,
  { touched, settings, uses }: Settled & Pick<Recomputation, 'uses'>,
): Promise<Settled> {
  const { formNames: known, ...others } = settings;
  const formNames = uses.forms ? await readFormNames(sql, taxpayerId, settings, arrivals) : undefined;
  if (canonicalJson(known ?? {}) === canonicalJson(formNames ?? {})) return { touched, settings };
  const after: StoredSettings = formNames === undefined ? others : { ...others, formNames };
  await updateSettings(sql, taxpayerId, after);
  if (touched === 'all') return { touched, settings: after };
  const all = new Map([...touched]);
  for (const names of [known, formNames])
    for (const [account, own] of Object.entries(names ?? {})) {
      const changed = Object.entries(own).filter(
        ([key, name]) =>
          canonicalJson(name) !== canonicalJson((names === known ? formNames : known)?.[account]?.[key] ?? {}),
      );
      for (const key of linksOfFormNames({ [account]: Object.fromEntries(changed) }).flat()) touch(all, key, firstDay);
    }
  return { touched: all, settings: after };
}

async function readFormNames(
  sql: Sql,
  taxpayerId: string,
  { assets }: StoredSettings,
  arrivals: Arrivals,
): Promise<FormAssetNames | undefined> {
  if (!(await selectHasForms(sql, taxpayerId))) return undefined;
  // Staged rows may contain transactions under a name.
  await arrivals.bring();
  const names = (await selectFormNames(sql, taxpayerId)).filter(
    ({ asset, has_history }) => !has_history || assets?.[asset]?.formNameOf !== undefined,
  );
  if (names.length === 0) return undefined;
  const forms = (await selectFormsOfNames(sql, taxpayerId, names)).map(toTransaction);
  const days = forms.map(({ on }) => on).sort((a, b) => a - b);
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const span = {
    first: formatDay(addDays(first, -openShortDaysMax)),
    last: formatDay(addDays(last, openShortDaysMax)),
  };
  const history = await selectNamedHistory(sql, taxpayerId);
  const sales = await selectSalesNear(sql, taxpayerId, names, span);
  const rows = new Map([...history, ...sales].map((row) => [row.id, row]));
  return findFormNames([...forms, ...[...rows.values()].map(toTransaction)], assets);
}

/**
 * Determines from the rows which form reports the sales of each account (`transactions/evidence.ts`). If the form of an
 * account changes, marks all its books to be recomputed from their first row on.
 */
export async function settleEvidence(
  { sql, taxpayerId, arrivals }: StepContext,
  { touched, settings, sources, rowKinds }: Pick<Recomputation, 'touched' | 'settings' | 'sources' | 'rowKinds'>,
): Promise<Settled> {
  if (sources === 'same') return { touched, settings };
  // Stores all staged rows, because all rows must be read.
  if (sources === 'any') await arrivals.bring();
  const known = settings.evidence ?? {};
  const added = sources === 'any' ? (rowKinds ?? (await selectRowKinds(sql, taxpayerId))).sources : sources;
  const evidence = sources === 'any' ? collectEvidence(added) : collectEvidence(added, known);
  const accounts = accountsReadOtherwise(known, evidence ?? {});
  if (accounts.length === 0) return { touched, settings };
  const { evidence: _, ...others } = settings;
  const after: StoredSettings = evidence === undefined ? others : { ...others, evidence };
  await updateSettings(sql, taxpayerId, after);
  if (touched === 'all') return { touched, settings: after };
  const all = new Map([...touched]);
  for (const { asset_key, day } of await selectKeysOfAccounts(sql, taxpayerId, accounts)) {
    touch(all, asset_key, parseDayColumn(day));
  }
  return { touched: all, settings: after };
}

/** Collects the evidence from all rows. */
export async function readEvidence(sql: Sql, taxpayerId: string): Promise<Evidence | undefined> {
  return collectEvidence((await selectRowKinds(sql, taxpayerId)).sources);
}

function accountsReadOtherwise(before: Evidence, after: Evidence): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => canonicalJson(before[name] ?? {}) !== canonicalJson(after[name] ?? {}));
}
