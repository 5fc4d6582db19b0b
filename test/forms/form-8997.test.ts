import { describe, expect, test } from 'bun:test';
import { formatDay } from '../../src/base/day.ts';
import { formatCents } from '../../src/base/decimal.ts';
import { assetKeyOf } from '../../src/engine/events/keys.ts';
import type { Disposal, Line } from '../../src/engine/model.ts';
import { emptyBook, replay } from '../../src/engine/replay.ts';
import { linesOf } from '../../src/engine/rules/year/year.ts';
import { form8997Csv } from '../../src/forms/exports/form-8997.ts';
import { form8997 } from '../../src/forms/form-8997.ts';
import { cellsOf, formRows } from '../../src/forms/lines.ts';
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

function disposalsUntil(year: number): Disposal[] {
  const rows = readTransactions(csv);
  const keys = ['12-3456789', '98-7654321'].map((asset) => new Set([assetKeyOf(asset, 'stock')]));
  const facts = keys.flatMap((own) => replay(emptyBook(), rows, defaultRules, own, {}).facts);
  const disposals = facts.filter((fact) => fact.kind === 'disposal');
  return disposals.filter(({ on }) => formatDay(on) <= `${year}-12-31`).sort((a, b) => a.on - b.on);
}

function linesIn(year: number): Line[] {
  return linesOf(
    disposalsUntil(year).filter(({ on }) => formatDay(on) >= `${year}-01-01`),
    [],
  );
}

describe('Form 8997', () => {
  const rowsIn = (year: number): string[] =>
    form8997(
      year,
      disposalsUntil(year).filter(({ code }) => /[YZ]/.test(code)),
    ).map(
      ({ part, fund, invested, term, deferred, included }) =>
        `${part} ${fund} ${formatDay(invested)} ${term} ${formatCents(deferred)}${included === null ? '' : ` ${formatCents(included)}`}`,
    );

  test('lists what is held at the beginning and the end, what came and what was included', () => {
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
      'III 12-3456789 2023-03-01 long 6700.01 6700.01',
      'III 98-7654321 2024-05-02 short 500.00 400.00',
    ]);
    expect(rowsIn(2027)).toEqual([]);
  });

  test('is a CSV with the gains by their term', () => {
    const deferrals = disposalsUntil(2026).filter(({ code }) => /[YZ]/.test(code));
    const [bytes] = form8997Csv.render(books(2026, [], { deferrals })) as Iterable<Uint8Array>;
    expect(new TextDecoder().decode(bytes).split('\r\n')).toEqual([
      'Part,Fund,Account,Date Invested,Date Included,Short-Term Gain Deferred,Long-Term Gain Deferred,Gain Included',
      'I,12-3456789,Fund,03/01/2023,,,6700.01,',
      'I,98-7654321,Fund,05/02/2024,,500.00,,',
      'III,12-3456789,Fund,03/01/2023,12/31/2026,,6700.01,6700.01',
      'III,98-7654321,Fund,05/02/2024,12/31/2026,500.00,,400.00',
      '',
    ]);
  });
});

test('Schedule D says that an interest was disposed of, and that an inclusion at the end of 2026 is none', () => {
  expect([2022, 2023, 2024, 2025, 2026].map((year) => scheduleD(books(year, linesIn(year))).fundsDisposed)).toEqual([
    null,
    false,
    false,
    true,
    false,
  ]);
});

test('the row of a deferral has no date and no amount of a sale, that of an inclusion has the day', () => {
  const cells = (year: number): string[] => formRows(linesIn(year)).map((row) => cellsOf(row, false).join('|'));
  expect(cells(2023)).toEqual(['12-3456789|03/01/2023||||Z|(10,000.01)|(10,000.01)']);
  expect(cells(2026)).toEqual([
    '98-7654321|05/02/2024|12/31/2026|||Y|400.00|400.00',
    '12-3456789|03/01/2023|12/31/2026|||Y|6,700.01|6,700.01',
  ]);
});
