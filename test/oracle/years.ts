import { formatCents, formatMoney } from '../../src/base/decimal.ts';
import type { Fact, Rules, Totals } from '../../src/engine/model.ts';
import { summarize } from '../../src/engine/rules/year/year.ts';
import type { OracleLine } from './model.ts';
import { Exact, nothing, sum, yearOfDay } from './numbers.ts';
import { gainOf, type OracleBooks } from './oracle.ts';
import { lineOnForm } from './rules/form-1099/reconcile.ts';
import { boxOf } from './rules/lines/box.ts';

/** Amounts with the same name, which can be summed. */
export interface Row {
  readonly key: string;
  readonly amounts: readonly Exact[];
}

/**
 * Returns the years netted like `summarize`: (d), (e), (g), (h) by term, box and asset, lines by account and box,
 * income, contracts, and disallowed losses.
 */
export function yearsOfEngine(facts: readonly Fact[]): Row[] {
  return [...Map.groupBy(facts, (fact) => yearOfDay(fact.on))].flatMap(([year, own]) => {
    const summary = summarize(year, {
      disposals: own.filter((fact) => fact.kind === 'disposal'),
      washes: own.filter((fact) => fact.kind === 'wash'),
      incomes: own.filter((fact) => fact.kind === 'income'),
      contracts: own.filter((fact) => fact.kind === 'contract_1256'),
      issues: own.filter((fact) => fact.kind === 'issue'),
    });
    const { contracts1256: contracts, washSaleDisallowed, washSalePermanent } = summary;
    return [
      { key: `${year} short`, amounts: totals(summary.shortTerm) },
      { key: `${year} long`, amounts: totals(summary.longTerm) },
      { key: `${year} total`, amounts: totals(summary.total) },
      ...summary.boxes.map((box) => ({ key: `${year} box ${box.box}`, amounts: totals(box) })),
      ...summary.assets.map((one) => ({ key: `${year} ${one.assetClass} ${one.asset}`, amounts: totals(one) })),
      ...summary.accountBoxes.map(({ account, box, count }) => ({
        key: `${year} ${account} in box ${box}`,
        amounts: [new Exact(count)],
      })),
      { key: `${year} denied`, amounts: [washSaleDisallowed, washSalePermanent].map(cash) },
      { key: `${year} contracts`, amounts: [contracts.gain, contracts.short, contracts.long].map(cash) },
      ...summary.income.map(({ type, amount, count }) => ({
        key: `${year} ${type}`,
        amounts: [new Exact(formatMoney(amount)), new Exact(count)],
      })),
    ];
  });
}

export function yearsOfOracle(books: OracleBooks, rules: Rules): Row[] {
  return [
    ...books.lines.flatMap((line) => rowsOfLine(line, rules)),
    ...books.incomes.map(({ type, on, amount }) => ({
      key: `${yearOfDay(on)} ${type}`,
      amounts: [amount, new Exact(1)],
    })),
    ...[...Map.groupBy(books.contracts, ({ on }) => yearOfDay(on))].map(([year, own]) => {
      const gain = sum(own.map((contract) => contract.gain));
      // 40% to the nearest cent, and the remaining 60% (IRC 1256(a)(3)).
      const short = gain.times('0.4').toDecimalPlaces(2, Exact.ROUND_HALF_UP);
      return { key: `${year} contracts`, amounts: [gain, short, gain.minus(short)] };
    }),
  ];
}

function rowsOfLine(line: OracleLine, rules: Rules): Row[] {
  const year = yearOfDay(line.on);
  const shown = lineOnForm(line, rules);
  const amounts = [shown.proceeds, shown.basis, shown.adjustment, gainOf(shown)];
  return [
    { key: `${year} ${line.term}`, amounts },
    { key: `${year} total`, amounts },
    { key: `${year} box ${boxOf(line, rules)}`, amounts },
    { key: `${year} ${line.assetClass} ${line.asset}`, amounts },
    { key: `${year} ${line.account} in box ${boxOf(line, rules)}`, amounts: [new Exact(1)] },
    { key: `${year} denied`, amounts: [line.code === '' ? line.adjustment : nothing, line.permanent] },
  ];
}

/** Sums rows with the same name and drops zero sums. */
export function summed(rows: readonly Row[]): string[] {
  const sums = new Map<string, readonly Exact[]>();
  for (const { key, amounts } of rows) {
    const before = sums.get(key);
    sums.set(key, before === undefined ? amounts : amounts.map((amount, at) => amount.plus(before[at] ?? nothing)));
  }
  const shown = [...sums].filter(([, amounts]) => amounts.some((amount) => !amount.isZero()));
  return shown.map(([key, amounts]) => `${key}: ${amounts.map((amount) => amount.toString()).join(' ')}`).sort();
}

function totals(sums: Totals): Exact[] {
  return [sums.proceeds, sums.basis, sums.adjustment, sums.gain].map(cash);
}

export function cash(amount: Totals['gain']): Exact {
  return new Exact(formatCents(amount));
}
