import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Cents } from '../../src/base/decimal.ts';
import {
  computeGainTax,
  findGainBrackets,
  firstRatesYear,
  getInvestmentThreshold,
  lastRatesYear,
} from '../../src/features/gains/planning/gain-tax.ts';
import { filingStatuses } from '../../src/forms/report.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { csvOf, elect, importCsv } from '../support/books.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const years = [2018, 2019, 2020, 2021, 2022, 2023, 2024, 2025, 2026];
const dollars = (amount: number): Cents => BigInt(amount * 100) as Cents;

function readGainTax(other: number, preferred: number, ordinary = 0, year = 2026, status: 'single' | 'mfj' = 'single') {
  const brackets = findGainBrackets(year, status);
  if (brackets === undefined) throw new Error('The year has no rates.');
  const gains = { preferred: dollars(preferred), ordinary: dollars(ordinary), deducted: 0n };
  const { tax, investmentTax } = computeGainTax(gains, dollars(other), brackets, getInvestmentThreshold(status));
  return [Number(tax) / 100, Number(investmentTax) / 100];
}

describe('the rates on net capital gain', () => {
  test('are in the table for every status from 2018 to 2026, and for no earlier year', () => {
    for (const year of years) {
      for (const status of filingStatuses) {
        const { zeroMax = 0n, fifteenMax = 0n } = findGainBrackets(year, status) ?? {};
        expect([year, status, zeroMax > 0n, fifteenMax > zeroMax]).toEqual([year, status, true, true]);
      }
      expect(findGainBrackets(year, 'mfs')?.zeroMax).toBe(findGainBrackets(year, 'single')?.zeroMax as Cents);
      expect(findGainBrackets(year, 'qss')?.fifteenMax).toBe(findGainBrackets(year, 'mfj')?.fifteenMax as Cents);
    }
    expect([firstRatesYear, lastRatesYear]).toEqual([2018, 2026]);
    expect(findGainBrackets(2017, 'single')).toBeUndefined();
  });

  test('are the latest ones for a year without published figures, with the year that they are from', () => {
    for (const status of filingStatuses) {
      const latest = findGainBrackets(lastRatesYear, status);
      expect(latest?.ratesYear).toBe(lastRatesYear);
      for (const year of [lastRatesYear + 1, lastRatesYear + 5]) expect(findGainBrackets(year, status)).toEqual(latest);
    }
  });

  test('have thresholds that rise each year by less than a tenth', () => {
    for (const status of filingStatuses) {
      for (const year of years.slice(1)) {
        const [before, now] = [findGainBrackets(year - 1, status), findGainBrackets(year, status)];
        for (const name of ['zeroMax', 'fifteenMax'] as const) {
          const growth = Number(now?.[name]) / Number(before?.[name]);
          expect([year, status, name, growth >= 1 && growth < 1.1]).toEqual([year, status, name, true]);
        }
      }
    }
  });

  test('match the instructions for Schedule D for 2025, and Rev. Proc. 2025-32 for 2026', () => {
    const of = (year: number) =>
      filingStatuses.map((status) => {
        const { zeroMax = 0n, fifteenMax = 0n } = findGainBrackets(year, status) ?? {};
        return `${status} ${zeroMax / 100n} ${fifteenMax / 100n}`;
      });
    expect(of(2025)).toEqual([
      'single 48350 533400',
      'mfj 96700 600050',
      'mfs 48350 300000',
      'hoh 64750 566700',
      'qss 96700 600050',
    ]);
    expect(of(2026)).toEqual([
      'single 49450 545500',
      'mfj 98900 613700',
      'mfs 49450 306850',
      'hoh 66200 579600',
      'qss 98900 613700',
    ]);
  });
});

describe('the tax on a gain', () => {
  // Calculated manually from IRC 1(h) and 1411.
  const cases = [
    ['is zero below the first threshold', readGainTax(20_000, 29_450), [0, 0]],
    ['is 15 cents for one dollar above it', readGainTax(20_000, 29_451), [0.15, 0]],
    ['is 15% of all if other income is above the threshold', readGainTax(60_000, 10_000), [1_500, 0]],
    ['is 20% above the second threshold', readGainTax(545_500, 10_000), [2_000, 380]],
    ['is split if it crosses all thresholds', readGainTax(0, 600_000), [74_407.5 + 10_900, 15_200]],
    ['includes 3.8% of the excess if that is less', readGainTax(195_000, 10_000), [1_500, 190]],
    ['includes 3.8% of the gain if that is less', readGainTax(300_000, 10_000), [1_500, 380]],
    ['counts short-term gains first', readGainTax(40_000, 10_000, 9_450), [1_500, 0]],
    ['has other thresholds for a joint return', readGainTax(90_000, 10_000, 0, 2026, 'mfj'), [165, 0]],
    ['is lower if other income is negative', readGainTax(-10_000, 60_000), [82.5, 0]],
  ] as const;
  test.each(cases)('%s', (_what, found, expected) => {
    expect(found).toEqual([...expected]);
  });
});

test('what-if returns the tax for a given amount of other income, and lists what it omits', async () => {
  const who = await app.register('PRO');
  await importCsv(who, csvOf('buy 2024-01-10 10 ACME @1000 #b1', 'sell 2026-02-10 5 ACME @5500 #s1'));
  const sale = { sales: [{ asset: 'ACME', quantity: '5', amount: '10500', date: '2026-06-01' }] };
  interface WhatIfTaxes {
    readonly taxes: readonly { readonly leftOut: string[]; readonly [name: string]: unknown }[];
  }
  const without = await who.json<WhatIfTaxes>('POST', '/v1/tax/what-if', { body: sale });
  expect(without.taxes).toEqual([]);
  await elect(who, { taxableIncome: { 2026: '55000' } });
  const { taxes } = await who.json<WhatIfTaxes>('POST', '/v1/tax/what-if', { body: sale });
  // $55,000 including a gain of $5,000 leaves $50,000 of other income, above the first threshold. A gain of $10,000
  // more is taxed at 15%.
  expect(taxes).toHaveLength(1);
  expect(taxes[0]).toMatchObject({
    year: 2026,
    otherIncome: '50000.00',
    ratesYear: 2026,
    note: null,
    change: '1500.00',
    ordinaryIncomeChange: '0.00',
  });
  expect(taxes[0]?.leftOut).toContain('state');
  expect(taxes[0]?.leftOut).toContain('amt');
  const harvest = await who.json<{ tax: { before: { tax: string } } }>('GET', '/v1/tax/harvest?year=2026');
  expect(harvest.tax.before.tax).toBe('750.00');
});

describe('the filing status of the year, not the default, applies to', () => {
  // Income of $90,000 including the gain of $20,000, and a loss of $8,000. The thresholds and the limit on losses
  // differ by status.
  const changes = { single: '3000.00', mfj: '1995.00', mfs: '3000.00', hoh: '3000.00', qss: '1995.00' } as const;
  const ordinaryChanges = {
    single: '-3000.00',
    mfj: '-3000.00',
    mfs: '-1500.00',
    hoh: '-3000.00',
    qss: '-3000.00',
  } as const;
  test.each(filingStatuses)('what-if and harvest: %s', async (status) => {
    const who = await app.register('PRO');
    await importCsv(
      who,
      csvOf('buy 2020-01-10 100 ACME @1000 #b1', 'buy 2025-01-10 10 DOWN @9000 #b2', 'interest 2025-05-01 @1'),
    );
    // The default differs from the status of the year.
    await elect(who, {
      filingStatus: status === 'mfs' ? 'single' : 'mfs',
      filingStatusByYear: { 2025: status },
      taxableIncome: { 2025: '90000' },
    });
    const readGainTax = async (sale: object): Promise<Record<string, string>> => {
      const body = { sales: [{ account: 'Broker', date: '2025-06-02', ...sale }] };
      const answer = await who.json<{ taxes: Record<string, string>[] }>('POST', '/v1/tax/what-if', { body });
      return answer.taxes[0] ?? {};
    };
    expect(await readGainTax({ asset: 'ACME', quantity: '100', amount: '21000' })).toMatchObject({
      filingStatus: status,
      change: changes[status],
    });
    expect(await readGainTax({ asset: 'DOWN', quantity: '10', amount: '1000' })).toMatchObject({
      ordinaryIncomeChange: ordinaryChanges[status],
    });
    const prices = { body: 'date,asset,usd\n2025-06-02,DOWN,100\n', headers: { 'content-type': 'text/csv' } };
    await who.json('POST', '/v1/prices', prices, 201);
    const harvest = await who.json<{ tax: object }>('GET', '/v1/tax/harvest?year=2025');
    expect(harvest.tax).toMatchObject({ filingStatus: status, ordinaryIncomeChange: ordinaryChanges[status] });
  });
});

test('what-if for a year without published rates uses the latest ones and adds a note', async () => {
  const who = await app.register('PRO');
  await importCsv(who, csvOf('buy 2024-01-10 10 ACME @1000 #b1'));
  await elect(who, { taxableIncome: { 2027: '60000' } });
  const sale = { sales: [{ asset: 'ACME', quantity: '5', amount: '3500', date: '2027-02-01' }] };
  const { taxes } = await who.json<{ taxes: readonly object[] }>('POST', '/v1/tax/what-if', { body: sale });
  // $60,000 is above the first 2026 threshold ($49,450), so $3,000 is taxed at 15%.
  expect(taxes).toEqual([
    expect.objectContaining({
      year: 2027,
      ratesYear: 2026,
      source: 'Rev. Proc. 2025-32',
      note: 'Lotbook does not have the tax brackets of 2027 yet. The tax is calculated with those of 2026.',
      change: '450.00',
    }),
  ]);
});
