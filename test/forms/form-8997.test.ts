import { describe, expect, test } from 'bun:test';
import { type Day, formatDay, lastDayOf, yearOf } from '../../src/base/day.ts';
import { formatCents, formatQuantity } from '../../src/base/decimal.ts';
import { fundInterests } from '../../src/engine/book/fund-interests.ts';
import { toAssetKey } from '../../src/engine/events/keys.ts';
import type { Disposal, Line, Rules } from '../../src/engine/model.ts';
import { emptyBook, replay } from '../../src/engine/replay.ts';
import { buildLines } from '../../src/engine/rules/year/year.ts';
import { form8997Csv } from '../../src/forms/exports/form-8997.ts';
import { form8997 } from '../../src/forms/form-8997.ts';
import { formatFormCells, formRows } from '../../src/forms/lines.ts';
import { lastYearCompared, lastYearOf8997Compared, previewNotice, previewOf8997 } from '../../src/forms/preview.ts';
import { scheduleD } from '../../src/forms/schedule-d/schedule-d.ts';
import { defaultRules, readTransactions } from '../support/golden.ts';
import { books } from './books.ts';

const csv = `date,type,account,asset,quantity,amount,acquired,term,fmv,asset_class
2023-03-01,defer_gain,Fund,12-3456789,100,10000.01,2023-02-01,long,,stock
2024-05-02,defer_gain,Fund,98-7654321,10,500,2024-05-01,short,,stock
2025-06-02,sell,Fund,12-3456789,33,2000,,,,stock
2026-12-31,mark,Fund,12-3456789,,,,,50000,stock
2026-12-31,mark,Fund,98-7654321,,,,,400,stock
`;

/** Returns the books of a year for Form 8997, each up to the end of the year. */
function fundBooks(year: number, history: string, rules: Rules = defaultRules) {
  const rows = readTransactions(history);
  const keys = [...new Set(rows.map(({ asset }) => asset))].map((asset) => new Set([toAssetKey(asset, 'stock')]));
  const through = Math.max(...rows.map(({ on }) => on)) as Day;
  const facts = keys.flatMap((own) => replay(emptyBook(), rows, rules, own, { through }).facts);
  const deferrals = facts
    .filter((fact) => fact.kind === 'disposal')
    .filter(({ code, on }) => /[YZ]/.test(code) && yearOf(on) <= year)
    .sort((a, b) => a.on - b.on);
  const until = rows.filter(({ on }) => yearOf(on) <= year);
  const end = Math.min(through, lastDayOf(year)) as Day;
  const interests = keys.flatMap((own) => fundInterests(replay(emptyBook(), until, rules, own, { through: end }).book));
  return { year, rules, deferrals, fundInterests: interests };
}

function disposalsUntil(year: number): Disposal[] {
  const rows = readTransactions(csv);
  const keys = ['12-3456789', '98-7654321'].map((asset) => new Set([toAssetKey(asset, 'stock')]));
  const facts = keys.flatMap((own) => replay(emptyBook(), rows, defaultRules, own, {}).facts);
  const disposals = facts.filter((fact) => fact.kind === 'disposal');
  return disposals.filter(({ on }) => formatDay(on) <= `${year}-12-31`).sort((a, b) => a.on - b.on);
}

function linesIn(year: number): Line[] {
  return buildLines(
    disposalsUntil(year).filter(({ on }) => formatDay(on) >= `${year}-01-01`),
    [],
  );
}

describe('Form 8997', () => {
  const rowsIn = (year: number): string[] =>
    form8997(fundBooks(year, csv)).map(
      ({ part, fund, invested, term, deferred, included }) =>
        `${part} ${fund} ${formatDay(invested)} ${term} ${formatCents(deferred)}${included === null ? '' : ` ${formatCents(included)}`}`,
    );

  test('lists holdings at the beginning and the end, investments and inclusions', () => {
    expect(rowsIn(2023)).toEqual(['II 12-3456789 2023-03-01 long 10000.01', 'IV 12-3456789 2023-03-01 long 10000.01']);
    expect(rowsIn(2025)).toEqual([
      'I 12-3456789 2023-03-01 long 10000.01',
      'I 98-7654321 2024-05-02 short 500.00',
      'III 12-3456789 2023-03-01 long 3300.00 2000.00',
      'IV 12-3456789 2023-03-01 long 6700.01',
      'IV 98-7654321 2024-05-02 short 500.00',
    ]);
    expect(rowsIn(2026)).toEqual([
      'I 12-3456789 2023-03-01 long 6700.01',
      'I 98-7654321 2024-05-02 short 500.00',
      'III B 12-3456789 2023-03-01 long 6700.01 6700.01',
      'III B 98-7654321 2024-05-02 short 500.00 400.00',
      'V 12-3456789 2023-03-01 long 0.00',
      'V 98-7654321 2024-05-02 short 0.00',
    ]);
    expect(rowsIn(2027)).toEqual(['V 12-3456789 2023-03-01 long 0.00', 'V 98-7654321 2024-05-02 short 0.00']);
  });

  const csvOf = (year: number): string[] => {
    const [bytes] = form8997Csv.render(books(year, [], fundBooks(year, csv))) as Iterable<Uint8Array>;
    return new TextDecoder().decode(bytes).split('\r\n');
  };

  test('is a CSV with the four parts and the gains by term for 2025', () => {
    expect(csvOf(2025)).toEqual([
      'Part,Fund,Account,Date Invested,Date Included,Short-Term Gain Deferred,Long-Term Gain Deferred,Gain Included',
      'I,12-3456789,Fund,03/01/2023,,,10000.01,',
      'I,98-7654321,Fund,05/02/2024,,500.00,,',
      'III,12-3456789,Fund,03/01/2023,06/02/2025,,3300.00,2000.00',
      'IV,12-3456789,Fund,03/01/2023,,,6700.01,',
      'IV,98-7654321,Fund,05/02/2024,,500.00,,',
      '',
    ]);
  });

  test('has Part III B with value and adjustment, Part V with basis, and a preview mark for 2026', () => {
    const notice = `"${previewOf8997(2026)}"`;
    expect(csvOf(2026)).toEqual([
      `Part,Fund,Account,Date Invested,Date Included,Short-Term Gain Deferred,Long-Term Gain Deferred,Gain Included,Units,Special Gain Code,Fair Market Value,Adjustment,Post-Deferral Basis,Event Code,${notice}`,
      'I,12-3456789,Fund,03/01/2023,,,6700.01,,67,,,,,,PREVIEW',
      'I,98-7654321,Fund,05/02/2024,,500.00,,,10,,,,,,PREVIEW',
      'III B,12-3456789,Fund,03/01/2023,12/31/2026,,6700.01,6700.01,67,,50000.00,0.00,,,PREVIEW',
      'III B,98-7654321,Fund,05/02/2024,12/31/2026,500.00,,400.00,10,,400.00,0.00,,,PREVIEW',
      'V,12-3456789,Fund,03/01/2023,,,,,67,,,,6700.01,,PREVIEW',
      'V,98-7654321,Fund,05/02/2024,,,,,10,,,,400.00,,PREVIEW',
      '',
    ]);
    expect(form8997Csv.fileName(books(2026, []))).toBe('form-8997-2026-preview.csv');
    expect(form8997Csv.fileName(books(2025, []))).toBe('form-8997-2025.csv');
    expect(form8997Csv.warnings?.(books(2026, []))).toHaveLength(2);
    expect(form8997Csv.warnings?.(books(2025, []))).toEqual([]);
  });

  /** Returns the parts of a year with the members that the 2026 form adds. */
  const addedIn = (year: number, history: string, rules = defaultRules): string[] =>
    form8997(fundBooks(year, history, rules)).map(({ part, fund, quantity, value, adjustment, included, basis }) =>
      [
        part,
        fund,
        formatQuantity(quantity),
        ...[value, adjustment, included, basis].map((one) => (one === null ? '-' : formatCents(one))),
      ].join(' '),
    );

  test('keeps an interest in Part V until it is sold, with the remaining part of its basis', () => {
    const later = `${csv}2027-03-01,sell,Fund,12-3456789,17,900,,,,stock\n2028-03-01,sell,Fund,12-3456789,50,900,,,,stock\n`;
    expect(addedIn(2027, later)).toEqual(['V 12-3456789 50 - - - 5000.01', 'V 98-7654321 10 - - - 400.00']);
    expect(addedIn(2028, later)).toEqual(['V 98-7654321 10 - - - 400.00']);
  });

  test('has the gain as basis in Part V without a value, whether or not rows reach 2027', () => {
    const header = csv.slice(0, csv.indexOf('\n') + 1);
    const invested = `${header}2021-06-01,defer_gain,Fund,OLD,100,10000,2021-05-03,long,,stock\n`;
    const expected = ['I OLD 100 - - - -', 'III B OLD 100 - -1000.00 9000.00 -', 'V OLD 100 - - - 10000.00'];
    expect(addedIn(2026, invested)).toEqual(expected);
    const reaching = `${invested}2027-02-01,buy,Fund,OLD,1,100,,,,stock\n`;
    expect(addedIn(2026, reaching)).toEqual(expected);
    expect(addedIn(2027, reaching)).toEqual(['V OLD 100 - - - 10000.00']);
    expect(addedIn(2027, invested)).toEqual(['V OLD 100 - - - 10000.00']);
  });

  test('has a sale in 2026 in Part III A, and the step-up after seven years as the adjustment of Part III B', () => {
    const header = csv.slice(0, csv.indexOf('\n') + 1);
    const history = `${header}2019-12-02,defer_gain,Fund,OLD,100,10000,2019-11-04,long,,stock
2026-05-01,sell,Fund,OLD,40,9000,,,,stock
2026-12-31,mark,Fund,OLD,,,,,5500,stock
`;
    expect(addedIn(2026, history)).toEqual([
      'I OLD 100 - - - -',
      'III A OLD 40 - - 3600.00 -',
      // The value, $5,500, is less than the gain, $6,000. 15 percent of the gain is never included.
      'III B OLD 60 5500.00 -900.00 4600.00 -',
      'V OLD 60 - - - 5500.00',
    ]);
  });

  test('defers investments from 2027 on in Part IV for five years, then lists them in Part V', () => {
    const header = csv.slice(0, csv.indexOf('\n') + 1);
    const history = `${header}2027-02-10,defer_gain,Fund,NEW,10,1000,2026-12-20,long,,stock
2032-02-10,mark,Fund,NEW,,,,,5000,stock
`;
    const rules = { ...defaultRules, assets: { NEW: { ruralFund: true } } };
    expect(addedIn(2026, history, rules)).toEqual([]);
    expect(addedIn(2027, history, rules)).toEqual(['II NEW 10 - - - -', 'IV NEW 10 - - - -']);
    expect(addedIn(2031, history, rules)).toEqual(['I NEW 10 - - - -', 'IV NEW 10 - - - -']);
    expect(addedIn(2032, history, rules)).toEqual([
      'I NEW 10 - - - -',
      'III B NEW 10 5000.00 -300.00 700.00 -',
      'V NEW 10 - - - 1000.00',
    ]);
  });

  test('lists no interest of a spouse who files separately', () => {
    const header = csv.slice(0, csv.indexOf('\n') + 1);
    const history = `${header}2024-03-01,defer_gain,Hers,OLD,100,10000,2024-02-01,long,,stock\n`;
    const separateReturns = { byYear: {}, otherwise: true };
    const rules = { ...defaultRules, accounts: { Hers: { type: 'spouse' } as const }, separateReturns };
    expect(addedIn(2026, history, rules)).toEqual([]);
  });
});

describe('a preview mark', () => {
  test('depends on its own constant, for Form 8949 and Schedule D and for Form 8997', () => {
    expect([lastYearCompared, lastYearOf8997Compared]).toEqual([2025, 2025]);
    expect([previewNotice(2025), previewOf8997(2025)]).toEqual(['', '']);
    expect(previewNotice(2026)).toContain('Preview, not for filing');
    expect(previewOf8997(2026)).toContain('Preview, not for filing');
    // Raising one constant removes its own mark for that year, and keeps the mark for the next year.
    expect([previewNotice(2026, 2026), previewOf8997(2026, 2026)]).toEqual(['', '']);
    expect(previewNotice(2027, 2026)).toContain('the 2026 forms with the year 2027');
    expect(previewOf8997(2027, 2026)).not.toBe('');
  });
});

test('Schedule D reports the disposal of an interest, but an inclusion at the end of 2026 is not a disposal', () => {
  expect([2022, 2023, 2024, 2025, 2026].map((year) => scheduleD(books(year, linesIn(year))).fundsDisposed)).toEqual([
    null,
    false,
    false,
    true,
    false,
  ]);
});

test('the row for a deferral has no date and no sale amount, and the row for an inclusion has its day', () => {
  const cells = (year: number): string[] => formRows(linesIn(year)).map((row) => formatFormCells(row, false).join('|'));
  expect(cells(2023)).toEqual(['12-3456789|03/01/2023||||Z|(10,000.01)|(10,000.01)']);
  expect(cells(2026)).toEqual([
    '98-7654321|05/02/2024|12/31/2026|||Y|400.00|400.00',
    '12-3456789|03/01/2023|12/31/2026|||Y|6,700.01|6,700.01',
  ]);
});
