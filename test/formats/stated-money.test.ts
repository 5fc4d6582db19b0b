import { describe, expect, test } from 'bun:test';
import type { Mapping } from '../../src/formats/mapping/mapping.ts';
import { readWhole } from './reading.ts';

/** What the source states of its money goes before price times units. */

const columns = { Date: 'date', Type: 'type', Symbol: 'asset', Qty: 'quantity', Price: 'price' } as const;
const readOne = async (more: Mapping['columns'], type: string, ...cells: readonly string[]) => {
  const header = ['Date', 'Type', 'Symbol', 'Qty', 'Price', ...Object.keys(more)].join(',');
  const file = `${header}\n2025-03-03,${type},KO,${cells.join(',')}\n`;
  const { drafts } = await readWhole(file, { mapping: { columns: { ...columns, ...more } } });
  const [draft] = drafts;
  return { amount: draft?.amount, fee: draft?.fee ?? null, note: draft?.note };
};
const cents = (dollars: number): bigint => BigInt(Math.round(dollars * 100)) * 1_000_000n;

describe('in a file that is mapped', () => {
  test('an amount that is price times units is the value', async () => {
    expect(await readOne({ Amount: 'amount' }, 'buy', '10', '60', '600')).toEqual({
      amount: cents(600),
      fee: null,
      note: '',
    } as never);
  });

  test('a commission that only the amount shows is not lost', async () => {
    expect(await readOne({ Amount: 'amount' }, 'buy', '10', '60', '604.95')).toEqual({
      amount: cents(600),
      fee: cents(4.95),
      note: '',
    } as never);
    expect(await readOne({ Amount: 'amount' }, 'sell', '10', '60', '595.05')).toEqual({
      amount: cents(600),
      fee: cents(4.95),
      note: '',
    } as never);
  });

  test('an amount that holds the stated fee is taken apart', async () => {
    const more = { Amount: 'amount', Fee: 'fee' } as const;
    const held = { amount: cents(600), fee: cents(5), note: '' } as never;
    expect(await readOne(more, 'buy', '10', '60', '605', '5')).toEqual(held);
    expect(await readOne(more, 'sell', '10', '60', '595', '5')).toEqual(held);
    expect(await readOne(more, 'buy', '10', '60', '600', '5')).toEqual(held);
  });

  test('amount and total give the fee', async () => {
    const more = { Amount: 'amount', Total: 'total' } as const;
    const held = { amount: cents(600), fee: cents(5), note: '' } as never;
    expect(await readOne(more, 'buy', '10', '60', '600', '605')).toEqual(held);
    expect(await readOne(more, 'sell', '10', '60', '600', '595')).toEqual(held);
  });

  test('a total goes before price times units', async () => {
    expect(await readOne({ Total: 'total', Fee: 'fee' }, 'sell', '10', '60', '595', '5')).toEqual({
      amount: cents(600),
      fee: cents(5),
      note: '',
    } as never);
  });

  test('a difference that no fee explains is a warning with its line; what is stated stands', async () => {
    const { amount, fee, note } = await readOne({ Amount: 'amount' }, 'buy', '10', '60', '900');
    expect({ amount, fee } as unknown).toEqual({ amount: cents(900), fee: null });
    expect(note).toBe('Check line 2: the stated value, 900.00, is not price times units, 600.00.');
    const less = await readOne({ Amount: 'amount' }, 'buy', '10', '60', '590');
    expect(less.amount as unknown).toBe(cents(590));
    expect(less.note).toStartWith('Check line 2');
  });

  test('a rounded price is no difference', async () => {
    expect(await readOne({ Amount: 'amount' }, 'buy', '3', '33.33', '100')).toMatchObject({
      amount: cents(100) as never,
      note: '',
    });
  });

  test('where the row states no amount the price counts', async () => {
    expect(await readOne({ Amount: 'amount' }, 'buy', '10', '60', '')).toMatchObject({ amount: cents(600) as never });
  });
});
