import { describe, expect, test } from 'bun:test';
import { type Day, formatDay, parseDay } from '../../src/base/day.ts';
import { parseMoney } from '../../src/base/decimal.ts';
import type { AssetClass, Transaction, TransactionType } from '../../src/engine/model.ts';
import { unstatedMembers } from '../../src/engine/unstated-members.ts';
import { settlementAbroad } from '../../src/features/ledger/prices/foreign-settlement.ts';
import { listPriceNeeds } from '../../src/features/ledger/prices/price-needs.ts';

const day = (text: string): Day => parseDay(text) as Day;

describe('the settlement date of a trade on a foreign exchange', () => {
  test.each([
    ['EUR', '2024-01-10', '2024-01-12', 'two days later'],
    ['EUR', '2024-01-11', '2024-01-15', 'over a weekend'],
    ['EUR', '2024-12-23', '2024-12-27', 'over the closing days of TARGET at Christmas'],
    ['EUR', '2025-04-17', '2025-04-23', 'over Good Friday and Easter Monday'],
    ['EUR', '2014-10-03', '2014-10-08', 'three days later before October 6, 2014'],
    ['EUR', '2014-10-06', '2014-10-08', 'two days later from October 6, 2014'],
    ['GBP', '2027-10-08', '2027-10-12', 'two days later before October 11, 2027'],
    ['CHF', '2027-10-11', '2027-10-12', 'one day later from October 11, 2027'],
    ['CAD', '2024-05-24', '2024-05-28', 'two days later in Canada before May 27, 2024'],
    ['CAD', '2024-05-27', '2024-05-28', 'one day later in Canada from May 27, 2024'],
    ['MXN', '2024-05-31', '2024-06-03', 'one day later in Mexico, over a weekend'],
    ['JPY', '2019-07-12', '2019-07-17', 'three days later in Japan before July 16, 2019'],
    ['JPY', '2024-07-16', '2024-07-18', 'two days later in Japan'],
    ['INR', '2024-03-04', '2024-03-05', 'one day later in India'],
    ['HKD', '2024-03-04', '2024-03-06', 'two days later where the table has no row'],
  ])('%s of %s on %s: %s', (currency, traded, settled) => {
    expect(formatDay(settlementAbroad(currency, day(traded)))).toBe(settled);
  });
});

function rowOf(type: TransactionType, assetClass: AssetClass, members: Partial<Transaction> = {}): Transaction {
  const amount = parseMoney('1000') ?? null;
  return {
    ...unstatedMembers,
    id: 'r1',
    line: 1,
    at: null,
    on: day('2024-01-10'),
    type,
    account: 'DE',
    asset: 'SAP',
    amount,
    currency: 'EUR',
    ...members,
    assetClass,
  };
}

const daysNeeded = (tx: Transaction): string[] =>
  listPriceNeeds(tx).map(({ figure, day: on }) => `${figure} ${formatDay(on)}`);

describe('the day of the exchange rate for a row in euros', () => {
  test.each<[TransactionType, AssetClass, string]>([
    ['buy', 'stock', '2024-01-12'],
    ['sell', 'stock', '2024-01-12'],
    ['sell', 'fund', '2024-01-12'],
    ['buy', 'bond', '2024-01-12'],
    ['short_sell', 'stock', '2024-01-12'],
    ['cover', 'stock', '2024-01-12'],
    ['reported_sale', 'stock', '2024-01-12'],
    ['buy', 'crypto', '2024-01-10'],
    ['sell', 'crypto', '2024-01-10'],
    ['dividend', 'stock', '2024-01-10'],
    ['reinvest', 'stock', '2024-01-10'],
    ['interest', 'bond', '2024-01-10'],
    ['withholding', 'stock', '2024-01-10'],
    ['sell_to_close', 'option', '2024-01-10'],
  ])('a %s of class %s: %s', (type, assetClass, expected) => {
    expect(daysNeeded(rowOf(type, assetClass))).toEqual([`currency ${expected}`]);
  });

  test('is the settlement of the purchase for the basis of an opening lot, and the transaction day for a coin', () => {
    const members = { amount: null, basis: parseMoney('900') ?? null, acquired: day('2023-06-01') };
    expect(daysNeeded(rowOf('opening_lot', 'stock', members))).toEqual(['basis 2023-06-05']);
    expect(daysNeeded(rowOf('opening_lot', 'crypto', members))).toEqual(['basis 2023-06-01']);
  });
});
