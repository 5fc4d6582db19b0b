import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { addDays, type Day, parseDay } from '../../src/base/day.ts';
import { type Cents, centsToMoney, type Money, type Quantity } from '../../src/base/decimal.ts';
import { toAssetKey } from '../../src/engine/events/keys.ts';
import type { Transaction } from '../../src/engine/model.ts';
import { emptyBook, replay } from '../../src/engine/replay.ts';
import { differingSales, pickSaleFacts, type StatedSale } from '../../src/engine/rules/questions/stated-gains.ts';
import { unstatedMembers } from '../../src/engine/unstated-members.ts';
import { draws } from '../support/depth.ts';
import { defaultRules } from '../support/golden.ts';

const first = parseDay('2025-01-02') as Day;
const unit = 10n ** 18n;

interface Step {
  readonly isSale: boolean;
  readonly units: number;
  readonly cents: number;
  readonly fee: number;
  readonly days: number;
}

const step = (feeMax: number, daysMin: number) =>
  fc.record({
    isSale: fc.boolean(),
    units: fc.integer({ min: 1, max: 40 }),
    cents: fc.integer({ min: 101, max: 900_000 }),
    fee: fc.integer({ min: 0, max: feeMax }),
    days: fc.integer({ min: daysMin, max: daysMin + 20 }),
  });

/** Returns purchases and sales of one stock in one account. Only held units are sold. */
function historyOf(steps: readonly Step[]): Transaction[] {
  let [held, on] = [0, first];
  return steps.map(({ isSale, units, cents, fee, days }, line) => {
    on = addDays(on, days);
    const quantity = isSale ? Math.min(held, units) : units;
    const isSold = isSale && quantity > 0;
    const moved = quantity === 0 ? units : quantity;
    held += isSold ? -moved : moved;
    return {
      ...unstatedMembers,
      id: `t${line}`,
      line,
      type: isSold ? 'sell' : 'buy',
      at: null,
      on,
      account: 'Northfork',
      asset: 'KO',
      assetClass: 'stock',
      quantity: (BigInt(moved) * unit) as Quantity,
      amount: centsToMoney(BigInt(cents) as Cents),
      fee: centsToMoney(BigInt(fee) as Cents),
    };
  });
}

/** Returns the ids of sales with a difference if each sale states its computed gain changed by `stated`. */
function differingIn(rows: readonly Transaction[], stated: (gain: Money, row: Transaction) => Money): string[] {
  const { facts } = replay(emptyBook(), rows, defaultRules, new Set([toAssetKey('KO', 'stock')]), {});
  const own = pickSaleFacts(facts);
  const sales: StatedSale[] = rows.flatMap((row) => {
    if (row.type !== 'sell') return [];
    const lines = own.disposals.filter(({ saleId }) => saleId === row.id);
    const cents = lines.reduce((sum, { proceeds, basis }) => sum + proceeds - basis, 0n);
    return { ...row, statedGain: stated(centsToMoney(cents as Cents), row) };
  });
  return differingSales(sales, own, new Map(rows.map((row) => [row.id, row]))).map(({ sale }) => sale.id);
}

/** More than the tolerance of every sale here: a dollar, or one cent for the sale and each of its lots. */
const aDollar = centsToMoney(100n as Cents);

test('a stated gain matches its lines with or without wash sales and fees', () => {
  fc.assert(
    fc.property(
      fc.array(step(900, 1), { minLength: 2, maxLength: 25 }),
      fc.boolean(),
      fc.bigInt({ min: -1n, max: 1n }),
      (steps, isBeforeFee, off) => {
        const rows = historyOf(steps);
        const stated = (gain: Money, { fee }: Transaction) => gain + (isBeforeFee ? (fee ?? 0n) : 0n) + off * aCent;
        expect(differingIn(rows, (gain, row) => stated(gain, row) as Money)).toEqual([]);
      },
    ),
    { numRuns: draws(50, 200) },
  );
});

const aCent = centsToMoney(1n as Cents);

test('if any stated gain changes by more than the tolerance, an issue names only its sale', () => {
  fc.assert(
    fc.property(
      // Without fees and outside a wash sale window, there is only one possible gain.
      fc.array(step(0, 31), { minLength: 2, maxLength: 25 }),
      fc.nat(),
      fc.bigInt({ min: 1n, max: 10n ** 9n }),
      fc.boolean(),
      (steps, choice, more, isLess) => {
        const rows = historyOf(steps);
        const sales = rows.filter(({ type }) => type === 'sell');
        const changed = sales[choice % Math.max(1, sales.length)];
        fc.pre(changed !== undefined);
        const change = (aDollar + more) * (isLess ? -1n : 1n);
        const stated = (gain: Money, { id }: Transaction) => (id === changed?.id ? gain + change : gain) as Money;
        expect(differingIn(rows, stated)).toEqual([changed?.id ?? '']);
      },
    ),
    { numRuns: draws(50, 200) },
  );
});

test('a change that exceeds all fees and losses is also found with wash sales', () => {
  fc.assert(
    fc.property(
      fc.array(step(900, 1), { minLength: 2, maxLength: 25 }),
      fc.nat(),
      fc.boolean(),
      (steps, choice, isLess) => {
        const rows = historyOf(steps);
        const sales = rows.filter(({ type }) => type === 'sell');
        const changed = sales[choice % Math.max(1, sales.length)];
        fc.pre(changed !== undefined);
        const change = centsToMoney(1_000_000_000n as Cents) * (isLess ? -1n : 1n);
        const stated = (gain: Money, { id }: Transaction) => (id === changed?.id ? gain + change : gain) as Money;
        expect(differingIn(rows, stated)).toEqual([changed?.id ?? '']);
      },
    ),
    { numRuns: draws(50, 200) },
  );
});

test('a difference of cents is found if the row states cents', () => {
  const rows = historyOf([
    { isSale: false, units: 10, cents: 50_010, fee: 0, days: 40 },
    { isSale: true, units: 10, cents: 60_035, fee: 0, days: 40 },
  ]);
  const plus = (cents: bigint) => differingIn(rows, (gain) => (gain + cents * aCent) as Money);
  expect([plus(2n), plus(-2n), plus(3n), plus(-3n), plus(60n)]).toEqual([[], [], ['t1'], ['t1'], ['t1']]);
});
