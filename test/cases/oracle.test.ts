import { describe, expect, test } from 'bun:test';
import { formatDay } from '../../src/base/day.ts';
import type { Rules } from '../../src/engine/model.ts';
import { toElections } from '../../src/features/ledger/transactions/elections.ts';
import { withClasses } from '../oracle/classes.ts';
import { cents, isLongTerm, most, nothing } from '../oracle/numbers.ts';
import { gainOf, type OracleBooks, type OracleYear, recompute } from '../oracle/oracle.ts';
import { lineOnForm } from '../oracle/rules/form-1099/reconcile.ts';
import { basisLeft, remaining } from '../oracle/state.ts';
import { defaultRules, readTransactions } from '../support/golden.ts';
import { comparedOf, expectedOf, type Row, type WorkedCase, workedCases } from '../support/worked-cases.ts';

/**
 * Returns the figures that the oracle computes for a year: income and section 1256 contracts. The lines are compared
 * individually.
 */
const figure = /^(income\.|contracts1256\.(gain|short|long)$)/;

/** Returns the gift facts that the oracle computes, which exclude the method of acquisition and the appraisal. */
const giftMembers = new Set('type asset quantity given acquired term basis fairMarketValue deductible'.split(' '));

/** Returns the members that the oracle computes, without boxes, codes other than W, and issues. */
const members = new Set(
  'asset account quantity acquired heldSince sold proceeds basis adjustment gain term shortSale'.split(' '),
);

describe('the oracle gives the expected results of our own cases', () => {
  for (const worked of workedCases().filter(({ inOracle }) => inOracle)) {
    test(`${worked.subject}: ${worked.name}`, () => {
      const settings = JSON.parse(worked.settings);
      const { separateReturns } = toElections(settings, 'UTC').rules;
      const rules = { ...defaultRules, ...settings, ...(separateReturns && { separateReturns }) };
      const rows = worked.files.flatMap(({ text }) => readTransactions(text));
      const stated = new Set(worked.files.flatMap(({ text }) => rowsWithClass(text)));
      const classified = withClasses(rows, rules, { states: ({ id }) => stated.has(id) });
      const books = recompute(classified.rows, rules, classified.unsaid);
      const known = ofOracle(worked);
      expect(comparedOf(resultOf(books, rules), known)).toEqual(expectedOf(known));
    });
  }
});

/** Returns the ids of rows that state their class. */
function rowsWithClass(text: string): string[] {
  const column = (text.split('\n')[0] ?? '').split(',').indexOf('asset_class');
  const rows = text.split('\n').map((line) => (column < 0 ? '' : (line.split(',')[column] ?? '')));
  return readTransactions(text).flatMap(({ id, line }) => ((rows[line - 1] ?? '') === '' ? [] : [id]));
}

function ofOracle(worked: WorkedCase): WorkedCase {
  const lines = worked.lines.map((line) =>
    Object.fromEntries(Object.entries(line).filter(([name]) => members.has(name))),
  );
  const summaries = worked.summaries.map(({ year, figures }) => ({
    year,
    figures: Object.fromEntries(Object.entries(figures).filter(([path]) => figure.test(path))),
  }));
  const gifts =
    worked.gifts?.map((gift) => Object.fromEntries(Object.entries(gift).filter(([name]) => giftMembers.has(name)))) ??
    null;
  return { ...worked, lines: lines as Row[], issues: [], gifts: gifts as Row[] | null, summaries };
}

function resultOf(books: OracleBooks, rules: Rules) {
  const asShown = books.lines.map((line) => lineOnForm(line, rules));
  const lines = asShown.map((line) => ({
    asset: line.asset,
    account: line.account,
    quantity: line.quantity.toString(),
    acquired: line.inherited ? 'INHERITED' : formatDay(line.acquired),
    heldSince: line.inherited ? 'INHERITED' : formatDay(line.heldSince),
    sold: formatDay(line.sold),
    proceeds: line.proceeds.toFixed(2),
    basis: line.basis.toFixed(2),
    adjustment: line.adjustment.toFixed(2),
    gain: gainOf(line).toFixed(2),
    term: line.term,
    shortSale: line.shortSale ? 'true' : '',
  }));
  const lots = books.lots.map((lot) => ({
    asset: lot.asset,
    account: lot.account,
    quantity: remaining(lot).toString(),
    acquired: lot.inherited ? 'INHERITED' : formatDay(lot.acquired),
    heldSince: lot.inherited ? 'INHERITED' : formatDay(lot.heldSince),
    basis: basisLeft(lot).toFixed(2),
  }));
  const gifts = books.gifts.map((gift) => {
    const known = !gift.basisUnknown;
    const isLong = gift.inherited || isLongTerm(gift.heldSince, gift.on);
    // "Reduced by the amount of gain which would not have been long-term capital gain" (IRC 170(e)(1)(A)).
    const gain = isLong || gift.value === null ? nothing : most(nothing, gift.value.minus(gift.basis));
    return {
      type: gift.type,
      asset: gift.asset,
      quantity: gift.quantity.toString(),
      given: formatDay(gift.on),
      acquired: known ? (gift.inherited ? 'INHERITED' : formatDay(gift.acquired)) : '',
      term: known ? (isLong ? 'long' : 'short') : '',
      basis: known ? gift.basis.toFixed(2) : '',
      fairMarketValue: gift.value?.toFixed(2) ?? '',
      deductible: known && gift.type === 'donate' ? (gift.value?.minus(gain).toFixed(2) ?? '') : '',
    };
  });
  return { lines, lots, gifts, issues: [], summaries: [...books.years].map(([year, one]) => summaryOf(year, one)) };
}

function summaryOf(year: number, { income, contracts }: OracleYear) {
  // 40% to the nearest cent, and the remaining 60% (IRC 1256(a)(3)).
  const short = cents(contracts.times('0.4'));
  const amounts = { gain: contracts, short, long: contracts.minus(short) };
  return {
    year,
    income: Object.fromEntries([...income].map(([type, amount]) => [type, amount.toFixed(2)])),
    contracts1256: Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, amount.toFixed(2)])),
  };
}
