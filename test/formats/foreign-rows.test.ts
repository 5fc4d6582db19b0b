import { expect, test } from 'bun:test';
import { Refusal } from '../../src/base/refusal.ts';
import { readWhole } from './reading.ts';

/** A known header above the rows of another source. */

const header = 'date,type,asset,quantity,amount';
const rows = (count: number, row = '03.04.2025 10:00,Kauf,BTC,0.5,30000'): string =>
  [header, ...Array.from({ length: count }, () => row)].join('\n');

async function readRefusal(file: string): Promise<Refusal | undefined> {
  try {
    await readWhole(file);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

test('27 of 27 rows that would be rejected raise a question, and a mapping is proposed', async () => {
  const refusal = await readRefusal(rows(27));
  expect(refusal?.code).toBe('unknown_format');
  expect(refusal?.more.members?.proposal).toBeDefined();
  expect(refusal?.more.errors?.[0]).toMatchObject({ line: 2, code: 'unknown_type' });
});

test('one readable row, few rows, or a named format keep the format that matches the header', async () => {
  expect(await readRefusal(rows(4))).toBeUndefined();
  expect(await readRefusal(`${rows(27)}\n2025-04-03,buy,BTC,0.5,30000`)).toBeUndefined();
  expect((await readWhole(rows(27), { format: 'lotbook' })).end.rejected).toBe(27);
});

test('rows that are understood but incomplete are kept', async () => {
  expect((await readWhole(rows(27, '2025-04-03,buy,BTC,,30000'))).end.rejected).toBe(27);
});

test('the next matching format is tried before a mapping is proposed', async () => {
  const columns = 'date,type,asset,symbol,currency,quantity,price,total,fee,notes,amount';
  const own = '2025-04-03,staking,BTC,,USD,0.5,,,,,30000';
  const file = [columns, ...Array.from({ length: 6 }, () => own)].join('\n');
  const read = await readWhole(file);
  expect({ format: read.format, rejected: read.end.rejected }).toEqual({ format: 'lotbook', rejected: 0 });
  // The first match has more of the columns.
  expect((await readWhole(file, { format: 'uk-101' })).end.rejected).toBe(6);
  expect((await readWhole([columns, own].join('\n'))).format).toBe('uk-101');
});
