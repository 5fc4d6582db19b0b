import { describe, expect, test } from 'bun:test';
import { formatDay } from '../../src/base/day.ts';
import { type GoldenCase, goldenCases } from '../support/golden.ts';
import { type Exact, nothing } from './numbers.ts';
import { gainOf, type OracleBooks, recompute } from './oracle.ts';
import { basisLeft, type OracleLine, remaining } from './state.ts';

const cases = goldenCases();

describe('the oracle gives exactly the results of the golden cases', () => {
  for (const golden of cases) {
    test(`${golden.id}: ${golden.name}`, () => {
      const books = recompute(golden.transactions, golden.rules);
      expect(linesOf(books, golden)).toEqual(expectedLines(golden));
      expect(lotsOf(books, golden)).toEqual(expectedLots(golden));
      expect(summaryOf(books, golden)).toEqual(golden.expected.summary);
    });
  }
});

/** Returns the columns that a case states, for every line, in a fixed order. */
function linesOf(books: OracleBooks, golden: GoldenCase): string[] {
  const stated = new Set(golden.expected.disposals.flatMap((line) => Object.keys(line)));
  return books.lines.map((line) => asText(plainLine(line), stated)).sort();
}

function expectedLines(golden: GoldenCase): string[] {
  const stated = new Set(golden.expected.disposals.flatMap((line) => Object.keys(line)));
  return golden.expected.disposals.map((line) => asText(line, stated)).sort();
}

function plainLine(line: OracleLine): Record<string, string | boolean> {
  return {
    symbol: line.asset,
    account: line.account,
    quantity: line.quantity.toString(),
    acquired: line.inherited ? 'INHERITED' : formatDay(line.acquired),
    holding_date: formatDay(line.heldSince),
    sold: formatDay(line.sold),
    proceeds: line.proceeds.toFixed(2),
    basis: line.basis.toFixed(2),
    code: line.adjustment.isZero() ? '' : 'W',
    adjustment: line.adjustment.toFixed(2),
    gain: gainOf(line).toFixed(2),
    term: line.term,
    short_sale: line.shortSale,
    column_d: line.expired === 'proceeds' ? 'EXPIRED' : '',
    column_e: line.expired === 'basis' ? 'EXPIRED' : '',
  };
}

/** A case states the holding date of only some lines. Box and description are covered by the tests of forms. */
const unstated = new Set(['box', 'description', 'holding_date']);

function asText(line: Readonly<Record<string, string | boolean>>, stated: ReadonlySet<string>): string {
  const names = [...stated].filter((name) => !unstated.has(name)).sort();
  return names.map((name) => `${name}=${line[name]}`).join(' ');
}

function lotsOf(books: OracleBooks, golden: GoldenCase): string[] {
  const noted = golden.expected.open_lots.some((lot) => lot.note !== undefined);
  return books.lots
    .map((lot) => {
      const acquired = lot.inherited ? 'INHERITED' : formatDay(lot.acquired);
      const heldSince = noted ? '' : lot.inherited ? 'INHERITED' : formatDay(lot.heldSince);
      return [lot.asset, lot.account, remaining(lot), acquired, heldSince, basisLeft(lot).toFixed(2)].join(' ');
    })
    .sort();
}

function expectedLots(golden: GoldenCase): string[] {
  return golden.expected.open_lots
    .map((lot) => {
      const noted = golden.expected.open_lots.some((one) => one.note !== undefined);
      const heldSince = noted ? '' : lot.holding_date;
      return [lot.symbol, lot.account, lot.quantity, lot.acquired, heldSince, lot.basis].join(' ');
    })
    .sort();
}

function summaryOf(books: OracleBooks, golden: GoldenCase): Record<string, string> {
  const years = [...books.years.values()];
  const total = (pick: (year: (typeof years)[number]) => Exact): string =>
    years.reduce((sum, year) => sum.plus(pick(year)), nothing).toFixed(2);
  const known: Record<string, string> = {
    st_gain: total((year) => year.short),
    lt_gain: total((year) => year.long),
    wash_disallowed: total((year) => year.disallowed),
    wash_permanent: total((year) => year.permanent),
    ordinary_income: total((year) => [...year.income.values()].reduce((sum, one) => sum.plus(one), nothing)),
  };
  return Object.fromEntries(Object.keys(golden.expected.summary).map((name) => [name, known[name] ?? 'not known']));
}
