import { describe, expect, test } from 'bun:test';
import type { AccountRules } from '../../src/engine/model.ts';
import { books, lineWords } from '../support/ledger.ts';

const broker: AccountRules = { type: 'taxable', form: '1099-B' };
const accounts = { A: broker, B: broker };

/** Formats lines such as `A 2024-06-03 …`, starting with the box. */
function boxedLines(text: string, rules: Parameters<typeof books>[1] = { accounts }): string[] {
  return books(text, rules).lines.map((line) => `${line.disposal.box} ${lineWords(line)}`);
}

const acrossAccounts = `
  buy 2024-01-02 100 X @1000 in A
  sell 2024-06-03 100 X @600 in A
  buy 2024-06-10 100 X @650 in B
`;

describe('a loss that was replaced in another account', () => {
  test("is missing in the basis that the replacement's broker reports: code B", () => {
    expect(boxedLines(`${acrossAccounts} sell 2024-09-10 100 X @1200 in B`)).toEqual([
      'A 2024-06-03 100 X: 600.00 - 1000.00 W 400.00 = 0.00 short',
      'A 2024-09-10 100 X: 1200.00 - 650.00 B -400.00 = 150.00 short',
    ]);
  });

  test('is also missing in its holding period: code T', () => {
    const sold = boxedLines(`${acrossAccounts} sell 2025-02-10 100 X @900 in B`);
    expect(sold[1]).toBe('D 2025-02-10 100 X: 900.00 - 650.00 BT -400.00 = -150.00 long');
  });

  test('leaves with the shares in parts, through a split, a rename and a spin-off', () => {
    const sold = boxedLines(`
      ${acrossAccounts}
      sell 2024-06-28 20 X @200 in B
      split 2024-07-01 X ratio 3:1
      rename 2024-07-02 X for Y
      spinoff 2024-07-03 Y for Z received 24 ratio 0.25
      sell 2024-09-10 60 Y @500 in B
      sell 2024-09-11 180 Y @800 in B
      sell 2024-09-12 24 Z @400 in B
    `);
    expect(sold.slice(1)).toEqual([
      'A 2024-06-28 20 X: 200.00 - 130.00 B -80.00 = -10.00 short',
      'A 2024-09-10 60 Y: 500.00 - 97.50 B -60.00 = 342.50 short',
      'A 2024-09-11 180 Y: 800.00 - 292.50 B -180.00 = 327.50 short',
      'A 2024-09-12 24 Z: 400.00 - 130.00 B -80.00 = 190.00 short',
    ]);
  });

  test('is included in the basis if the basis was not reported, or if there is no form', () => {
    const sold = `${acrossAccounts} sell 2024-09-10 100 X @1200 in B`;
    const notOnForm = { accounts: { A: broker, B: { ...broker, basisReported: false } } };
    expect(boxedLines(sold, notOnForm)[1]).toBe('B 2024-09-10 100 X: 1200.00 - 1050.00 = 150.00 short');
    expect(boxedLines(sold, {})[1]).toBe('C 2024-09-10 100 X: 1200.00 - 1050.00 = 150.00 short');
  });

  test('raises no issue if the form reports the sale without it', () => {
    const text = (basis: string): string => `
      ${acrossAccounts}
      sell 2024-09-10 100 X @1200 in B
      reported_sale 2024-09-10 100 X @1200 in B acquired 2024-06-10 basis ${basis} box A
    `;
    expect(boxedLines(text('650'))[1]).toBe('A 2024-09-10 100 X: 1200.00 - 650.00 B -400.00 = 150.00 short');
    expect(books(text('650'), { accounts }).issues).toEqual([]);
    // A broker that includes the loss anyway.
    expect(boxedLines(text('1050'))[1]).toBe('A 2024-09-10 100 X: 1200.00 - 1050.00 = 150.00 short');
    expect(books(text('1050'), { accounts }).issues).toEqual([]);
    expect(books(text('700'), { accounts }).issues.map(({ issue }) => issue)).toEqual(['unreconciled']);
  });

  test('is averaged with the other shares of a fund', () => {
    const sold = boxedLines(
      `
      buy 2024-01-02 100 F @1000 in A class fund
      sell 2024-06-03 100 F @600 in A class fund
      buy 2024-06-10 100 F @650 in B class fund
      buy 2024-08-10 100 F @750 in B class fund
      sell 2024-09-20 50 F @1200 in B class fund
      sell 2025-01-20 50 F @1200 in B class fund
    `,
      { accounts, method: 'AVERAGE', methodFrom: [{ year: 2025, method: 'LIFO' }] },
    );
    expect(sold.slice(1)).toEqual([
      'A 2024-09-20 50 F: 1200.00 - 350.00 B -100.00 = 750.00 short',
      // Each share keeps its average.
      'A 2025-01-20 50 F: 1200.00 - 350.00 B -100.00 = 750.00 short',
    ]);
  });
});

describe('a loss that was replaced in the same account', () => {
  test('is included in the basis that the broker reports', () => {
    const sold = boxedLines(`
      buy 2024-01-02 100 X @1000 in A
      sell 2024-06-03 100 X @600 in A
      buy 2024-06-10 100 X @650 in A
      sell 2024-09-10 100 X @1200 in A
    `);
    expect(sold[1]).toBe('A 2024-09-10 100 X: 1200.00 - 1050.00 = 150.00 short');
  });

  test('is included in that basis except for the part that the broker did not treat as a loss', () => {
    const again = (yielded: string, last = '2024-12-10'): string[] =>
      boxedLines(`
      ${acrossAccounts}
      sell 2024-09-10 100 X @${yielded} in B
      buy 2024-09-20 100 X @500 in B
      sell ${last} 100 X @2000 in B
    `).slice(1);
    // The loss was 550 under the law and 150 according to the form.
    expect(again('500')).toEqual([
      'A 2024-09-10 100 X: 500.00 - 650.00 BW 150.00 = 0.00 short',
      'A 2024-12-10 100 X: 2000.00 - 650.00 B -400.00 = 950.00 short',
    ]);
    // The form showed a gain of 50, which later purchases do not replace.
    expect(again('700')).toEqual([
      'A 2024-09-10 100 X: 700.00 - 650.00 BW -50.00 = 0.00 short',
      'A 2024-12-10 100 X: 2000.00 - 500.00 B -350.00 = 1150.00 short',
    ]);
    // The broker therefore either adds its period, too, or does not.
    expect(again('500', '2025-07-10')[1]).toBe('D 2025-07-10 100 X: 2000.00 - 650.00 B -400.00 = 950.00 long');
    expect(again('700', '2025-07-10')[1]).toBe('D 2025-07-10 100 X: 2000.00 - 500.00 BT -350.00 = 1150.00 long');
  });

  test('is not included if a call replaced the stock, or for the stock from that call', () => {
    const call = 'X 2024-12-20 C 5';
    const replaced = `
      buy 2024-01-02 100 X @1000 in A
      sell 2024-06-03 100 X @600 in A
      buy_to_open 2024-06-10 1 ${call} @50 in A
    `;
    expect(boxedLines(`${replaced} sell_to_close 2024-09-10 1 ${call} @500 in A`)[1]).toBe(
      `A 2024-09-10 1 ${call}: 500.00 - 50.00 B -400.00 = 50.00 short`,
    );
    const exercised = `${replaced} exercise 2024-09-10 1 ${call} @500 in A`;
    expect(boxedLines(`${exercised}\n sell 2024-12-10 100 X @2000 in A`)[1]).toBe(
      'A 2024-12-10 100 X: 2000.00 - 550.00 B -400.00 = 1050.00 short',
    );
  });
});

test('the loss on a short is not in the reported basis of the sale that denies it, whether before or after', () => {
  const held = 'buy 2023-01-02 100 X @300 in A';
  const short = 'short_sell 2024-05-03 100 X @1000 in A\n cover 2024-06-03 100 X @1400 in A';
  expect(boxedLines(`${held}\n ${short}\n sell 2024-06-20 100 X @900 in A`)).toEqual([
    'D 2024-06-03 100 X: 1000.00 - 1400.00 W 400.00 = 0.00 long',
    'D 2024-06-20 100 X: 900.00 - 300.00 B -400.00 = 200.00 long',
  ]);
  expect(boxedLines(`${held}\n ${short}\n sell 2024-05-20 100 X @900 in A`)).toContain(
    'D 2024-05-20 0 X: 0.00 - 0.00 B -400.00 = -400.00 long',
  );
});
