import { expect, test } from 'bun:test';
import { composeReply } from '../../src/features/answers/messages/answers.ts';
import { cents, day, lot, money, type PlainBooks, plainView, quantity } from './plain-view.ts';

const books: PlainBooks = {
  today: '2025-07-01',
  sales: [
    { year: 2024, asset: 'AAPL', term: 'long', quantity: '10', proceeds: 2_500, basis: 1_000 },
    { year: 2025, asset: 'AAPL', term: 'short', quantity: '5', proceeds: 900, basis: 1_000.5, adjustment: 50.25 },
    { year: 2025, asset: 'BTC', term: 'long', quantity: '0.25', proceeds: 25_000, basis: 5_000 },
    { year: 2025, asset: 'TSLA', term: 'short', quantity: '1', proceeds: 100, basis: 300 },
  ],
  lots: [
    lot('10 AAPL 2024-01-02 @1000'),
    lot('5 AAPL 2025-06-20 @1000'),
    lot('0.5 BTC 2024-07-01 @30000', { assetClass: 'crypto', account: 'Kraken' }),
    lot('3 KO 1999-05-05 @90', { inherited: true }),
  ],
  income: [
    { year: 2025, asset: 'AAPL', type: 'dividend', amount: money('12.345'), count: 4 },
    { year: 2025, asset: 'ETH', type: 'staking', amount: money('100'), count: 12 },
    { year: 2025, asset: 'AAPL', type: 'withholding', amount: money('1.50'), count: 1 },
  ],
  washSales: [
    { asset: 'AAPL', on: day('2025-06-10'), quantity: quantity('2.5'), disallowed: cents(50.25), permanent: false },
  ],
};

async function say(question: string, more: Partial<PlainBooks> = {}, previous: string | null = null): Promise<string> {
  return (await composeReply(question, previous, plainView({ ...books, ...more }))).content;
}

test('the gains for a year are exact to the cent: in total, short-term, long-term and by asset', async () => {
  const text = await say('What were my gains in 2025?');
  expect(text).toContain('2025: a gain of $19,749.75 from 3 sales');
  expect(text).toContain('proceeds $26,000.00, basis $6,300.50, adjustments $50.25');
  expect(text).toContain('Short-term: a loss of $250.25 from 2 sales');
  expect(text).toContain('Long-term: a gain of $20,000.00 from 1 sale');
  expect(text).toContain('- BTC: a gain of $20,000.00');
  expect(text).toContain('$50.25 of losses are disallowed');
});

test('figures in an answer can be looked up because it cites the summary', async () => {
  const { citations } = await composeReply('gains 2025', null, plainView(books));
  expect(citations).toEqual([{ title: 'Summary of 2025', href: '/v1/tax/summary?year=2025' }]);
});

test('a question without a year is answered for all years, with a note', async () => {
  const text = await say('What are my gains?');
  expect(text).toStartWith(
    "You didn't name a year, so this covers every year in your books.\n\n2024: a gain of $1,500.00",
  );
  expect(text).toContain('2025: a gain of $19,749.75');
  expect(text).toEndWith('Total: a gain of $21,249.75.');
});

test('a question that needs one year prompts for it, and continues with the reply', async () => {
  const asked = await composeReply('what is on my Form 8949?', null, plainView(books));
  expect(asked).toEqual({ content: 'For which year? Your books have 2024 and 2025.', citations: [], isUnclear: true });
  expect(await say('2025', {}, 'what is on my Form 8949?')).toContain('3 lines of Form 8949');
});

test('the answer that every row is explained requires a year without open issues', async () => {
  const issue = { on: day('2025-02-03'), asset: 'BTC', dollars: null, detail: 'A line could not be read.' };
  expect(await say('could every row be explained?')).toStartWith('Yes: all rows');
  expect(await say('could every row be explained?', { issues: [issue] })).toStartWith('No: some rows');
});

test('several years are listed one by one and in total', async () => {
  expect(await say('gains by year')).toEndWith('Total: a gain of $21,249.75.');
});

test('the gains of one asset', async () => {
  expect(await say('how did I do on apple in 2025')).toStartWith(
    'AAPL in 2025: a loss of $50.25 from 1 sale of 5 in total.',
  );
});

test('a question about losers lists the worst assets first', async () => {
  const text = await say('which assets lost the most in 2025?');
  expect(text.indexOf('- TSLA')).toBeLessThan(text.indexOf('- AAPL'));
});

test('a year without sales is reported as such', async () => {
  expect(await say('gains in 2019')).toContain('2019: your books have no sale, so there is neither gain nor loss.');
});

test('the open lots of an asset are listed with dates, basis and term', async () => {
  const text = await say('Which AAPL lots do I hold?');
  expect(text).toContain('You hold 15 AAPL in 2 lots, basis $2,000.00:');
  expect(text).toContain('- 10 AAPL in Schwab, acquired 2024-01-02, basis $1,000.00, long-term since 2025-01-03');
  expect(text).toContain('- 5 AAPL in Schwab, acquired 2025-06-20, basis $1,000.00, long-term on 2026-06-21');
});

test('an inherited lot is long-term from the first day', async () => {
  expect(await say('my KO lots')).toContain('- 3 KO in Schwab, inherited, basis $90.00, long-term');
});

test('all positions are listed if the question names no asset', async () => {
  expect(await say('What do I hold?')).toStartWith(
    'You hold 3 assets in 4 open lots with a total basis of $32,090.00:',
  );
});

test('lots turn long-term the day after the anniversary, counted from today', async () => {
  const text = await say('When do my lots turn long-term?');
  expect(text).toContain('Of 4 open lots, 2 are long-term already.');
  expect(text).toContain('- 2025-07-02 (in 1 day): 0.5 BTC in Kraken, held since 2024-07-01');
  expect(text).toContain('- 2026-06-21 (in 355 days): 5 AAPL');
});

test('the content of the report is described: boxes, lines, wash sales, and how to create it', async () => {
  const text = await say('What does my Form 8949 for 2025 hold?');
  expect(text).toContain('3 lines of Form 8949');
  expect(text).toContain('- Box C (short-term, no 1099-B): 2 lines');
  expect(text).toContain('Schedule D uses -$250.25 short-term and $20,000.00 long-term');
  expect(text).toContain('POST /v1/tax/reports with {"year": 2025}');
});

test('an existing report is cited, and an outdated one is marked', async () => {
  const report = { id: 'r1', stale: true };
  const said = await composeReply('report 2025', null, plainView({ ...books, report }));
  expect(said.content).toContain('The books have changed since the newest report for 2025');
  expect(said.citations[0]?.href).toBe('/v1/tax/reports/r1/download?format=8949');
});

test('wash sales are listed with day, quantity and amount', async () => {
  const text = await say('wash sales 2025?');
  expect(text).toContain('2025: 1 wash sale disallows $50.25 of losses.');
  expect(text).toContain('- 2025-06-10: $50.25 on 2.5 AAPL');
});

test('losses at a price are exact by lot, with their tax effect and possible wash sales', async () => {
  const text = await say('What if I sell AAPL at $150?');
  expect(text).toContain(
    'At $150.00 per unit, before fees, your AAPL has a gain of $250.00; 1 lot has a loss, -$250.00 in total:',
  );
  expect(text).toContain('- -$250.00: 5 AAPL in Schwab, acquired 2025-06-20');
  expect(text).toContain(
    'You could offset that gain with losses of the same amount. Further losses would offset other income up to $3,000.00 a year',
  );
  expect(text).toContain('You bought these assets within the last 30 days: AAPL (2025-06-20).');
});

test('the answer about losses lists those carried in, deducted and carried forward', async () => {
  const carryover = {
    in: { short: cents(100), long: cents(7_000) },
    out: { short: cents(0), long: cents(4_100) },
    deductible: cents(3_000),
  };
  const text = await say('how much loss do I carry forward from 2025?', { carryover });
  expect(text).toContain('2025: capital losses of $100.00 short-term and $7,000.00 long-term were carried in.');
  expect(text).toContain('- Deducted from other income in 2025: $3,000.00');
  expect(text).toContain('- Carried into 2026: $0.00 short-term, $4,100.00 long-term');
  expect(await say('which losses could I take?', { carryover })).toContain(
    '2025 so far: a gain of $12,649.75, after $7,100.00 of losses carried in.',
  );
});

test('recently bought coins are not a wash sale risk', async () => {
  const lots = [lot('1 BTC 2025-06-30 @100000', { assetClass: 'crypto' })];
  expect(await say('which losses could I take?', { lots })).not.toContain('wash sale');
});

test('income is listed by kind, with withholding listed separately', async () => {
  const text = await say('How much income did I have in 2025?');
  expect(text).toContain('2025: income of $112.35, from dividends and staking rewards:');
  expect(text).toContain('- dividends: $12.35 (4 rows)');
  expect(text).toContain('Tax withheld: $1.50.');
});

test('open issues are listed with their amounts at stake', async () => {
  const issue = { on: day('2025-02-03'), asset: 'BTC', dollars: cents(250), detail: 'Sold 2 more than was held.' };
  expect(await say('is anything missing?')).toContain('no open issue');
  expect(await say('any issues?', { issues: [issue] })).toContain(
    '- 2025-02-03 BTC ($250.00): Sold 2 more than was held.',
  );
});

test('an asset that is not in the books is reported as unknown, never replaced by another', async () => {
  expect(await say('gains of MSFT in 2025')).toBe(
    'These books have no asset named MSFT. They hold AAPL, BTC, ETH, KO and TSLA.',
  );
});

test('an unrecognized question gets the nearest questions and entries, or examples', async () => {
  const near = await composeReply('why are my gains so low in 2025', null, plainView(books));
  expect(near.content).toStartWith('I did not understand that.\nYou can ask:\n- What were my gains in 2025?');
  expect(near.content).toEndWith('\nThese help entries may answer it:');
  expect(near.citations).toContainEqual({
    title: 'Help: Trace a number to its source',
    href: '/v1/help/explain-number',
  });
  expect(near.isUnclear).toBe(true);
  const far = await composeReply('asdf', null, plainView(books));
  expect(far.content).toStartWith('I did not understand that. I answer from your books, to the cent.');
  expect(far.content).toContain('- What were my gains in 2025?');
  expect(far.isUnclear).toBe(true);
});

test('a question about a month names the part that cannot be answered', async () => {
  expect(await say('gains in March 2025')).toStartWith(
    'I did not understand that. My answers cover whole years, not “in March”.',
  );
});

test('a question about the law is answered by the help center, with its authority', async () => {
  const { content, citations } = await composeReply('what is a wash sale?', null, plainView(books));
  expect(content).toStartWith('Wash sale\nA wash sale is a sale at a loss');
  expect(content).toEndWith('(IRC 1091; 26 CFR 1.1091-1)');
  expect(citations).toEqual([{ title: 'Help: Wash sale', href: '/v1/help/wash-sale' }]);
});

test('the gains and lots of one account', async () => {
  const sales = [
    ...(books.sales ?? []),
    {
      year: 2025,
      asset: 'BTC',
      term: 'long' as const,
      quantity: '0.1',
      proceeds: 9_000,
      basis: 2_000,
      account: 'Kraken',
    },
  ];
  expect(await say('gains in Kraken in 2025', { sales })).toBe(
    [
      'Kraken in 2025: a gain of $7,000.00 from 1 sale.',
      '- Short-term: nothing.',
      '- Long-term: a gain of $7,000.00 from 1 sale (proceeds $9,000.00, basis $2,000.00).',
    ].join('\n'),
  );
  expect(await say('what do I hold in Kraken', { sales })).toStartWith('You hold 1 asset in 1 open lot in Kraken');
  expect(await say('BTC gains in Schwab in 2025', { sales })).toStartWith(
    'BTC in Schwab in 2025: a gain of $20,000.00',
  );
  const refused = await composeReply('wash sales in my Kraken account', null, plainView({ ...books, sales }));
  expect(refused).toMatchObject({
    content: expect.stringContaining("can't limit this answer to Kraken"),
    isUnclear: true,
  });
});

test('empty books are reported as empty', async () => {
  const empty = { today: '2025-07-01' };
  expect((await composeReply('my gains?', null, plainView(empty))).content).toContain('empty so far');
});

test('a question with only an asset or a year continues the previous one', async () => {
  expect(await say('and 2024?', {}, 'gains of AAPL in 2025')).toStartWith('AAPL in 2024: a gain of $1,500.00');
});
