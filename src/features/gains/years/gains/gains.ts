import { type Cents, formatCents, type Money, roundToCents } from '../../../../base/decimal.ts';
import type { Sql } from '../../../../db/connection.ts';
import type { AssetClass, Totals } from '../../../../engine/model.ts';
import { totalsText } from '../../../../forms/figures.ts';
import { parseCentsColumn, parseMoneyColumn } from '../../../ledger/transactions/rows.ts';
import {
  type GainScope,
  type IncomeSumRow,
  selectContractSums,
  selectIncomeSums,
  selectLineSums,
} from './gains.queries.ts';

/** The gains and income of a group, such as a month or an asset. */
export interface GainGroup {
  readonly key: string;
  readonly assetClass: AssetClass | null;
  readonly shortTerm: Totals;
  readonly longTerm: Totals;
  readonly washSaleDisallowed: Cents;
  readonly contracts1256: { readonly gain: Cents; readonly count: number };
  readonly income: { readonly amount: Cents; readonly count: number };
}

/**
 * Returns the groups in a span of days, sorted by key, and their total. The total of a whole year equals the year's
 * summary.
 */
export async function readGains(sql: Sql, scope: GainScope): Promise<{ groups: GainGroup[]; sum: GainGroup }> {
  const parts: GainGroup[] = [];
  for (const row of await selectLineSums(sql, scope)) {
    const totals = toTotals(row);
    const term = row.term === 'short' ? { shortTerm: totals } : { longTerm: totals };
    parts.push({ ...emptyGroup(row), ...term, washSaleDisallowed: parseCentsColumn(row.washed) });
  }
  for (const row of await selectContractSums(sql, scope)) {
    parts.push({ ...emptyGroup(row), contracts1256: { gain: parseCentsColumn(row.gain), count: row.count } });
  }
  parts.push(...roundedIncome(await selectIncomeSums(sql, scope)));
  const groups = [...Map.groupBy(parts, buildGroupKey).values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [group.reduce(addGroups, emptyGroup(first))];
  });
  return { groups: groups.sort(byName), sum: groups.reduce(addGroups, emptyGroup({ key: '', assetClass: null })) };
}

/**
 * Rounds income so that the groups add up to the summary, which rounds the income of each year and type once. Each
 * group gets the rounded running total up to it, minus the previous group's.
 */
function roundedIncome(rows: readonly IncomeSumRow[]): GainGroup[] {
  return [...Map.groupBy(rows, ({ year, type }) => `${year} ${type}`).values()].flatMap((typeRows) => {
    let sum = 0n;
    return typeRows.map((row) => {
      const before = roundToCents(sum as Money);
      sum += parseMoneyColumn(row.amount);
      const amount = (roundToCents(sum as Money) - before) as Cents;
      return { ...emptyGroup(row), income: { amount, count: row.count } };
    });
  });
}

export function gainGroupView(group: GainGroup) {
  const { shortTerm, longTerm, contracts1256, income } = group;
  return {
    shortTerm: totalsText(shortTerm),
    longTerm: totalsText(longTerm),
    total: totalsText(addTotals(shortTerm, longTerm)),
    washSaleDisallowed: formatCents(group.washSaleDisallowed),
    contracts1256: { gain: formatCents(contracts1256.gain), count: contracts1256.count },
    income: { amount: formatCents(income.amount), count: income.count },
  };
}

export function buildGroupKey({ key, assetClass }: Pick<GainGroup, 'key' | 'assetClass'>): string {
  return `${key}\u0000${assetClass ?? ''}`;
}

function byName(a: GainGroup, b: GainGroup): number {
  return buildGroupKey(a) < buildGroupKey(b) ? -1 : 1;
}

const noTotals: Totals = {
  proceeds: 0n as Cents,
  basis: 0n as Cents,
  adjustment: 0n as Cents,
  gain: 0n as Cents,
  count: 0,
};

function emptyGroup({ key, assetClass }: Pick<GainGroup, 'key' | 'assetClass'>): GainGroup {
  const nothing = { count: 0, gain: 0n as Cents, amount: 0n as Cents };
  return {
    ...{ key, assetClass, shortTerm: noTotals, longTerm: noTotals, washSaleDisallowed: 0n as Cents },
    ...{ contracts1256: nothing, income: nothing },
  };
}

function toTotals(row: { proceeds: string; basis: string; adjustment: string; count: number }): Totals {
  const [proceeds, basis, adjustment] = [
    parseCentsColumn(row.proceeds),
    parseCentsColumn(row.basis),
    parseCentsColumn(row.adjustment),
  ];
  return { proceeds, basis, adjustment, gain: (proceeds - basis + adjustment) as Cents, count: row.count };
}

function addGroups(a: GainGroup, b: GainGroup): GainGroup {
  return {
    key: a.key,
    assetClass: a.assetClass,
    shortTerm: addTotals(a.shortTerm, b.shortTerm),
    longTerm: addTotals(a.longTerm, b.longTerm),
    washSaleDisallowed: (a.washSaleDisallowed + b.washSaleDisallowed) as Cents,
    contracts1256: {
      gain: (a.contracts1256.gain + b.contracts1256.gain) as Cents,
      count: a.contracts1256.count + b.contracts1256.count,
    },
    income: {
      amount: (a.income.amount + b.income.amount) as Cents,
      count: a.income.count + b.income.count,
    },
  };
}

function addTotals(a: Totals, b: Totals): Totals {
  return {
    proceeds: (a.proceeds + b.proceeds) as Cents,
    basis: (a.basis + b.basis) as Cents,
    adjustment: (a.adjustment + b.adjustment) as Cents,
    gain: (a.gain + b.gain) as Cents,
    count: a.count + b.count,
  };
}
