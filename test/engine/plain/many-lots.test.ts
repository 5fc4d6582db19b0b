import { expect, test } from 'bun:test';
import type { Day } from '../../../src/base/day.ts';
import type { Money, Quantity } from '../../../src/base/decimal.ts';
import type { OpenLot } from '../../../src/engine/book/book.ts';
import { Heap } from '../../../src/engine/book/heap.ts';
import { LotQueue } from '../../../src/engine/book/lot-queue.ts';
import { openLot } from '../../../src/engine/book/opening.ts';
import { listAssetKeys } from '../../../src/engine/events/keys.ts';
import { Ledger } from '../../../src/engine/events/ledger.ts';
import { lotMethodTable } from '../../../src/engine/lot-methods.ts';
import { lotMethods, type Rules, type Transaction } from '../../../src/engine/model.ts';
import { toOpeningEvent } from '../../../src/engine/plain/purchase.ts';
import { bookToJson, emptyBook, replay } from '../../../src/engine/replay.ts';
import { unstatedMembers } from '../../../src/engine/unstated-members.ts';
import { draws } from '../../support/depth.ts';
import { defaultRules } from '../../support/golden.ts';

/** Returns trades of which about half are sales of held units. Prices rise and fall and sometimes repeat. */
function manyTrades(rows: number): Transaction[] {
  let held = 0;
  return Array.from({ length: rows }, (_, row): Transaction => {
    const chance = (row * 7_919) % 1_009;
    const units = 1 + (chance % 9);
    const sells = held > 4_000 || (held > 500 && chance % 2 === 0);
    held += sells ? -units : units;
    return {
      ...unstatedMembers,
      id: `t${row}`,
      line: row,
      type: sells ? 'sell' : 'buy',
      at: null,
      on: (19_000 + Math.floor(row / 4)) as Day,
      account: chance % 3 === 0 ? 'A' : 'B',
      asset: 'C',
      assetClass: 'crypto',
      quantity: (BigInt(units) * 10n ** 18n + BigInt(sells ? 0 : chance)) as Quantity,
      amount: (BigInt(units * (50 + (chance % 40))) * 100_000_000n) as Money,
    };
  });
}

test('many lots leave the fast path in the same order as the general path, with any sequence of methods', () => {
  const short = manyTrades(draws(800, 2_500));
  const long = short.map((tx): Transaction => ({ ...tx, feeOwn: 0n as Money }));
  for (const method of lotMethods) {
    for (const other of lotMethods) {
      const rules: Rules = {
        ...defaultRules,
        methodByAccount: { A: method },
        method: other,
        accounts: { A: { type: 'taxable', wallet: 'W' }, B: { type: 'taxable', wallet: 'W' } },
      };
      expect(textOf(short, rules)).toBe(textOf(long, rules));
    }
  }
});

test('lots that arrive out of order are sold in their turn, even after many others are sold', () => {
  const purchases = Ledger.of(manyTrades(12_000).filter(({ type }) => type === 'buy'));
  const lots = Array.from({ length: purchases.trades }, (_, sequence) =>
    openLot(toOpeningEvent(purchases, sequence), { account: 'A', basis: 0n, lossBasis: null, sequence, origin: null }),
  );
  const queue = new LotQueue('HIFO', []);
  const left = new Set<OpenLot>();
  const dearest = (): OpenLot | undefined => [...left].sort(lotMethodTable.HIFO.order)[0];
  for (const [at, lot] of lots.entries()) {
    queue.add(lot);
    left.add(lot);
    if (left.size < 40) continue;
    // Sells down to the cheap lots that are never taken and remain in the middle.
    for (let first = queue.first(); left.size > 20 && first !== undefined; first = queue.first()) {
      if (at % 101 < 3) expect(first).toBe(dearest() as OpenLot);
      left.delete(first);
      first.quantity = 0n;
    }
  }
  expect(lots.length).toBeGreaterThan(5_000);
  expect(queue.first()).toBe(dearest() as OpenLot);
});

test('a heap returns its lots in order, for any order of insertion and after any renames', () => {
  const rows = Array.from({ length: 500 }, (_, row) => ((row * 7_919) % 1_009) - 500);
  const byRank = (a: number, b: number): number => a - b;
  for (const made of [0, 1, 2, 5, 6, 100, 500]) {
    const heap = new Heap(byRank, Int32Array.from(rows.slice(0, made)), Float64Array.from(rows.slice(0, made)));
    for (const row of rows.slice(made)) heap.add(row, row);
    heap.rename((row) => row + 1_000);
    expect(heap.size).toBe(rows.length);
    const given: number[] = [];
    for (let first = heap.first; first !== -1; first = heap.first) {
      expect(heap.firstRank).toBe(first - 1_000);
      given.push(first - 1_000);
      heap.removeFirst();
    }
    expect(given).toEqual(rows.toSorted(byRank));
  }
});

function textOf(history: readonly Transaction[], rules: Rules): string {
  const { book, facts } = replay(emptyBook(), history, rules, new Set(history.slice(0, 1).flatMap(listAssetKeys)));
  return JSON.stringify([facts, bookToJson(book)], (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
}
