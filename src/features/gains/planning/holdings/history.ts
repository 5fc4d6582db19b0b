import { addDays, type Day, formatDay, parseDay } from '../../../../base/day.ts';
import { type Cents, formatCents, type Quantity, zeroCents } from '../../../../base/decimal.ts';
import type { Sql } from '../../../../db/connection.ts';
import { toAssetKey } from '../../../../engine/events/keys.ts';
import { openLots } from '../../../../engine/replay.ts';
import { visitBooks } from '../../../ledger/books/lots.ts';
import { computeWorthCents, unitValues } from '../valuation.ts';

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
