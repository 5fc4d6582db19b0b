import { addDays, type Day, formatDay, longTermOn, parseDay } from '../../../base/day.ts';
import { type Cents, formatCents, formatQuantity, type Quantity, zeroCents } from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import { isRetirementType } from '../../../engine/elections.ts';
import { isContract1256 } from '../../../engine/events/classes.ts';
import { toAssetKey } from '../../../engine/events/keys.ts';
import type { AssetClass, Lot, Rules } from '../../../engine/model.ts';
import { openLots } from '../../../engine/replay.ts';
import { selectTaxpayer } from '../../ledger/books/books.queries.ts';
import { openLotsOn, visitBooks } from '../../ledger/books/lots.ts';
import { toElections } from '../../ledger/transactions/elections.ts';
import { parseCentsColumn as centsFrom, parseDayColumn, parseQuantityColumn } from '../../ledger/transactions/rows.ts';
import { selectHeld } from './planning.queries.ts';
import { computeWorthCents, type UnitValue, unitValues } from './valuation.ts';

/** The parts of an unrealized gain: by term, and separately for gains that have no term. */
const gainParts = ['short', 'long', 'contracts1256', 'ordinary', 'taxFree'] as const;
type GainTerm = (typeof gainParts)[number];

/** Units of an asset in an account whose gain belongs to the same part. */
interface HoldingPart {
  readonly asset: string;
  readonly assetClass: AssetClass;
  readonly account: string;
  readonly part: GainTerm;
  readonly quantity: Quantity;
  readonly basis: Cents;
  readonly lots: number;
  /** The day when the oldest units become long-term. Null if the purchase of all units is unknown. */
  readonly longTermOn: Day | null;
}

interface ValuedPart extends HoldingPart {
  readonly by: UnitValue | undefined;
  readonly worth: Cents | null;
}

export interface Holding {
  readonly asset: string;
  readonly assetClass: AssetClass;
  /** Null if the row covers all accounts. */
  readonly account: string | null;
  readonly units: readonly ValuedPart[];
}

interface HoldingScope {
  readonly taxpayerId: string;
  readonly by: 'asset' | 'account';
  /** Undefined selects all assets. */
  readonly asset: string | undefined;
  /** Holdings at the end of this day. Undefined means after the last transaction. */
  readonly on: Day | undefined;
  readonly today: Day;
}

/** Returns the holdings and their values on a day, by asset or by account and asset. */
export async function readHoldings(sql: Sql, scope: HoldingScope): Promise<Holding[]> {
  const { taxpayerId, by, asset, on } = scope;
  const taxpayer = await selectTaxpayer(sql, taxpayerId);
  const { rules } = toElections(taxpayer.settings, taxpayer.time_zone);
  const day = on ?? scope.today;
  const all =
    on === undefined
      ? await readAllHoldings(sql, taxpayerId, day, rules)
      : (await openLotsOn(sql, taxpayerId, on)).map((lot) => toHoldingPart(lot, day, rules));
  const held = asset === undefined ? all : all.filter((units) => units.asset === asset);
  const assets = new Map(held.map((units) => [keyOf(units), { key: keyOf(units), asset: units.asset }]));
  const values = await unitValues(sql, taxpayerId, [...assets.values()], day);
  const valued = [
    ...Map.groupBy(mergeParts(held), (units) => buildHoldingKey({ ...units, account: null })).values(),
  ].flatMap((parts) => addValues(parts, parts[0] === undefined ? undefined : values.get(keyOf(parts[0]))));
  const accountOf = ({ account }: HoldingPart): string | null => (by === 'account' ? account : null);
  const groups = Map.groupBy(valued, (units) => buildHoldingKey({ ...units, account: accountOf(units) }));
  return [...groups.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, units]) => {
      const [first] = units;
      return first === undefined ? [] : [{ ...first, account: accountOf(first), units }];
    });
}

export function buildHoldingKey({
  asset,
  assetClass,
  account,
}: Pick<Holding, 'asset' | 'assetClass' | 'account'>): string {
  return [asset, assetClass, account ?? ''].join('\u0000');
}

async function readAllHoldings(sql: Sql, taxpayerId: string, today: Day, rules: Rules): Promise<HoldingPart[]> {
  const rows = await selectHeld(sql, taxpayerId, formatDay(lastLongSince(today)));
  return rows.map((row) => ({
    asset: row.asset,
    assetClass: row.assetClass,
    account: row.account,
    part: classifyGainTerm(row, row.isLong, rules),
    quantity: parseQuantityColumn(row.quantity),
    basis: centsFrom(row.basis),
    lots: row.lots,
    longTermOn: row.heldSince === null ? null : longTermOn(parseDayColumn(row.heldSince)),
  }));
}

/** Returns the last day of acquisition that makes units long-term today. */
export function lastLongSince(today: Day): Day {
  let day = addDays(today, -yearAtMost);
  while (longTermOn(addDays(day, 1)) <= today) day = addDays(day, 1);
  return day;
}

const yearAtMost = 370;

function toHoldingPart(lot: Lot, today: Day, rules: Rules): HoldingPart {
  const { asset, assetClass, account, quantity, basis } = lot;
  const from = longTermOn(lot.heldSince);
  const part = classifyGainTerm(lot, lot.inherited || (!lot.purchaseUnknown && from <= today), rules);
  const known = lot.purchaseUnknown ? null : from;
  return { asset, assetClass, account, part, quantity, basis, lots: 1, longTermOn: known };
}

function classifyGainTerm(held: Pick<HoldingPart, 'account' | 'assetClass'>, isLong: boolean, rules: Rules): GainTerm {
  if (isRetirementType(rules.accounts[held.account]?.type)) return 'taxFree';
  if (isContract1256(held.assetClass)) return 'contracts1256';
  if (held.assetClass === 'currency') return 'ordinary';
  return isLong ? 'long' : 'short';
}

/** Combines the units of each asset, account and part. The order is fixed. */
function mergeParts(held: readonly HoldingPart[]): HoldingPart[] {
  const groups = Map.groupBy(held, (units) => `${buildHoldingKey(units)} ${units.part}`);
  return [...groups.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, own]) => own.reduce((sum, units) => addUnits(sum, units)));
}

function addUnits(sum: HoldingPart, units: HoldingPart): HoldingPart {
  return {
    ...sum,
    quantity: (sum.quantity + units.quantity) as Quantity,
    basis: (sum.basis + units.basis) as Cents,
    lots: sum.lots + units.lots,
    longTermOn: earlierDay(sum.longTermOn, units.longTermOn),
  };
}

function earlierDay(a: Day | null, b: Day | null): Day | null {
  return a === null || b === null ? (a ?? b) : a < b ? a : b;
}

/**
 * Adds values to parts of one asset. Rounds the running total, so that the values of the parts add up to the rounded
 * value of all units.
 */
function addValues(held: readonly HoldingPart[], by: UnitValue | undefined): ValuedPart[] {
  let quantity = 0n as Quantity;
  let before = zeroCents;
  return held.map((units) => {
    if (by === undefined) return { ...units, by, worth: null };
    quantity = (quantity + units.quantity) as Quantity;
    const until = computeWorthCents(by, quantity);
    const worth = (until - before) as Cents;
    before = until;
    return { ...units, by, worth };
  });
}

function keyOf({ asset, assetClass }: HoldingPart): string {
  return toAssetKey(asset, assetClass);
}

/** Returns the totals of holdings, which may be in different assets. */
export function sumOfUnits(units: readonly ValuedPart[]) {
  const known = units.filter(({ worth }) => worth !== null);
  const sumGain = (valuedParts: readonly ValuedPart[]): Cents =>
    valuedParts.reduce((sum, { worth, basis }) => sum + (worth ?? basis) - basis, 0n) as Cents;
  const parts = gainParts.map((name) => [name, formatCents(sumGain(known.filter(({ part }) => part === name)))]);
  return {
    basis: formatCents(units.reduce((sum, { basis }) => sum + basis, 0n) as Cents),
    value: formatCents(known.reduce((sum, { worth }) => sum + (worth ?? 0n), 0n) as Cents),
    unrealized: {
      total: formatCents(sumGain(known)),
      ...(Object.fromEntries(parts) as Record<GainTerm, string>),
    },
  };
}

export function formatHoldingQuantity({ units }: Holding): string {
  return formatQuantity(units.reduce((sum, { quantity }) => sum + quantity, 0n) as Quantity);
}

/** An older price would draw a flat line where nothing is known. */
export const historyPriceDaysMax = 7;
const assetsNamedMax = 10;

interface HistoryScope {
  readonly taxpayerId: string;
  /** Undefined selects all assets. */
  readonly asset: string | undefined;
  readonly months: number;
  readonly today: Day;
}

/** All units of one asset. */
interface PastHolding {
  readonly key: string;
  readonly asset: string;
  readonly quantity: Quantity;
  readonly basis: Cents;
}

/** Returns the value and cost basis of the holdings at the ends of the last months, from the first with holdings on. */
export async function readHoldingHistory(sql: Sql, { taxpayerId, asset, months, today }: HistoryScope) {
  const days = listMonthEnds(today, months);
  const heldOn = new Map(days.map((day) => [day, new Map<string, PastHolding>()]));
  await visitBooks(sql, taxpayerId, days, (day, book) => {
    const held = heldOn.get(day);
    for (const lot of openLots(book)) {
      if (asset !== undefined && lot.asset !== asset) continue;
      const key = toAssetKey(lot.asset, lot.assetClass);
      const { quantity, basis } = held?.get(key) ?? { quantity: 0n, basis: zeroCents };
      held?.set(key, {
        ...{ key, asset: lot.asset },
        quantity: (quantity + lot.quantity) as Quantity,
        basis: (basis + lot.basis) as Cents,
      });
    }
  });
  const data = [];
  for (const [day, held] of heldOn) {
    if (held.size > 0 || data.length > 0) data.push(await valueMonthEnd(sql, taxpayerId, day, [...held.values()]));
  }
  return { data };
}

async function valueMonthEnd(sql: Sql, taxpayerId: string, day: Day, held: readonly PastHolding[]) {
  const values = held.length === 0 ? new Map() : await unitValues(sql, taxpayerId, held, day);
  const oldest = formatDay(addDays(day, -historyPriceDaysMax));
  const valued = held.map((units) => {
    const by = values.get(units.key);
    return { ...units, worth: by === undefined || by.day < oldest ? null : computeWorthCents(by, units.quantity) };
  });
  const priced = valued.filter(({ worth }) => worth !== null);
  const unpriced = valued.filter(({ worth }) => worth === null);
  const isGap = priced.length === 0 && unpriced.length > 0;
  const value = priced.reduce((sum, { worth }) => sum + (worth ?? 0n), 0n);
  const [basis, valuedBasis, unvaluedBasis] = [valued, priced, unpriced].map(sumBasis) as [Cents, Cents, Cents];
  return {
    date: formatDay(day),
    basis: formatCents(basis),
    value: isGap ? null : formatCents(value as Cents),
    valuedBasis: formatCents(valuedBasis),
    unrealized: isGap ? null : formatCents((value - valuedBasis) as Cents),
    unvalued: {
      holdings: unpriced.length,
      basis: formatCents(unvaluedBasis),
      assets: unpriced
        .map((one) => one.asset)
        .sort()
        .slice(0, assetsNamedMax),
    },
  };
}

function sumBasis(held: readonly PastHolding[]): Cents {
  return held.reduce((sum, { basis }) => sum + basis, 0n) as Cents;
}

/** Returns the last ends of months through today, oldest first. */
function listMonthEnds(today: Day, months: number): Day[] {
  const ends: Day[] = [];
  for (let after = addDays(today, 1); ends.length < months; ) {
    const first = parseDay(`${formatDay(after).slice(0, 7)}-01`);
    if (first === undefined) break;
    after = addDays(first, -1);
    ends.unshift(after);
  }
  return ends;
}
