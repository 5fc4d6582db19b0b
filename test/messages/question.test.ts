import { describe, expect, test } from 'bun:test';
import { type Question, type Subject, understand } from '../../src/features/messages/question.ts';

const books = {
  thisYear: 2026,
  years: [2022, 2023, 2024, 2025],
  assets: ['AAPL', 'AAPL 2025-01-17 C 150', 'ALL', 'BRK.B', 'BTC', 'ETH', 'TSLA'],
};
const ask = (text: string, previous: string | null = null): Question => understand(text, books, previous);

describe('what a question is about', () => {
  const cases: readonly (readonly [Subject, string])[] = [
    ['gains', 'What were my gains in 2025?'],
    ['gains', 'how much did I make last year'],
    ['gains', 'How much did I lose on TSLA in 2024?'],
    ['gains', "what's my p&l ytd"],
    ['gains', 'Short-term and long-term gains for 2024, please'],
    ['gains', 'long term gain 2023'],
    ['gains', 'did I sell any BTC? what was the profit'],
    ['gains', 'How much tax do I owe for 2025?'],
    ['gains', 'which assets lost the most'],
    ['lots', 'Which lots of BTC do I hold?'],
    ['lots', 'how many AAPL shares do I own'],
    ['lots', 'what is my cost basis in ETH'],
    ['lots', 'show my open positions'],
    ['lots', 'AAPL'],
    ['longTerm', 'When do my AAPL lots turn long-term?'],
    ['longTerm', 'When does my bitcoin become long term'],
    ['longTerm', 'how long must I wait until it is long-term?'],
    ['longTerm', 'what is the holding period of my ETH?'],
    ['longTerm', 'Which lots go long term next?'],
    ['report', "What's on my Form 8949 for 2025?"],
    ['report', 'what does the report of 2024 hold'],
    ['report', 'how many lines are in box C'],
    ['washSales', 'Do I have wash sales in 2025?'],
    ['washSales', 'which losses were washed'],
    ['harvest', 'What losses could I still take this year?'],
    ['harvest', 'tax-loss harvesting candidates'],
    ['harvest', 'What if I sell AAPL at $150?'],
    ['income', 'How much dividend income did I have in 2024?'],
    ['income', 'staking rewards 2025'],
    ['issues', 'Is anything missing?'],
    ['issues', 'show open issues'],
    ['years', 'Which years are in my books?'],
    ['help', 'help'],
    ['help', 'What can you do?'],
  ];
  for (const [subject, text] of cases) test(text, () => expect(ask(text).subject).toBe(subject));

  test('what is about nothing known is not guessed', () => {
    expect(ask('please sing me a song').subject).toBeNull();
    expect(ask('').subject).toBeNull();
  });
});

describe('the years of a question', () => {
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

describe('the assets of a question', () => {
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

describe('what a question leaves out comes from the one before', () => {
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

test('a price is read with its commas, and only after a word that says it is one', () => {
  expect(ask('what if I sell BTC at $64,250.50?').price).toBe(6_425_050_000_000n as never);
  expect(ask('what if TSLA drops to $90').price).toBe(9_000_000_000n as never);
  expect(ask('what if I sell 90 TSLA').price).toBeNull();
});
