import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Day, Instant } from '../../src/base/day.ts';
import type { Money, Quantity } from '../../src/base/decimal.ts';
import { listAssetKeys } from '../../src/engine/events/keys.ts';
import { lotMethods, type Transaction, transactionTypes } from '../../src/engine/model.ts';
import { bookFromJson, bookToJson, emptyBook, openLots, replay } from '../../src/engine/replay.ts';
import { canResume } from '../../src/engine/resume/resuming.ts';
import { buildLines } from '../../src/engine/rules/year/year.ts';
import { draws } from '../support/depth.ts';
import { defaultRules } from '../support/golden.ts';
import { seedFor } from '../support/seed.ts';

const seed = seedFor('engine on anything');

const unit = 10n ** 18n;
const quantity = fc.option(fc.constantFrom(0n, 1n, unit / 3n, unit, 10n * unit, -unit, 10n ** 37n), { nil: null });
const money = fc.option(fc.constantFrom(0n, 1n, 1_000_000n, 123_456_789n, 10n ** 10n, -(10n ** 9n)), { nil: null });
const asset = fc.constantFrom('X', 'Y', 'X 2025-01-17 C 10', 'X 2025-01-17 P 10', 'BTC', 'USD', '');
const account = fc.constantFrom('', 'A', 'B', 'IRA');
const day = fc.integer({ min: 20_000, max: 20_120 });
const ratio = fc.option(
  fc.record({
    numerator: fc.constantFrom(0n, 1n, 3n, 10n ** 30n),
    denominator: fc.constantFrom(0n, 1n, 2n, 10n ** 30n),
  }),
  { nil: null },
);

const row: fc.Arbitrary<Omit<Transaction, 'id' | 'line'>> = fc.record({
  type: fc.constantFrom(...transactionTypes),
  on: day.map((on) => on as Day),
  at: fc.constant(null as Instant | null),
  account,
  asset,
  assetClass: fc.constantFrom(
    'stock',
    'fund',
    'bond',
    'treasury_bill',
    'option',
    'crypto',
    'tokenized_security',
    'nft',
    'section_1256',
  ),
  quantity: quantity.map((value) => value as Quantity | null),
  amount: money.map((value) => value as Money | null),
  fee: money.map((value) => value as Money | null),
  currency: fc.constantFrom('USD', 'USD', 'USD', 'EUR'),
  receivedAsset: asset,
  receivedQuantity: quantity.map((value) => value as Quantity | null),
  feeAsset: asset,
  feeQuantity: quantity.map((value) => value as Quantity | null),
  feeOwn: money.map((value) => value as Money | null),
  toAccount: account,
  acquired: fc.option(
    day.map((on) => on as Day),
    { nil: null },
  ),
  basis: money.map((value) => value as Money | null),
  fmv: money.map((value) => value as Money | null),
  ratio,
  lots: fc.array(
    fc.record({ label: fc.constantFrom('', 'r1', 'r2'), quantity: fc.constantFrom(0n as Quantity, unit as Quantity) }),
    {
      maxLength: 2,
    },
  ),
  identifiedAt: fc.constantFrom(null, 0 as Instant, 4e15 as Instant),
  shares: quantity.map((value) => value as Quantity | null),
  underlying: fc.constantFrom('', 'X', 'Y'),
  right: fc.constantFrom(null, 'call', 'put'),
  box: fc.constantFrom(null, 'A', 'L'),
  wash: money.map((value) => value as Money | null),
  term: fc.constantFrom(null, 'short', 'long'),
  maturity: fc.option(
    day.map((on) => on as Day),
    { nil: null },
  ),
  accruedInterest: money.map((value) => value as Money | null),
  marketDiscount: money.map((value) => value as Money | null),
  statedGain: money.map((value) => value as Money | null),
  offered: fc.option(
    day.map((on) => on as Day),
    { nil: null },
  ),
  discount: money.map((value) => value as Money | null),
  wages: money.map((value) => value as Money | null),
  externalId: fc.constantFrom('', 'r1', 'r2'),
  note: fc.constant(''),
});

test('the engine accepts rows with any content, and returns the same result each time', () => {
  fc.assert(
    fc.property(
      fc.array(row, { maxLength: 30, size: 'max' }),
      fc.constantFrom(...lotMethods),
      fc.boolean(),
      (rows, method, pool) => {
        const history = rows.map((one, at) => ({ ...one, id: `t${at}`, line: at }));
        const rules = {
          ...defaultRules,
          method,
          accounts: { IRA: { type: 'ira' } },
          digitalAssetScopeBefore2025: pool ? 'universal' : 'per_wallet',
        } as const;
        const keys = new Set(history.flatMap(listAssetKeys));
        const once = replay(emptyBook(), history, rules, keys);
        const again = replay(emptyBook(), history.toReversed(), rules, keys);
        expect(again.facts).toEqual(once.facts);
        expect(bookToJson(again.book)).toEqual(bookToJson(once.book));
        for (const lot of openLots(once.book)) expect(lot.quantity > 0n).toBe(true);
        const half = replay(
          emptyBook(),
          history.filter((one) => one.on <= 20_050),
          rules,
          keys,
        );
        const cut = Math.max(half.book.asOf ?? 0, 20_050);
        const before = replay(
          emptyBook(),
          history.filter((one) => one.on <= cut),
          rules,
          keys,
        );
        const after = history.filter((one) => one.on > cut);
        if ((before.book.asOf ?? 0) <= cut && canResume(before.book, after)) {
          const resumed = replay(bookFromJson(bookToJson(before.book)), after, rules, keys);
          expect(bookToJson(resumed.book)).toEqual(bookToJson(once.book));
          expect(
            before.facts.filter((fact) => fact.causedOn <= (before.book.asOf ?? 0)).length + resumed.facts.length,
          ).toBe(once.facts.length);
        }
        const lines = buildLines(
          once.facts.filter((fact) => fact.kind === 'disposal'),
          once.facts.filter((fact) => fact.kind === 'wash'),
        );
        expect(new Set(lines.map(({ disposal }) => disposal.id)).size).toBe(lines.length);
      },
    ),
    { seed, numRuns: draws(150, 1000) },
  );
});
