import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mapping } from '../../src/formats/mapping/mapping.ts';
import { outcomeLines } from './outcome-lines.ts';
import { readWhole } from './reading.ts';

/** The sign of income has a meaning: a reversal or repayment is negative. */

const mapping: Mapping = {
  columns: { Date: 'date', Type: 'type', Symbol: 'asset', Units: 'quantity', Amount: 'amount' },
};
const readLines = async (...rows: readonly string[]): Promise<string[]> =>
  outcomeLines(await readWhole(['Date,Type,Symbol,Units,Amount', ...rows].join('\n'), { mapping }), 'Imported');

describe('in a mapped file', () => {
  test('a dividend of −0.05 is a reversal', async () => {
    expect(await readLines('2025-03-03,Dividend,KO,,0.46', '2025-03-04,Dividend,KO,,-0.05')).toEqual([
      '2 2025-03-03 dividend KO amount=0.46',
      '3 2025-03-04 dividend KO amount=-0.05',
    ]);
  });

  test('parentheses are a minus sign', async () => {
    expect(await readLines('2025-03-04,Dividend,KO,,(0.05)')).toEqual(['2 2025-03-04 dividend KO amount=-0.05']);
  });

  test('a withholding of +0.37 among negative withholdings is a refund', async () => {
    const rows = ['2025-03-03,Withholding tax,KO,,-0.37', '2025-03-05,Withholding tax,KO,,-0.40'];
    expect(await readLines('2025-03-02,Withholding tax,KO,,0.37', ...rows)).toEqual([
      '2 2025-03-02 withholding KO amount=-0.37',
      '3 2025-03-03 withholding KO amount=0.37',
      '4 2025-03-05 withholding KO amount=0.40',
    ]);
  });

  test('a withholding of −0.37 among positive withholdings is a refund', async () => {
    const rows = ['2025-03-03,Withholding tax,KO,,0.37', '2025-03-05,Withholding tax,KO,,0.40'];
    expect(await readLines(...rows, '2025-03-06,Withholding tax,KO,,-0.37')).toEqual([
      '2 2025-03-03 withholding KO amount=0.37',
      '3 2025-03-05 withholding KO amount=0.40',
      '4 2025-03-06 withholding KO amount=-0.37',
    ]);
  });

  test('equal numbers of both signs, or only positive ones with negative purchases, raise a question', async () => {
    expect(await readLines('2025-03-03,Withholding tax,KO,,0.37', '2025-03-05,Withholding tax,KO,,-0.40')).toEqual([
      '2 REJECTED Amount: ambiguous_sign',
      '3 REJECTED Amount: ambiguous_sign',
    ]);
    expect(await readLines('2025-03-03,Buy,KO,1,-60.00', '2025-03-05,Withholding tax,KO,,0.40')).toEqual([
      '2 2025-03-03 buy KO quantity=1 amount=60.00',
      '3 REJECTED Amount: ambiguous_sign',
    ]);
  });

  test('negative interest is interest charged', async () => {
    const { end } = await readWhole('Date,Type,Symbol,Units,Amount\n2025-03-03,Interest,,,-7.10\n', { mapping });
    expect({ skipped: end.skipped, drafts: end.drafts }).toEqual({ skipped: 1, drafts: 0 });
  });

  test('outgoing units as income raise a question', async () => {
    expect(await readLines('2025-03-03,Staking reward,ETH,-0.5,')).toEqual(['2 REJECTED Units: negative']);
  });
});

/** Coin formats with income in their fixture, the line of that income, and the cell with its units. */
const earned: readonly (readonly [format: string, line: number, cell: string])[] = [
  ['coinbase', 11, '0.0004'],
  ['koinly', 4, '0.5'],
  ['cointracker', 4, '0.5'],
  ['bitvavo', 7, '1.5'],
  ['bitmex', 5, '5000'],
  ['cexio', 13, '3.00'],
  ['voyager', 4, '0.0005'],
  ['gemini', 7, '0.001 BTC'],
];
test.each(earned)('%s: line %i with a minus in front of %s is not income', async (format, line, cell) => {
  const fixture = readFileSync(join(import.meta.dir, '../fixtures/formats', `${format}.csv`), 'utf8');
  const lines = fixture.split('\n');
  const changed = lines.with(line - 1, (lines[line - 1] ?? '').replace(cell, `-${cell}`)).join('\n');
  expect(changed).not.toBe(fixture);
  const outcome = (await readWhole(changed)).outcomes.find(({ lines: own }) => own.includes(line));
  expect(outcome?.kind === 'rejected' ? outcome.issue.code : outcome?.kind).toBe('negative');
});

test('Trading 212: refunded withholding is negative', async () => {
  const fixture = readFileSync(join(import.meta.dir, '../fixtures/formats/trading212.csv'), 'utf8');
  const lines = fixture.split('\n');
  const changed = lines.with(4, (lines[4] ?? '').replace('0.15', '-0.15').replace('0.66', '-0.66')).join('\n');
  const { drafts } = await readWhole(changed);
  const own = drafts.filter((draft) => draft.line === 5).map(({ type, amount }) => [type, amount]);
  expect(own).toEqual([
    ['dividend', -66_000_000n],
    ['dividend', -15_000_000n],
    ['withholding', -15_000_000n],
  ] as never);
});
