import { describe, expect, test } from 'bun:test';
import { formatDay, parseDay } from '../../src/base/day.ts';
import { listAssetKeys } from '../../src/engine/events/keys.ts';
import { bookFromJson, bookToJson, emptyBook, replay } from '../../src/engine/replay.ts';
import { defaultRules } from '../support/golden.ts';
import { books, history, lineWords, lotWords } from '../support/ledger.ts';

const call = 'QQ 2026-01-16 C 45';
const put = 'QQ 2026-01-16 P 40';

describe('an option held', () => {
  test('has its own holding period if it is sold', () => {
    const { lines } = books(`
      buy_to_open 2024-01-05 1 ${call} @200
      sell_to_close 2025-01-06 1 ${call} @500
    `);
    expect(lines.map(lineWords)).toEqual([`2025-01-06 1 ${call}: 500.00 - 200.00 = 300.00 long`]);
  });

  test('shows EXPIRED instead of its proceeds if it expires', () => {
    const { lines } = books(`
      buy_to_open 2025-04-08 10 ${call} @4000
      expire 2026-01-16 10 ${call}
    `);
    expect(lines.map(({ disposal, gain }) => [disposal.expired, gain])).toEqual([['proceeds', -400000n]] as never);
  });

  test('is added to the basis of the stock if it is exercised as a call, and the stock is held from then on', () => {
    const { lines, lots } = books(`
      buy_to_open 2024-01-05 1 ${call} @200
      exercise 2025-03-03 1 ${call} @4500
    `);
    expect(lines).toEqual([]);
    expect(lots.map(lotWords)).toEqual(['100 QQ in BRK1 2025-03-03 4700.00']);
  });

  test('carries a deferred loss into the stock if it is a call', () => {
    const { lots } = books(`
      buy 2024-10-07 100 QQ @5000
      sell 2025-02-03 100 QQ @4000
      buy_to_open 2025-02-18 1 ${call} @200
      exercise 2025-06-02 1 ${call} @4500
    `);
    expect(lots.map(lotWords)).toEqual(['100 QQ in BRK1 2025-06-02 since 2025-02-03 5700.00']);
  });

  const replacing = `
    buy 2023-07-01 100 QQ @10000
    sell 2024-06-03 100 QQ @8000
    buy_to_open 2024-06-10 2 ${call} @600
  `;

  test('gives the shares the holding period of the sold shares if it is a call that replaced a loss (IRC 1223(3))', () => {
    const { lines } = books(`${replacing}
      exercise 2024-07-20 1 ${call} @4000
      sell 2025-02-10 100 QQ @7000
    `);
    expect(lines.slice(1).map(lineWords)).toEqual(['2025-02-10 100 QQ: 7000.00 - 6300.00 = 700.00 long']);
    expect(lines[1] && formatDay(lines[1].disposal.heldSince)).toBe('2023-08-17');
  });

  test('gives the shares of a replacement a separate lot if only some of its contracts are a replacement', () => {
    const exercised = `${replacing}exercise 2024-07-20 2 ${call} @8000`;
    const others = '100 QQ in BRK1 2024-07-20 4300.00';
    const own = (since: string): string => `100 QQ in BRK1 2024-07-20 since ${since} 6300.00`;
    const sorted = (rules: Parameters<typeof books>[1]) => books(exercised, rules).lots.map(lotWords).sort();
    expect(sorted({})).toEqual([others, own('2023-08-17')]);
    expect(sorted({ washPeriod: 'replacement' })).toEqual([others, own('2023-07-01')]);
  });

  test('gives shares that replace no second loss if it is a call', () => {
    const { summaries } = books(`
      buy 2024-10-07 100 QQ @5000
      buy 2024-10-08 100 QQ @5000
      sell 2025-02-03 100 QQ @4000
      buy_to_open 2025-02-18 1 ${call} @200
      sell 2025-02-24 100 QQ @4000
      exercise 2025-03-03 1 ${call} @4500
    `);
    expect(summaries[0]?.washSaleDisallowed).toBe(100000n as never);
  });

  test('reduces the proceeds of the stock if it is exercised as a put', () => {
    const { lines, lots } = books(`
      buy 2023-05-01 100 QQ @4500
      buy_to_open 2025-01-06 1 ${put} @150
      exercise 2025-03-03 1 ${put} @4000
    `);
    expect(lines.map(lineWords)).toEqual(['2025-03-03 100 QQ: 3850.00 - 4500.00 = -650.00 long']);
    expect(lots).toEqual([]);
  });
});

describe('an option written', () => {
  test('is neither income nor a lot until it ends', () => {
    const { facts, lots } = books(`sell_to_open 2025-02-03 1 ${call} @150`);
    expect([facts, lots]).toEqual([[], []]);
  });

  test('is short-term if it is bought back after any time, sold when written, acquired when closed', () => {
    const { lines } = books(`
      sell_to_open 2024-01-05 2 ${call} @300 fee 1
      buy_to_close 2025-03-03 1 ${call} @80 fee 1
    `);
    expect(lines.map(lineWords)).toEqual([`2025-03-03 1 ${call}: 149.50 - 81.00 = 68.50 short`]);
    const disposal = lines[0]?.disposal;
    expect(disposal && [formatDay(disposal.sold), formatDay(disposal.acquired)]).toEqual(['2024-01-05', '2025-03-03']);
  });

  test('is a gain in the year in which it expires, with EXPIRED instead of its basis', () => {
    const { lines, summaries } = books(`
      sell_to_open 2025-04-08 10 ${call} @4000
      expire 2026-01-16 10 ${call}
    `);
    expect(lines.map(({ disposal, gain }) => [disposal.expired, gain])).toEqual([['basis', 400000n]] as never);
    expect(summaries.map(({ year }) => year)).toEqual([2026]);
  });

  test('adds its premium to the proceeds of the stock if it is assigned as a call', () => {
    const { lines } = books(`
      buy 2023-05-01 100 QQ @4000
      sell_to_open 2025-02-03 1 ${call} @150
      assign 2025-03-21 1 ${call} @4500
    `);
    expect(lines.map(lineWords)).toEqual(['2025-03-21 100 QQ: 4650.00 - 4000.00 = 650.00 long']);
  });

  test('reduces the cost of the stock by its premium if it is assigned as a put', () => {
    const { lots } = books(`
      sell_to_open 2025-02-03 1 ${put} @200
      assign 2025-03-21 1 ${put} @4000
    `);
    expect(lots.map(lotWords)).toEqual(['100 QQ in BRK1 2025-03-21 3800.00']);
  });
});

test('an option closed without an opening raises an issue, and other results are unaffected', () => {
  const { issues, lines } = books(`
    expire 2025-03-21 1 ${call}
    assign 2025-03-21 1 ${put} @4000
    exercise 2025-03-21 1 ${call} @4500
  `);
  expect(issues.map(({ issue }) => issue)).toEqual(['option_not_open', 'option_not_open', 'option_not_open']);
  expect(lines).toEqual([]);
});

test('options with another spelling are identified by underlying and right', () => {
  const { lots } = books(`
    buy_to_open 2025-01-05 1 QQ-JAN-45-CALL @200 underlying QQ right call shares 50
    exercise 2025-03-03 1 QQ-JAN-45-CALL @2250 underlying QQ right call
  `);
  expect(lots.map(lotWords)).toEqual(['50 QQ in BRK1 2025-03-03 2450.00']);
});

describe('section 1256', () => {
  test('is marked at year-end and split 60/40, without a line', () => {
    const { lines, summaries } = books(`
      buy 2024-06-03 1 RFC @50000 class section_1256
      mark 2024-12-31 1 RFC fmv 57000 class section_1256
      sell 2025-02-03 1 RFC @56000 class section_1256
    `);
    expect(lines).toEqual([]);
    expect(
      summaries.map(({ year, contracts1256 }) => [year, contracts1256.gain, contracts1256.long, contracts1256.short]),
    ).toEqual([
      [2024, 700000n, 420000n, 280000n],
      [2025, -100000n, -60000n, -40000n],
    ] as never);
  });

  test('open at the end of a year without a mark raises an issue, for each year that later rows cover', () => {
    const held = 'buy 2023-11-01 1 ES @10000 class section_1256';
    const asked = (rows: string): unknown[] =>
      books(`${held}\n${rows}`).issues.map(({ issue, on, dollars, transactions }) => [
        `${issue} ${formatDay(on)}`,
        dollars,
        ...transactions,
      ]);
    const sold = 'sell 2025-02-01 1 ES @11500 class section_1256';
    expect(asked(sold)).toEqual([
      ['value_missing 2023-12-31', 1000000n, 't0001'],
      ['value_missing 2024-12-31', 1000000n, 't0001'],
    ]);
    const marked = `mark 2023-12-29 1 ES fmv 10500 class section_1256\n${sold}`;
    expect(asked(marked)).toEqual([['value_missing 2024-12-31', 1050000n, 't0001']]);
    expect(asked('buy 2023-12-20 1 ES @10100 class section_1256')).toEqual([]);
    const of2024 = 'mark 2024-12-31 1 ES fmv 11000 class section_1256';
    expect(asked(marked.replace('\n', `\n${of2024}\n`))).toEqual([]);
  });

  test.each([
    ['no row reports its end', '2024-12-30', 'buy 2025-02-03 1 ES @1 class section_1256', ['option_expired']],
    ['a row of January reports it', '2024-12-31', 'expire 2025-01-02 1 SPX 2024-12-31 C 6000 class section_1256', []],
    [
      'but of one that was opened too late',
      '2024-12-02',
      'buy 2025-02-03 1 ES @1 class section_1256',
      ['value_missing'],
    ],
  ])('raises no issue for an option that expires by then: %s', (_, expires, later, expected) => {
    const { issues } = books(`
      buy_to_open 2024-12-20 1 SPX ${expires} C 6000 @900 class section_1256
      ${later}
    `);
    expect(issues.map(({ issue }) => issue)).toEqual(expected as never);
  });

  test('also raises an issue for days known only from other books, and after a saved state', () => {
    const rows = history('buy 2024-11-01 1 ES @10000 class section_1256');
    const keys = new Set(rows.flatMap(listAssetKeys));
    const through = (text: string) => ({ through: parseDay(text) ?? null });
    const { book, facts } = replay(emptyBook(), rows, defaultRules, keys, through('2024-12-31'));
    expect(facts).toEqual([]);
    const later = replay(book, [], defaultRules, keys, through('2025-01-02')).facts;
    expect(later.map(({ kind, causedOn }) => [kind, formatDay(causedOn)])).toEqual([['issue', '2025-01-01']]);
    expect(later).toEqual(replay(emptyBook(), rows, defaultRules, keys, through('2025-01-02')).facts);
  });

  test('marks a written contract against its proceeds', () => {
    const { summaries } = books(`
      sell_to_open 2024-06-03 1 SPX 2025-06-20 C 5000 @9000 class section_1256
      mark 2024-12-31 1 SPX 2025-06-20 C 5000 fmv 7000 class section_1256
      buy_to_close 2025-02-03 1 SPX 2025-06-20 C 5000 @7500 class section_1256
    `);
    expect(summaries.map(({ contracts1256 }) => contracts1256.gain)).toEqual([200000n, -50000n] as never);
  });
});

describe('an option past its expiry whose end no row reports', () => {
  const aapl = 'AAPL 2025-01-17 C 150';

  test('counts as expired on its expiration day once the books cover a week after it, and raises an issue', () => {
    const { lines, lots, issues } = books(`
      b1: buy_to_open 2024-06-03 2 ${aapl} @500
      b2: buy_to_open 2024-01-03 1 ${aapl} @200
      buy 2025-01-24 1 AAPL @200
    `);
    expect(lines.map(lineWords)).toEqual([
      `2025-01-17 1 ${aapl}: 0.00 - 200.00 = -200.00 long`,
      `2025-01-17 2 ${aapl}: 0.00 - 500.00 = -500.00 short`,
    ]);
    expect(lines.map(({ disposal }) => [disposal.expired, disposal.saleId])).toEqual([
      ['proceeds', 't0002'],
      ['proceeds', 't0002'],
    ]);
    expect(lots.map(({ asset }) => asset)).toEqual(['AAPL']);
    expect(issues.map(({ issue, dollars, on, transactions }) => [issue, dollars, formatDay(on), transactions])).toEqual(
      [['option_expired', 70000n, '2025-01-17', ['t0002']]] as never,
    );
  });

  test('counts on its expiration day even if a row dates it some days later', () => {
    const { lines, summaries } = books(`
      buy_to_open 2024-06-03 1 X 2024-12-31 C 50 @500
      sell_to_open 2024-06-03 1 X 2024-12-31 P 40 @300
      buy_to_open 2024-06-03 1 SPX 2024-12-31 C 6000 @900 class section_1256
      expire 2025-01-02 1 X 2024-12-31 C 50
      expire 2025-01-02 1 X 2024-12-31 P 40
      expire 2025-01-02 1 SPX 2024-12-31 C 6000 class section_1256
    `);
    expect(lines.map(lineWords)).toEqual([
      '2024-12-31 1 X 2024-12-31 C 50: 0.00 - 500.00 = -500.00 short',
      '2024-12-31 1 X 2024-12-31 P 40: 300.00 - 0.00 = 300.00 short',
    ]);
    expect(summaries.map(({ year, contracts1256 }) => [year, contracts1256.gain])).toEqual([[2024, -90000n]] as never);
  });

  test('leaves the premium to the writer', () => {
    const { lines, issues } = books(`
      sell_to_open 2024-12-03 1 ${aapl} @300
      buy 2025-02-03 1 AAPL @200
    `);
    expect(lines.map(lineWords)).toEqual([`2025-01-17 1 ${aapl}: 300.00 - 0.00 = 300.00 short`]);
    expect(lines[0]?.disposal).toMatchObject({ expired: 'basis' });
    expect(issues.map(({ issue, dollars }) => [issue, dollars])).toEqual([['option_expired', 30000n]] as never);
  });

  test.each([
    ['a row within the week reports it', `expire 2025-01-21 1 ${aapl}`],
    ['it was exercised', `exercise 2025-01-18 1 ${aapl} @15000 shares 100 underlying AAPL`],
    ['it was sold', `sell_to_close 2025-01-17 1 ${aapl} @900`],
  ])('raises no issue if %s', (_, row) => {
    const { issues } = books(`
      buy_to_open 2024-06-03 1 ${aapl} @500
      ${row}
      buy 2025-03-03 1 AAPL @200
    `);
    expect(issues).toEqual([]);
  });

  test('stays open if the books do not cover that day', () => {
    const { lines, lots, issues } = books(`
      buy_to_open 2024-06-03 1 ${aapl} @500
      buy 2025-01-23 1 AAPL @200
    `);
    expect([lines, issues]).toEqual([[], []]);
    expect(lots.length).toBe(2);
  });

  test('ends by the last day of the other books, too', () => {
    const rows = history(`buy_to_open 2024-06-03 1 ${aapl} @500`);
    const keys = new Set(rows.flatMap(listAssetKeys));
    const through = (text: string) =>
      replay(emptyBook(), rows, defaultRules, keys, { through: parseDay(text) ?? null }).facts.map((fact) => fact.kind);
    expect(through('2025-01-23')).toEqual([]);
    expect(through('2025-01-24')).toEqual(['disposal', 'issue']);
  });

  test('ends in the same way if a book is resumed, regardless of the classes that rows gave its symbol', () => {
    const rows = history(`
      buy_to_open 2024-06-03 1 ${aapl} @500 in A
      sell_to_close 2024-06-03 1 ${aapl} @600 in A
      buy 2024-06-03 1 ${aapl} @400 in B class stock
      buy 2025-01-24 1 MSFT @200
    `);
    const keys = new Set(rows.flatMap(listAssetKeys));
    const whole = replay(emptyBook(), rows, defaultRules, keys);
    const { book } = replay(emptyBook(), rows.slice(0, 3), defaultRules, keys);
    const { book: goneOn } = replay(bookFromJson(bookToJson(book)), rows.slice(3), defaultRules, keys);
    expect(bookToJson(goneOn)).toEqual(bookToJson(whole.book));
  });

  test('ends account by account, without a line in an IRA', () => {
    const { lines, lots, issues } = books(
      `
      buy_to_open 2024-06-03 1 ${aapl} @500 in A
      buy_to_open 2024-06-03 1 ${aapl} @400 in IRA
      sell_to_open 2024-06-04 1 ${aapl} @300 in B
      buy 2025-03-03 1 AAPL @200
    `,
      { accounts: { IRA: { type: 'ira' } } },
    );
    expect(lines.map(({ disposal, gain }) => [disposal.account, gain])).toEqual([
      ['A', -50000n],
      ['B', 30000n],
    ] as never);
    expect(issues.map(({ account }) => account)).toEqual(['A', 'B']);
    expect(lots.map(({ asset }) => asset)).toEqual(['AAPL']);
  });

  test('has a gain on Form 6781 if section 1256 applies to it', () => {
    const { lines, facts } = books(`
      buy_to_open 2024-12-03 1 SPX 2025-01-17 C 6000 @500 class section_1256
      buy_to_open 2025-03-03 1 SPX 2025-06-20 C 6000 @500 class section_1256
      buy_to_open 2025-03-03 1 SPX 2025-01-17 C 6000 @500 class section_1256
    `);
    expect(lines).toEqual([]);
    // Its value at the end of 2024 also raises an issue.
    expect(facts.map((fact) => fact.kind)).toEqual(['issue', 'contract_1256', 'issue']);
  });
});
