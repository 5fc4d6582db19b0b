import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mapping } from '../../src/formats/mapping/mapping.ts';
import { readWhole } from './reading.ts';

/** Tests that money stated by the source takes precedence over price times units. */

const columns = { Date: 'date', Type: 'type', Symbol: 'asset', Qty: 'quantity', Price: 'price' } as const;
const readOne = async (more: Mapping['columns'], type: string, ...cells: readonly string[]) => {
  const header = ['Date', 'Type', 'Symbol', 'Qty', 'Price', ...Object.keys(more)].join(',');
  const file = `${header}\n2025-03-03,${type},KO,${cells.join(',')}\n`;
  const { drafts } = await readWhole(file, { mapping: { columns: { ...columns, ...more } } });
  const [draft] = drafts;
  return { amount: draft?.amount, fee: draft?.fee ?? null, note: draft?.note };
};
const cents = (dollars: number): bigint => BigInt(Math.round(dollars * 100)) * 1_000_000n;

describe('in a mapped file', () => {
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

  test('an amount that includes the stated fee is split', async () => {
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

  test('a total takes precedence over price times units', async () => {
    expect(await readOne({ Total: 'total', Fee: 'fee' }, 'sell', '10', '60', '595', '5')).toEqual({
      amount: cents(600),
      fee: cents(5),
      note: '',
    } as never);
  });

  test('a difference that no fee explains is a warning with its line, and the stated amount is kept', async () => {
    const { amount, fee, note } = await readOne({ Amount: 'amount' }, 'buy', '10', '60', '900');
    expect({ amount, fee } as unknown).toEqual({ amount: cents(900), fee: null });
    expect(note).toBe('Check line 2: the value in the file, 900.00, does not equal price times units, 600.00.');
    const less = await readOne({ Amount: 'amount' }, 'buy', '10', '60', '590');
    expect(less.amount as unknown).toBe(cents(590));
    expect(less.note).toStartWith('Check line 2');
  });

  test('a rounded price is not a difference', async () => {
    expect(await readOne({ Amount: 'amount' }, 'buy', '3', '33.33', '100')).toMatchObject({
      amount: cents(100) as never,
      note: '',
    });
  });

  test('if the row states no amount, the price counts', async () => {
    expect(await readOne({ Amount: 'amount' }, 'buy', '10', '60', '')).toMatchObject({ amount: cents(600) as never });
  });
});

describe('in a known format', () => {
  /** Returns the line with some cells changed. */
  const lineWith = async (format: string, line: number, ...changes: readonly (readonly [string, string])[]) => {
    const lines = readFileSync(join(import.meta.dir, `../fixtures/formats/${format}.csv`), 'utf8').split('\n');
    const changed = changes.reduce(
      (text, [from, to]) => {
        if (!text.includes(from)) throw new Error(`Line ${line} of ${format} has no ${from}.`);
        return text.replace(from, to);
      },
      lines[line - 1] ?? '',
    );
    const { drafts } = await readWhole(lines.with(line - 1, changed).join('\n'));
    const { type, amount, fee, warning = null } = drafts.find((draft) => draft.line === line) ?? {};
    return { type, amount, fee, warning } as unknown;
  };

  test('a trade of two coins has the stated dollar value', async () => {
    const kinesis = { type: 'trade', amount: cents(2400), fee: cents(5.28), warning: null };
    expect(await lineWith('kinesis', 5)).toEqual(kinesis);
    const sfox = { type: 'trade', amount: cents(140), fee: cents(0.35), warning: null };
    expect(await lineWith('sfox', 5)).toEqual(sfox);
  });

  test('dollars that are stated twice must be the same', async () => {
    const readWarning = async (format: string, line: number, from: string, to: string): Promise<string | null> =>
      ((await lineWith(format, line, [from, to])) as { warning: string | null }).warning;
    expect(await readWarning('kinesis', 2, '1.32,USD,600', '1.32,USD,700')).toContain(
      'the Trade_Value_in_USD, 700.00, does not equal the total',
    );
    expect(await readWarning('kinesis', 2, 'KAU,60,', 'KAU,90,')).toContain('does not equal price times units, 900.00');
    expect(await readWarning('sfox', 2, '3500,8.75', '3600,8.75')).toContain(
      'PrincipalAmountUSD, 3600.00, does not equal the amount',
    );
    expect(await readWarning('sfox', 2, '8.75,8.75', '8.75,9.75')).toContain(
      'the FeesUSD, 9.75, does not equal the fee, 8.75',
    );
    expect(await readWarning('sfox', 5, '0.01995', '0.01895')).toContain(
      'the Total, 0.01895, does not equal the amount with its fee',
    );
    expect(await readWarning('voyager', 3, 'BTC,USD,0.01,500', 'BTC,USD,0.01,700')).toContain(
      'does not equal price times units',
    );
  });

  test('the fee of a payment has the stated value', async () => {
    expect(await lineWith('helium', 4)).toEqual({ type: 'withdrawal', amount: null, fee: 3_640_000n, warning: null });
  });

  test('a fee on the line of an award or of its details is not dropped', async () => {
    const lines = readFileSync(join(import.meta.dir, '../fixtures/formats/schwab-awards.csv'), 'utf8').split('\n');
    const withCell = (line: number, fee: string): string =>
      lines.with(line - 1, (lines[line - 1] ?? '').replace(/^((?:"[^"]*",){5})"[^"]*"/, `$1"${fee}"`)).join('\n');
    const lapse = (await readWhole(withCell(2, '$4.00'))).outcomes.find((one) => one.lines.includes(2));
    expect(lapse?.kind === 'rejected' ? lapse.issue.code : lapse?.kind).toBe('money_left');
    const joined = (await readWhole(withCell(5, '$9.00'))).drafts.find(({ line }) => line === 4);
    expect(joined?.warning).toContain('the fee of the event, 0.15, does not match the fees of its details, 9.00');
  });

  test('money in a column that the type of a Lotbook row does not have raises a warning', async () => {
    const file = 'date,type,account,asset,quantity,amount,fmv,fee_quantity,to_account\n';
    const readWarning = async (row: string): Promise<string | undefined> =>
      (await readWhole(file + row)).drafts[0]?.warning;
    expect(await readWarning('2025-01-02,transfer,A,BTC,1,60000,,,B\n')).toBe(
      'Check line 2: a row of type transfer has no amount, so 60000 was ignored.',
    );
    expect(await readWarning('2025-01-02,buy,A,BTC,1,60000,61000,,\n')).toBe(
      'Check line 2: a row of type buy has no fmv, so 61000 was ignored.',
    );
    expect(await readWarning('2025-01-02,worthless,A,ZZ,1,,,0.1,\n')).toContain('has no fee_quantity');
    expect(await readWarning('2025-01-02,buy,A,BTC,1,60000,0.00,,B\n')).toBeUndefined();
  });
});
