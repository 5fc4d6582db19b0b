import { describe, expect, test } from 'bun:test';
import { parseQuestion, type Question } from '../../src/features/messages/question.ts';

const books = {
  thisYear: 2026,
  years: [2022, 2023, 2024, 2025],
  assets: ['AAPL', 'AAPL 2025-01-17 C 150', 'ALL', 'BRK.B', 'BTC', 'ETH', 'TSLA'],
};
const ask = (text: string, previous: string | null = null): Question => parseQuestion(text, books, previous);

test('one known word is not enough to recognize a question', () => {
  for (const text of ['please sing me a song', 'a song about my gains', 'my gains without TSLA', '']) {
    expect(ask(text)).toMatchObject({ subject: null, topic: null });
  }
  expect(ask('a song about my gains').notUnderstood).toEqual(['song', 'gain']);
});

test('a rule does not answer a question about an asset, and a fact does not answer a hypothetical question', () => {
  expect(ask('what is the price of BTC')).toMatchObject({ subject: null, topic: null });
  expect(ask('what would I gain if I sold 2 BTC at $100')).toMatchObject({ subject: 'whatIf' });
});

describe('the years in a question are recognized', () => {
  const cases: readonly (readonly [string, readonly number[]])[] = [
    ['gains in 2024', [2024]],
    ['gains this year', [2026]],
    ['gains last year', [2025]],
    ['gains the year before last', [2024]],
    ['gains two years ago', [2024]],
    ['gains of 2023 and 2025', [2023, 2025]],
    ['gains between 2023 and 2025', [2023, 2024, 2025]],
    ['gains 2022-2024', [2022, 2023, 2024]],
    ['gains 2022–2024', [2022, 2023, 2024]],
    ['gains since 2024', [2024, 2025, 2026]],
    ['gains from 2024 on', [2024, 2025, 2026]],
    ['gains from 2024', [2024]],
    ['gains before 2024', [2022, 2023]],
    ['gains of the last 3 years', [2024, 2025, 2026]],
    ['gains by year', [2022, 2023, 2024, 2025]],
    ["gains of '24", [2024]],
    ['gains of TY24', [2024]],
    ['gains so far', [2026]],
    ['gains since 01/02/2024', [2024]],
    ['gains of 2000 shares', []],
    ['gains at $2020', []],
    ['my gains', []],
    ['gains of AAPL 2025-01-17 C 150', []],
  ];
  for (const [text, years] of cases) test(text, () => expect(ask(text).years).toEqual([...years]));
});

describe('the assets in a question are recognized', () => {
  const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['gains of AAPL', ['AAPL'], []],
    ['gains of aapl and btc', ['AAPL', 'BTC'], []],
    ["what is Apple's basis", ['AAPL'], []],
    ['how much bitcoin do I hold', ['BTC'], []],
    ['lots of $TSLA', ['TSLA'], []],
    ['lots of brk-b', ['BRK.B'], []],
    ['lots of AAPL 2025-01-17 C 150', ['AAPL 2025-01-17 C 150'], []],
    ['all my gains', [], []],
    ['gains of ALL', ['ALL'], []],
    ['gains of $all', ['ALL'], []],
    ['gains of MSFT', [], ['MSFT']],
    ['how much solana do I hold', [], ['SOL']],
    ['SHOW MY GAINS OF AAPL', ['AAPL'], []],
    ['how does FIFO work in the TXF of the IRS', [], []],
  ];
  for (const [text, assets, unknown] of cases) {
    test(text, () => {
      expect(ask(text).assets).toEqual([...assets]);
      expect(ask(text).unknownAssets).toEqual([...unknown]);
    });
  }
});

describe('what a question omits comes from the previous one', () => {
  test('and in 2024?', () => {
    const question = ask('and in 2024?', 'what did I make on AAPL in 2025?');
    expect(question).toMatchObject({ subject: 'gains', years: [2024], assets: ['AAPL'] });
  });
  test('and ETH?', () => {
    const question = ask('and ETH?', 'when do my BTC lots turn long-term?');
    expect(question).toMatchObject({ subject: 'longTerm', assets: ['ETH'] });
  });
  test('when do they turn long-term?', () => {
    const question = ask('when do they turn long-term?', 'which lots of BTC do I hold?');
    expect(question).toMatchObject({ subject: 'longTerm', assets: ['BTC'] });
  });
});

test('a price is parsed with its commas, and only after a word that marks it', () => {
  expect(ask('what if I sell BTC at $64,250.50?').price).toBe(6_425_050_000_000n as never);
  expect(ask('what if TSLA drops to $90').price).toBe(9_000_000_000n as never);
  expect(ask('what if I sell 90 TSLA').price).toBeNull();
  expect(ask('what if I sell 2 TSLA for $90 each')).toMatchObject({ price: 9_000_000_000n, unsurePrice: null });
  expect(ask('what if I sell 2 TSLA for $90')).toMatchObject({ price: null, unsurePrice: '90' });
});

test('a quantity is parsed with its commas, before the asset or before its unit', () => {
  const two = 2n * 10n ** 18n;
  expect(ask('what if I sell 2 TSLA at $90').quantity).toBe(two as never);
  expect(ask('what if I sell my 2 shares of TSLA at 90').quantity).toBe(two as never);
  expect(ask('what if I sell 2,000 ETH at 3').quantity).toBe((1_000n * two) as never);
  expect(ask('what if I sell half of my ETH at $3').quantity).toBe('half');
  expect(ask('what if I sell my ETH at $3').quantity).toBeNull();
});
