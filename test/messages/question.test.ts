import { describe, expect, test } from 'bun:test';
import { helpEntries } from '../../src/features/answers/help/entries.ts';
import { findMatches } from '../../src/features/answers/messages/match.ts';
import type { Question } from '../../src/features/answers/messages/question.ts';
import { templates } from '../../src/features/answers/messages/templates.ts';
import { understand } from '../../src/features/answers/messages/understand.ts';

const books = {
  thisYear: 2026,
  years: [2022, 2023, 2024, 2025],
  assets: ['AAPL', 'AAPL 2025-01-17 C 150', 'ALL', 'BRK.B', 'BTC', 'ETH', 'TSLA'],
  accounts: ['A', 'Fidelity', 'Fidelity Roth IRA', 'Schwab (joint)'],
};

/** Returns the facts in a question and the id of the template that answers it, or null. */
function ask(text: string, previous: string | null = null): Question & { readonly template: string | null } {
  const { question, template } = understand(text, previous, books);
  return { ...question, template: template?.id ?? null };
}

function entryFor(text: string): string | null {
  return understand(text, null, books).entry?.id ?? null;
}

test('a question with an unknown word is not answered, but gets the nearest questions', () => {
  for (const text of ['please sing me a song', 'a song about my gains', 'my gains without TSLA', 'my average gain']) {
    const { template, entry } = understand(text, null, books);
    expect([text, template, entry]).toEqual([text, null, null]);
  }
  expect(understand('a song about my gains', null, books).nearest.map(({ template }) => template?.id)).toContain(
    'gains',
  );
});

test('every wording of a template and its example is answered by that template', () => {
  const wrong = templates.flatMap(({ id, example, wordings, hypothetical }) =>
    [example.replace('{year}', '2024').replace('{asset}', 'AAPL'), ...wordings.map((text) => `my ${text}`)].flatMap(
      (text) => {
        // These wordings name no asset and no price, so only their example shows that the sale is planned.
        if (hypothetical === 'only' && text.startsWith('my ')) return [];
        const found = ask(text).template;
        return found === id ? [] : [`${text} → ${found}, not ${id}`];
      },
    ),
  );
  expect(wrong).toEqual([]);
});

test('the ids of templates differ, and those of entries do too', () => {
  expect(new Set(templates.map(({ id }) => id)).size).toBe(templates.length);
  expect(new Set(helpEntries.map(({ id }) => id)).size).toBe(helpEntries.length);
});

test('the title of an entry leads to it', () => {
  const missed = helpEntries.filter(({ id, title }) => {
    const nearest = findMatches(title, { isAboutBooks: false, isHypothetical: false, isAboutDate: false });
    return !nearest.slice(0, 3).some(({ entry }) => entry?.id === id);
  });
  expect(missed.map(({ id }) => id)).toEqual([]);
});

test('a fact does not answer a hypothetical question', () => {
  expect(ask('what is the price of BTC').template).toBeNull();
  expect(ask('what would I gain if I sold 2 BTC at $100').template).toBe('whatIf');
  expect(ask('what did I sell').template).toBe('sales');
});

test('a day, a month or a quarter is not answered with the year', () => {
  for (const text of ['gains in March 2024', 'gains in Q1 2024', 'gains on 2024-03-01', 'gains last month'])
    expect([text, ask(text).template, ask(text).partOfYear === null]).toEqual([text, null, false]);
});

describe('accounts are recognized', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['gains in my Fidelity account in 2024', ['Fidelity']],
    ['gains in fidelity roth ira', ['Fidelity Roth IRA']],
    ['gains in Schwab (joint)', ['Schwab (joint)']],
    ['gains in account A', ['A']],
    ['do I have a gain', []],
    ['gains at Infidelity', []],
  ];
  for (const [text, accounts] of cases) test(text, () => expect(ask(text).accounts).toEqual([...accounts]));

  test('and do not keep a question from its template', () => {
    expect(ask('gains in my Fidelity account in 2024')).toMatchObject({ template: 'gains', years: [2024] });
    expect(ask('which lots do I hold in Fidelity').template).toBe('lots');
  });
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
    expect(question).toMatchObject({ template: 'gains', years: [2024], assets: ['AAPL'] });
  });
  test('and ETH?', () => {
    const question = ask('and ETH?', 'when do my BTC lots turn long-term?');
    expect(question).toMatchObject({ template: 'longTerm', assets: ['ETH'] });
  });
  test('when do they turn long-term?', () => {
    const question = ask('when do they turn long-term?', 'which lots of BTC do I hold?');
    expect(question).toMatchObject({ template: 'longTerm', assets: ['BTC'] });
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

test('questions about the law and instructions lead to the help center', () => {
  expect(entryFor('what is a wash sale')).toBe('wash-sale');
  expect(entryFor('how do I lock 2024')).toBe('lock-year');
  expect(entryFor('what is the 28% rate')).toBe('collectibles');
});
