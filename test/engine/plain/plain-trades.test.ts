import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Day, type Instant, yearOf } from '../../../src/base/day.ts';
import type { Cents, Money, Quantity } from '../../../src/base/decimal.ts';
import { listAssetKeys } from '../../../src/engine/events/keys.ts';
import {
  type AssetClass,
  type Fact,
  lotMethods,
  type Rules,
  type Totals,
  type Transaction,
  type TransactionType,
  transactionTypes,
} from '../../../src/engine/model.ts';
import { type LineSum, LineSums } from '../../../src/engine/plain/line-sums.ts';
import { type Book, bookFromJson, bookToJson, emptyBook, replay } from '../../../src/engine/replay.ts';
import { unsettledDays } from '../../../src/engine/resume/resuming.ts';
import { summarize, type YearFacts } from '../../../src/engine/rules/year/year.ts';
import { sumSummaries } from '../../../src/features/ledger/books/netting.ts';
import { draws } from '../../support/depth.ts';
import { defaultRules, readTransactions } from '../../support/golden.ts';
import { seedFor } from '../../support/seed.ts';

const seed = seedFor('plain trades');
const pattern = readTransactions('date,type,account,asset,quantity,amount\n2024-01-01,buy,A,X,1,1\n')[0] as Transaction;

/** Adds a stated fee share of zero, which changes no result but sends every trade down the general path. */
const longWay = (tx: Transaction): Transaction => ({ ...tx, feeOwn: 0n as Money });

const trade = fc.record({
  type: fc.oneof(
    { arbitrary: fc.constantFrom('buy', 'sell'), weight: 8 },
    { arbitrary: fc.constantFrom('staking', 'split'), weight: 3 },
    { arbitrary: fc.constantFrom(...transactionTypes), weight: 1 },
  ),
  day: fc.integer({ min: 0, max: 900 }),
  at: fc.option(fc.nat(86_399), { nil: null }),
  account: fc.constantFrom('A', 'A', 'A', 'B', 'IRA'),
  asset: fc.constantFrom('S', 'C'),
  /** The same shares under the names that two brokers use. */
  share: fc.constantFrom<AssetClass>('stock', 'stock', 'stock', 'fund'),
  quantity: fc.oneof(
    fc.integer({ min: 1, max: 9 }).map((whole) => BigInt(whole) * 10n ** 18n),
    fc.bigInt({ min: 1n, max: 5n * 10n ** 18n }),
    fc.bigInt({ min: 1n, max: 10n ** 31n }),
  ),
  amount: fc.oneof(
    fc.integer({ min: 1, max: 90_000 }).map((cents) => BigInt(cents) * 1_000_000n),
    fc.bigInt({ min: 0n, max: 10n ** 11n }),
    fc.bigInt({ min: 0n, max: 10n ** 18n }),
  ),
  fee: fc.constantFrom(null, 0n, 35_000_000n, 12_345_678n, -1_000_000n),
});

const anyHistory = fc.array(trade, { maxLength: 60, size: 'max' }).map((trades) =>
  trades.map((one, line): Transaction => {
    const on = (19_000 + one.day) as Day;
    const kind = one.type === 'sell' ? one.type : rarely(line, one.type);
    return {
      ...pattern,
      id: `t${line}`,
      line,
      type: kind,
      on,
      at: one.at === null ? null : (((on * 86_400 + one.at) * 1_000_000) as Instant),
      account: one.account,
      asset: one.asset,
      assetClass: one.asset === 'C' ? 'crypto' : one.share,
      quantity: one.quantity as Quantity,
      amount: one.amount as Money,
      fee: one.fee as Money | null,
      ratio: kind === 'split' ? { numerator: 3n, denominator: 2n } : null,
    };
  }),
);
/**
 * Shrinking sixty trades with numbers of any length would take hours. This limit lets a failing test finish earlier.
 */
const histories = fc.limitShrink(anyHistory, 1000);

test('the fast path for plain trades produces the facts and books of the general path', () => {
  fc.assert(
    fc.property(histories, fc.constantFrom(...lotMethods), (history, method) => {
      const rules: Rules = {
        ...defaultRules,
        method,
        methodFrom: [{ year: 2023, method: 'HIFO' }],
        accounts: { IRA: { type: 'ira' }, B: { type: 'taxable', form: '1099-B' } },
      };
      const short = run(emptyBook(), history, rules);
      expect(text(short)).toBe(text(run(emptyBook(), history.map(longWay), rules)));
      // Rows out of order, day by day, and resumed from the middle have the same result.
      expect(text(run(emptyBook(), history.toReversed(), rules))).toBe(text(short));
      expect(text(runByDays(history, rules))).toBe(text(short));
      const middle = 19_450 as Day;
      if (unsettledDays(history)(middle)) return;
      const before = history.filter((tx) => tx.on <= middle);
      const half = run(emptyBook(), before, rules);
      const after = run(
        bookFromJson(bookToJson(half.book)),
        history.filter((tx) => tx.on > middle),
        rules,
      );
      // Facts at the end of a history about an unmatched transfer are repeated or withdrawn.
      const kept = half.facts.filter(({ causedOn }) => causedOn <= (half.book.asOf ?? 0));
      expect(text({ book: after.book, facts: [...kept, ...after.facts] })).toBe(text(short));
    }),
    { seed, numRuns: draws(60, 400) },
  );
});

test('lines that are summed instead of listed have the same totals, and change no book', () => {
  const methods = fc.constantFrom(...lotMethods);
  fc.assert(
    fc.property(histories, methods, fc.constantFrom(2021, 2022, 2023), (history, method, listedYear) => {
      const rules: Rules = { ...defaultRules, method };
      const listed = run(emptyBook(), history, rules);
      const lineSums = new LineSums((year) => year !== listedYear);
      const summed = replay(emptyBook(), history, rules, new Set(history.flatMap(listAssetKeys)), { lineSums });
      expect(bookToJson(summed.book)).toEqual(bookToJson(listed.book));
      for (const year of [2021, 2022, 2023, 2024]) {
        const sums = lineSums.summaries().filter((sum) => sum.year === year);
        if (year === listedYear) expect(sums).toEqual([]);
        const parts = [summarize(year, factsOf(summed.facts, year)), ...sums];
        expect(sumSummaries(year, parts)).toEqual(sumSummaries(year, [summarize(year, factsOf(listed.facts, year))]));
      }
    }),
    { seed, numRuns: draws(40, 200) },
  );
});

test('sums beyond the range of doubles are exact', () => {
  const sums = new LineSums(() => true);
  const kind = { year: 2024, account: 'Broker', asset: 'X', assetClass: 'stock', term: 'long', box: 'F' } as const;
  for (let line = 0; line < 4_001; line++) {
    sums.add(sums.of(kind) as LineSum, 2 ** 52 - 1, -1);
    sums.commit();
    sums.add(sums.of(kind) as LineSum, 1, 1);
    sums.rollBack();
  }
  const [summary] = sums.summaries();
  const proceeds = 4_001n * (2n ** 52n - 1n);
  expect(summary?.longTerm).toEqual({
    ...{ proceeds, basis: -4_001n, adjustment: 0n },
    gain: proceeds + 4_001n,
    count: 4_001,
  } as Totals);
  expect(sums.summaries()).toHaveLength(1);
});

test('sums keep the lines of each account separate', () => {
  const sums = new LineSums(() => true);
  for (const account of ['A', 'B', 'A'])
    sums.add(
      sums.of({ year: 2024, account, asset: 'X', assetClass: 'stock', term: 'long', box: 'F' }) as LineSum,
      2,
      1,
    );
  sums.commit();
  expect(sumSummaries(2024, sums.summaries())).toMatchObject({
    accountBoxes: [
      { account: 'A', box: 'F', count: 2 },
      { account: 'B', box: 'F', count: 1 },
    ],
    boxes: [{ box: 'F', count: 3 }],
  });
});

test('sales of large and of finely divided lots sum to the cent', () => {
  const buy = { ...pattern, id: 'b', quantity: (3n * 10n ** 18n) as Quantity, amount: (10n ** 10n) as Money };
  const sells = Array.from({ length: 300 }, (_, at): Transaction => {
    const on = (pattern.on + 1 + at) as Day;
    const quantity = (at === 299 ? 10n ** 16n + 299n : 10n ** 16n - 1n) as Quantity;
    return { ...pattern, id: `s${at}`, type: 'sell', on, quantity, amount: (10n ** 9n) as Money };
  });
  const { book, facts } = run(emptyBook(), [buy, ...sells], defaultRules);
  const basis = facts.reduce((sum, fact) => (fact.kind === 'disposal' ? sum + fact.basis : sum), 0n);
  expect(basis as Cents).toBe(10_000n as Cents);
  expect(book.pools[0]?.lots).toEqual([]);
});

/** Makes rows other than purchases and sales rare, so that the fast path is taken between them. */
function rarely(line: number, type: TransactionType): TransactionType {
  return line % 4 === 0 ? type : 'buy';
}

function run(book: Book, history: readonly Transaction[], rules: Rules): { book: Book; facts: Fact[] } {
  return replay(book, history, rules, new Set(history.flatMap(listAssetKeys)));
}

function factsOf(facts: readonly Fact[], year: number): YearFacts {
  const of = facts.filter(({ on }) => yearOf(on) === year);
  return {
    disposals: of.filter((fact) => fact.kind === 'disposal'),
    washes: of.filter((fact) => fact.kind === 'wash'),
    incomes: of.filter((fact) => fact.kind === 'income'),
    contracts: of.filter((fact) => fact.kind === 'contract_1256'),
    issues: of.filter((fact) => fact.kind === 'issue'),
  };
}

function runByDays(history: readonly Transaction[], rules: Rules): { book: Book; facts: Fact[] } {
  const collected: Fact[] = [];
  const keys = new Set(history.flatMap(listAssetKeys));
  const onDay = (facts: readonly Fact[]): void => void collected.push(...facts);
  const { book, facts } = replay(emptyBook(), history, rules, keys, { onState: () => {}, onDay });
  expect(facts).toEqual([]);
  return { book, facts: collected };
}

function text({ book, facts }: { book: Book; facts: readonly Fact[] }): string {
  const plain = JSON.stringify(facts, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));
  return `${JSON.stringify(bookToJson(book))}\n${plain.replaceAll('},{', '},\n{')}`;
}
