import { formatDay } from '../../../base/day.ts';
import type { Sql } from '../../../db/connection.ts';
import { withoutForeignReversed } from '../../../engine/events/corrections.ts';
import type { Transaction } from '../../../engine/model.ts';
import { readRestatements, restate, setValues } from '../transactions/resolutions.ts';
import { toTransaction } from '../transactions/rows/columns.ts';
import { describeUse, type Figure, isSideOfTrade, listPriceNeeds, type PriceNeed, withoutMet } from './price-needs.ts';
import { selectIssueRowIds, selectToValue, selectValuations } from './prices.queries.ts';

/** A price that would value rows with open issues. */
interface NeededPrice {
  readonly asset: string;
  readonly day: string;
  /** The number of rows that the price would value. */
  readonly rows: number;
  /** Assets whose price for that day would also work: the other sides of the trades. */
  readonly alternatives: readonly string[];
  /** What the price values in one of its rows: `100.00 EUR paid for BTC`. */
  readonly use: string;
}

/** A row and its missing prices. */
interface UnvaluedRow {
  readonly transaction: Transaction;
  readonly needs: readonly PriceNeed[];
}

/** Returns the prices that open issues need, sorted by day and asset. */
export async function neededPrices(sql: Sql, taxpayerId: string): Promise<NeededPrice[]> {
  const issueRowIds = new Set(await selectIssueRowIds(sql, taxpayerId));
  const needed = new Map<string, Omit<NeededPrice, 'alternatives'> & { alternatives: Set<string> }>();
  for (const { transaction, needs } of await unvaluedRows(sql, taxpayerId)) {
    if (!issueRowIds.has(transaction.id)) continue;
    const sides = needs.filter(({ figure }) => isSideOfTrade(figure));
    for (const need of needs) {
      const day = formatDay(need.day);
      const use = describeUse(transaction, need);
      const name = `${day} ${need.asset}`;
      const known = needed.get(name) ?? { asset: need.asset, day, rows: 0, alternatives: new Set(), use };
      const others = isSideOfTrade(need.figure) ? sides.filter(({ asset }) => asset !== need.asset) : [];
      for (const { asset } of others) known.alternatives.add(asset);
      needed.set(name, { ...known, rows: known.rows + 1, use: use.localeCompare(known.use) < 0 ? use : known.use });
    }
  }
  return [...needed]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { alternatives, ...price }]) => ({ ...price, alternatives: [...alternatives].sort() }));
}

/** Returns the rows that still have no dollar amount after the taxpayer's answers, with their missing prices. */
export async function unvaluedRows(sql: Sql, taxpayerId: string): Promise<UnvaluedRow[]> {
  const rows = (await selectToValue(sql, taxpayerId, null)).map(toTransaction);
  if (rows.length === 0) return [];
  const restatements = await readRestatements(sql, taxpayerId);
  const stated = setValues(withoutForeignReversed(restate(rows, restatements)), restatements);
  const inNeed = stated.flatMap((transaction) => {
    const needs = listPriceNeeds(transaction);
    return needs.length === 0 ? [] : [{ transaction, needs }];
  });
  const ids = inNeed.map(({ transaction }) => transaction.id);
  const used = Map.groupBy(await selectValuations(sql, taxpayerId, ids), (row) => row.transaction_id);
  return inNeed.flatMap(({ transaction, needs }) => {
    const figures = new Set((used.get(transaction.id) ?? []).map((row) => row.figure as Figure));
    const unmet = withoutMet(needs, figures);
    return unmet.length === 0 ? [] : [{ transaction, needs: unmet }];
  });
}
