import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { centsToMoney } from '../../src/base/decimal.ts';
import { listAssetKeys } from '../../src/engine/events/keys.ts';
import type { Rules, Transaction } from '../../src/engine/model.ts';
import { type Book, emptyBook, openLots, replay } from '../../src/engine/replay.ts';
import { scheduleD } from '../../src/forms/schedule-d/schedule-d.ts';
import { books as reportBooks } from '../forms/books.ts';
import { histories } from '../oracle/histories/generate.ts';
import { draws } from '../support/depth.ts';
import { replayAll } from '../support/ledger.ts';
import { seedFor } from '../support/seed.ts';

const seed = seedFor('what is conserved');
const runs = { seed, numRuns: draws(100, 500) };

const bought = new Set(['buy', 'reinvest', 'staking', 'mining', 'airdrop', 'reward', 'wages', 'interest']);

/** Returns rows whose sums are known without a book: no splits, gifts or unknown amounts. */
function plainRows(history: readonly Transaction[]): Transaction[] {
  return history.filter(
    (row) =>
      (bought.has(row.type) || row.type === 'sell' || row.type === 'transfer') &&
      ![row.account, row.toAccount].includes('IRA') &&
      row.asset !== '' &&
      row.quantity !== null &&
      row.feeAsset === '' &&
      row.currency === 'USD' &&
      (row.type === 'transfer' || (row.amount !== null && row.amount >= 0n)) &&
      !['section_1256', 'future', 'currency'].includes(row.assetClass),
  );
}

test('every unit and every fraction of a cent paid is in a line, in a lot or carried to the next lot', () => {
  fc.assert(
    // On separate returns, the spouse's lines are left out, so the costs of those lots are in no line.
    fc.property(histories(40), ({ history, rules: { separateReturns: _, ...rules } }) => {
      const rows = plainRows(history);
      const { book, facts } = replay(emptyBook(), rows, own(rules), new Set(rows.flatMap(listAssetKeys)));
      const disposals = facts.filter((fact) => fact.kind === 'disposal');
      const lots = openLots(book);
      // An unexplained transfer creates units with an unknown basis. An oversold line has units that were never bought.
      const unexplained = sum(lots.map((lot) => (lot.id.endsWith(':unknown') ? lot.quantity : 0n)));
      const known = disposals.filter((line) => !line.basisUnknown);
      const held = sum(lots.map((lot) => lot.quantity)) - unexplained;
      if (facts.every((fact) => fact.kind !== 'issue' || fact.issue !== 'oversold')) {
        const units = sum(rows.filter((row) => bought.has(row.type)).map((row) => row.quantity ?? 0n));
        expect(held + sum(known.map((line) => line.quantity))).toBe(units);
      }
      const deferred = sum(facts.map((fact) => (fact.kind === 'wash' && !fact.permanent ? fact.disallowed : 0n)));
      const settled =
        // Code D removes interest from a gain, and that interest was never paid for.
        sum(disposals.map(({ basis, adjustment, code }) => (code === 'D' ? basis : basis - adjustment))) +
        sum(lots.map((lot) => lot.basis)) -
        deferred;
      const paid = sum(rows.filter((row) => bought.has(row.type)).map((row) => (row.amount ?? 0n) + (row.fee ?? 0n)));
      expect(money(settled) + restOf(book, 'basis ')).toBe(paid);
      const yielded = sum(rows.filter((row) => row.type === 'sell').map((row) => (row.amount ?? 0n) - (row.fee ?? 0n)));
      expect(money(sum(disposals.map((line) => line.proceeds))) + restOf(book, 'proceeds ')).toBe(yielded);
    }),
    runs,
  );
});

test('no purchase replaces more shares than were bought', () => {
  fc.assert(
    fc.property(histories(40), ({ history, rules }) => {
      const rows = plainRows(history);
      const { facts } = replay(emptyBook(), rows, rules, new Set(rows.flatMap(listAssetKeys)));
      const replaced = new Map<string, bigint>();
      for (const fact of facts) {
        if (fact.kind !== 'wash') continue;
        const { replacementTransactionId: id, quantity } = fact;
        replaced.set(id, (replaced.get(id) ?? 0n) + quantity);
      }
      for (const [id, units] of replaced) {
        expect(units <= (rows.find((row) => row.id === id)?.quantity ?? 0n)).toBe(true);
      }
    }),
    runs,
  );
});

test('the lines of a year, Schedule D and the summary agree to the cent', () => {
  fc.assert(
    fc.property(histories(40), ({ history, rules }) => {
      const replayed = replayAll(history, rules);
      for (const summary of replayed.summaries) {
        const { year } = summary;
        const inYear = <T extends { on: number }>(facts: readonly T[]): T[] =>
          facts.filter(({ on }) => new Date(on * 86_400_000).getUTCFullYear() === year);
        const lines = replayed.lines.filter(({ disposal }) => inYear([disposal]).length > 0);
        const { rows, lines: form } = scheduleD(reportBooks(year, lines, { rules, summary }));
        const column = (name: 'proceeds' | 'basis' | 'adjustment' | 'gain'): bigint =>
          sum(rows.map((row) => row[name]));
        for (const name of ['proceeds', 'basis', 'adjustment', 'gain'] as const) {
          expect(column(name)).toBe(summary.total[name]);
          expect(summary.shortTerm[name] + summary.longTerm[name]).toBe(summary.total[name]);
          expect(sum(summary.boxes.map((box) => box[name]))).toBe(summary.total[name]);
          expect(sum(summary.assets.map((asset) => asset[name]))).toBe(summary.total[name]);
        }
        expect(sum(lines.map((line) => line.gain))).toBe(summary.total.gain);
        expect(form['4'] + form['11']).toBe(summary.contracts1256.gain);
        expect(sum(rows.map((row) => BigInt(row.count)))).toBe(BigInt(lines.length));
      }
    }),
    runs,
  );
});

/** Returns rules for a joint return without an IRA, because permanent denials would make basis disappear. */
function own(rules: Rules): Rules {
  return { ...rules, transferFees: 'disposal', separateReturns: { otherwise: false, byYear: {} } };
}

function restOf(book: Book, what: string): bigint {
  return sum(book.centsRemainders.filter(([name]) => name.startsWith(what)).map(([, part]) => part));
}

function money(cents: bigint): bigint {
  return centsToMoney(cents as Parameters<typeof centsToMoney>[0]);
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
