import { describe, expect, test } from 'bun:test';
import { books, lineWords } from '../support/ledger.ts';

// Pub. 550, "Mutual fund shares held 6 months or less"; IRC 852(b)(4)(A).
describe('a loss on fund shares with a capital gain distribution', () => {
  const paid = `
    buy 2025-01-10 100 FND @1000 class fund
    capital_gain_distribution 2025-03-03 FND @60 class fund
  `;

  test('is long-term up to the distribution, and the rest is short-term', () => {
    const { lines } = books(`${paid}\nsell 2025-06-02 100 FND @900 class fund`);
    expect(lines.map(lineWords)).toEqual([
      '2025-06-02 60 FND: 540.00 - 600.00 = -60.00 long',
      '2025-06-02 40 FND: 360.00 - 400.00 = -40.00 short',
    ]);
  });

  test('is entirely long-term if it does not exceed the distribution', () => {
    const { lines } = books(`${paid}\nsell 2025-06-02 50 FND @480 class fund`);
    expect(lines.map(lineWords)).toEqual(['2025-06-02 50 FND: 480.00 - 500.00 = -20.00 long']);
  });

  test.each([
    ['held exactly six months', '2025-07-10', ['long', 'short']],
    ['held a day longer', '2025-07-11', ['short']],
  ])('%s', (_, day, terms) => {
    const { lines } = books(`${paid}\nsell ${day} 100 FND @900 class fund`);
    expect(lines.map(({ disposal }) => disposal.term)).toEqual(terms as never);
  });

  test('is unaffected if there is a gain, or if the shares were bought later or are in another account', () => {
    const { lines } = books(`
      ${paid}
      buy 2025-04-01 100 FND @1000 in BRK2 class fund
      buy 2025-03-03 100 GND @1000 class fund
      capital_gain_distribution 2025-03-03 GND @60 class fund
      sell 2025-05-01 100 FND @1100 class fund
      sell 2025-05-01 100 FND @900 in BRK2 class fund
      sell 2025-05-01 100 GND @900 class fund
    `);
    expect(lines.map(({ disposal }) => disposal.term)).toEqual(['short', 'short', 'short']);
  });

  test('is split by share if several lots received the distribution, and a replacement can deny it', () => {
    const { lines } = books(`
      buy 2025-01-10 50 FND @500 class fund
      buy 2025-02-10 50 FND @550 class fund
      capital_gain_distribution 2025-03-03 FND @40 class fund
      sell 2025-06-02 100 FND @900 class fund
      buy 2025-06-10 100 FND @900 class fund
    `);
    expect(lines.map(lineWords)).toEqual([
      '2025-06-02 20 FND: 180.00 - 200.00 W 20.00 = 0.00 long',
      '2025-06-02 30 FND: 270.00 - 300.00 W 30.00 = 0.00 short',
      '2025-06-02 10 FND: 90.00 - 110.00 W 20.00 = 0.00 long',
      '2025-06-02 40 FND: 360.00 - 440.00 W 80.00 = 0.00 short',
    ]);
  });

  test('counts the distribution only on shares held before its day, not on shares bought on it', () => {
    const { lines } = books(`
      ${paid}
      buy 2025-03-03 100 FND @1000 class fund
      sell 2025-06-02 100 FND @900 class fund
    `);
    expect(lines.map(lineWords)).toEqual([
      '2025-06-02 60 FND: 540.00 - 600.00 = -60.00 long',
      '2025-06-02 40 FND: 360.00 - 400.00 = -40.00 short',
    ]);
  });

  test('keeps the distribution if the fund is renamed', () => {
    const { lines } = books(`
      ${paid}
      rename 2025-04-01 FND for GND class fund
      sell 2025-06-02 50 GND @480 class fund
    `);
    expect(lines.map(({ disposal }) => disposal.term)).toEqual(['long']);
  });

  test('counts the shares after a split', () => {
    const { lines } = books(`
      ${paid}
      split 2025-04-01 FND ratio 2:1 class fund
      sell 2025-06-02 200 FND @900 class fund
    `);
    expect(lines.map(lineWords)).toEqual([
      '2025-06-02 120 FND: 540.00 - 600.00 = -60.00 long',
      '2025-06-02 80 FND: 360.00 - 400.00 = -40.00 short',
    ]);
  });
});
