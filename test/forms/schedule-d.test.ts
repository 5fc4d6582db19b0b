import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Cents, formatCents, type Money, parseMoney } from '../../src/base/decimal.ts';
import type { Contract1256 } from '../../src/engine/model.ts';
import { summarize } from '../../src/engine/rules/year/year.ts';
import { boxOrder, formRows } from '../../src/forms/lines.ts';
import { eachPage } from '../../src/forms/pages.ts';
import type { FilingStatus } from '../../src/forms/report.ts';
import { scheduleD } from '../../src/forms/schedule-d/schedule-d.ts';
import { carryoverWorksheet } from '../../src/forms/schedule-d/worksheets.ts';
import { draws } from '../support/depth.ts';
import { seedFor } from '../support/seed.ts';
import { books, cents, day, line, summaryOf } from './books.ts';
import { golden } from './shared.ts';

const seed = seedFor('schedule-d forms properties');

describe('capital loss carryover worksheet', () => {
  for (const id of ['fm13', 'fm15', 'fm16']) {
    test(id, () => {
      const worked = golden(id);
      if (worked === undefined) return;
      const [facts = {}] = worked.transactions;
      const [line7, line15] = [cents(String(facts.line7)), cents(String(facts.line15))];
      const result = carryoverWorksheet({
        line7,
        line15,
        taxableIncome: cents(String(facts.taxable_income)),
        filingStatus: String(facts.filing_status).toLowerCase() as FilingStatus,
      });
      expect({
        line16: formatCents((line7 + line15) as Cents),
        line21: formatCents(result.deductible),
        st_carryover: formatCents(result.short),
        lt_carryover: formatCents(result.long),
      }).toEqual(worked.expected.summary as Record<'line16' | 'line21' | 'st_carryover' | 'lt_carryover', string>);
    });
  }

  test('its lines follow the worksheet', () => {
    const amount = fc.bigInt(-2_000_000n, 2_000_000n);
    fc.assert(
      fc.property(
        amount,
        amount,
        fc.option(amount),
        fc.constantFrom('single', 'mfs'),
        (line7, line15, income, status) => {
          const { lines: l } = carryoverWorksheet({
            line7: line7 as Cents,
            line15: line15 as Cents,
            taxableIncome: income as Cents | null,
            filingStatus: status as FilingStatus,
          });
          const floor = (value: bigint): bigint => (value < 0n ? 0n : value);
          if (line7 < 0n) expect<bigint>(l[8]).toBe(floor(l[5] - l[7]));
          else expect<bigint>(l[8]).toBe(0n);
          if (line15 < 0n) expect<bigint>(l[13]).toBe(floor(l[9] - l[12]));
          else expect<bigint>(l[13]).toBe(0n);
        },
      ),
      { seed, numRuns: draws(100, 500) },
    );
  });
});

describe('section 1256 contracts', () => {
  for (const [id, years] of [
    ['fu01', { 2024: '7000', 2025: '-1000' }],
    ['fu02', { 2025: '-4000' }],
  ] as const) {
    test(`${id}: 40% goes to line 4 and 60% to line 11, and nothing to Form 8949`, () => {
      const worked = golden(id);
      if (worked === undefined) return;
      for (const [year, gain] of Object.entries(years)) {
        const summary = summarize(Number(year), {
          disposals: [],
          washes: [],
          incomes: [],
          contracts: [contract(gain)],
          issues: [],
        });
        const { lines, rows } = scheduleD(books(Number(year), [], { summary }));
        expect([lines['4'], lines['11']].map(formatCents)).toEqual(
          [worked.expected.summary[`${year}_st_40`], worked.expected.summary[`${year}_lt_60`]].map(String),
        );
        expect(rows.every((row) => row.count === 0)).toBe(true);
      }
    });
  }
});

describe('Schedule D', () => {
  test('shows each pair of boxes on its line', () => {
    const { rows } = scheduleD(
      books(
        2025,
        boxOrder.map((box, index) => line({ box, proceeds: String(1000 + index) })),
      ),
    );
    const fed = rows.filter((row) => row.count > 0);
    expect(fed.map((row) => [row.id, formatCents(row.proceeds)])).toEqual([
      ['1b', '2003.00'],
      ['2', '2005.00'],
      ['3', '2007.00'],
      ['8b', '2015.00'],
      ['9', '2017.00'],
      ['10', '2019.00'],
    ]);
  });

  test('adds carryovers, distributions and contracts to the lines', () => {
    const lines = [line({ box: 'A' }), line({ box: 'D', proceeds: '500', basis: '900' })];
    const summary = {
      ...summaryOf(2025, lines),
      income: [{ type: 'capital_gain_distribution' as const, amount: parseMoney('88.005') as Money, count: 1 }],
      contracts1256: { gain: cents('1000'), short: cents('400'), long: cents('600'), count: 1 },
    };
    const carryoverIn = { short: cents('5000'), long: cents('50') };
    const schedule = scheduleD(books(2025, lines, { summary, carryoverIn }));
    const shown = Object.fromEntries(Object.entries(schedule.lines).map(([id, amount]) => [id, formatCents(amount)]));
    expect(shown).toEqual({
      '4': '400.00',
      '6': '-5000.00',
      '7': '-4500.00',
      '11': '600.00',
      '13': '88.01',
      '14': '-50.00',
      '15': '238.01',
      '16': '-4261.99',
      '18': '0.00',
      '21': '3000.00',
    });
    expect([schedule.carryover.short, schedule.carryover.long].map(formatCents)).toEqual(['1261.99', '0.00']);
  });

  test('shows collectibles on line 18 if lines 15 and 16 are gains', () => {
    const lines = [
      line({ box: 'F', code: 'C', proceeds: '2000', basis: '500' }),
      line({ box: 'C', proceeds: '1', basis: '101' }),
    ];
    expect(formatCents(scheduleD(books(2025, lines)).lines['18'])).toBe('1400.00');
  });

  test('shows rows that need no Form 8949 on lines 1a and 8a if requested, and nothing else changes', () => {
    const lines = [
      line({ box: 'A' }),
      line({ box: 'A', code: 'W', adjustment: '5' }),
      line({ box: 'D' }),
      line({ box: 'C' }),
    ];
    const [listed, direct] = [
      scheduleD(books(2025, lines)),
      scheduleD(books(2025, lines, { choices: { exception1: true } })),
    ];
    expect(direct.rows.filter((row) => row.count > 0).map((row) => `${row.id}:${row.count}`)).toEqual([
      '1a:1',
      '8a:1',
      '1b:1',
      '3:1',
    ]);
    expect(direct.lines).toEqual(listed.lines);
  });

  test('agrees with pages, boxes and summary to the cent', () => {
    const amount = fc.bigInt(0n, 10n ** 12n).map((value) => formatCents(value as Cents));
    const words = fc.record({ box: fc.constantFrom(...boxOrder), proceeds: amount, basis: amount, adjustment: amount });
    fc.assert(
      fc.property(fc.array(words, { maxLength: 60 }), fc.constantFrom(2024, 2025), (rows, year) => {
        const lines = rows.map((one) => line({ ...one, code: 'W' }));
        const summary = summarize(year, {
          disposals: lines.map((one) => ({ ...one.disposal, code: one.code, adjustment: one.adjustment })),
          washes: [],
          incomes: [],
          contracts: [],
          issues: [],
        });
        const pages = [...eachPage(formRows(lines), year)];
        const schedule = scheduleD(books(year, lines, { summary }));
        for (const box of boxOrder) {
          const ofPages = pages.filter((page) => page.box === box).reduce((sum, page) => sum + page.totals.gain, 0n);
          expect<bigint>(ofPages).toBe(summary.boxes.find((one) => one.box === box)?.gain ?? 0n);
        }
        const ofRows = schedule.rows.reduce((sum, row) => sum + row.gain, 0n);
        expect<bigint>(ofRows).toBe(summary.total.gain);
        expect(schedule.lines['7']).toBe(summary.shortTerm.gain);
        expect(schedule.lines['15']).toBe(summary.longTerm.gain);
      }),
      { seed, numRuns: draws(50, 200) },
    );
  });
});

function contract(gain: string): Contract1256 {
  const on = day('2025-12-31');
  return {
    kind: 'contract_1256',
    causedOn: on,
    id: 'f2/0',
    transactionId: 'f2',
    on,
    asset: 'RFC',
    account: 'BRK1',
    gain: cents(gain),
  };
}
