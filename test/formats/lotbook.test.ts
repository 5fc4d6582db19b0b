import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Day, Instant } from '../../src/base/day.ts';
import { parseDay } from '../../src/base/day.ts';
import { type Money, parseQuantity, type Quantity } from '../../src/base/decimal.ts';
import { type Statement, transactionTypes } from '../../src/engine/model.ts';
import { type StatedFields, toDraft } from '../../src/formats/cells/drafts.ts';
import type { Outcome } from '../../src/formats/format.ts';
import { columnsOfType, type LotbookColumn } from '../../src/formats/lotbook-columns.ts';
import { writeLotbook } from '../../src/formats/sources/lotbook.ts';
import { draws } from '../support/depth.ts';
import { readWhole } from './reading.ts';

const columns = 'date,type,account,asset,quantity,amount,fee';

test('the fixture covers every type', async () => {
  const fixture = readFileSync(join(import.meta.dir, '../fixtures/formats/lotbook.csv'));
  const types = new Set((await readWhole(fixture)).drafts.map(({ type }) => type));
  expect(transactionTypes.filter((type) => !types.has(type))).toEqual([]);
});

test("the header of an export equals the interface's header, word for word", () => {
  const [header] = [...writeLotbook([])];
  expect(header).toBe(
    'date,type,account,asset,quantity,amount,fee,currency,received_asset,received_quantity,fee_asset,fee_quantity,fee_own,to_account,acquired,basis,fmv,ratio,lots,identified_at,shares,underlying,right,box,wash,term,maturity,accrued_interest,market_discount,stated_gain,offered,discount,wages,asset_class,id,note\r\n',
  );
});

test('three columns are enough', async () => {
  const { drafts } = await readWhole('DATE, Type ,ASSET,Received_Asset\n2024-01-02,Rename,OLD,NEW\n');
  expect(drafts[0]).toMatchObject({ type: 'rename', asset: 'OLD', receivedAsset: 'NEW', account: '', currency: 'USD' });
});

test('a date, a local time and an instant', async () => {
  const { drafts } = await readWhole(
    `${columns}\n2024-12-31,buy,A,X,1,1,\n2024-12-31 20:00:00,buy,A,X,1,1,\n2025-01-01T01:00:00Z,buy,A,X,1,1,\n2025-01-01T00:00:00.000001+00:00,buy,A,X,1,1,\n`,
    { timeZone: 'America/New_York' },
  );
  const evening = Date.UTC(2025, 0, 1, 1) * 1000;
  const day = parseDay('2024-12-31');
  expect(drafts.map(({ at, on }) => ({ at, on }))).toEqual([
    { at: null, on: day as Day },
    { at: evening as Instant, on: day as Day },
    { at: evening as Instant, on: day as Day },
    { at: (Date.UTC(2025, 0, 1) * 1000 + 1) as Instant, on: day as Day },
  ]);
});

test('more digits than the books keep are rejected, and zeros at the end do not count', async () => {
  const outcomes = await readOutcomes(
    'buy,A,X,1.000000000000000000,1.1234567800,',
    'buy,A,X,1,1.123456789,',
    'buy,A,X,0.0000000000000000001,1,',
    'buy,A,X,123456789012345678901,1,',
  );
  expect(outcomes.map(problem)).toEqual([
    'read',
    'amount too_many_digits',
    'quantity too_many_digits',
    'quantity too_many_digits',
  ]);
});

test('an unquoted thousands comma rejects its line and never shifts columns, and empty cells at the end are fine', async () => {
  const outcomes = await readOutcomes('buy,A,X,1,1,000,0,extra', 'buy,A,X,1,10,,,,');
  expect(outcomes.map(problem)).toEqual(['null too_many_cells', 'read']);
});

test('a missing required column rejects the line, naming the column', async () => {
  const lacking: Record<string, string> = {
    'buy,A,X,,10,': 'quantity missing',
    'buy,A,X,1,,': 'amount missing',
    'buy,A,,1,10,': 'asset missing',
    'sell,A,X,0,10,': 'quantity not_positive',
    'sell,A,X,-1,10,': 'quantity negative',
    'split,A,X,,,': 'ratio missing',
    'merger,A,X,,,': 'received_asset missing',
    'transfer,A,X,1,,': 'to_account missing',
    'trade,A,X,1,10,': 'received_asset missing',
    'withholding,A,X,,,': 'amount missing',
    'mark,A,X,1,,': 'fmv missing',
    'expire,A,some option,1,,': 'asset bad_option',
    ',A,X,1,10,': 'type missing',
    'gamble,A,X,1,10,': 'type unknown_type',
  };
  const outcomes = await readOutcomes(...Object.keys(lacking));
  expect(outcomes.map(problem)).toEqual(Object.values(lacking));
});

test('only a spin-off may have a ratio of zero', async () => {
  const header = 'date,type,account,asset,quantity,received_asset,received_quantity,ratio\n';
  const rows = [
    'spinoff,A,X,,Y,1,0',
    'spinoff,A,X,,Y,1,0.00',
    'spinoff,A,X,,Y,1,0:1',
    'spinoff,A,X,,Y,1,1:0',
    'spinoff,A,X,,Y,1,-0.5',
    'split,A,X,,,,0',
    'merger,A,X,,Y,,0',
  ];
  const { outcomes } = await readWhole(header + rows.map((row) => `2024-01-02,${row}\n`).join(''));
  const bad = 'ratio bad_ratio';
  expect(outcomes.map(problem)).toEqual(['read', 'read', 'read', bad, bad, bad, bad]);
});

test('a merger is for a stated number of shares, or for cash alone', async () => {
  const header = 'date,type,account,asset,amount,received_asset,ratio\n';
  const rows = ['5,,', '5,Y,2', ',Y,2', '5,Y,', '5,,2', ',,'].map((cells) => `2024-01-02,merger,A,X,${cells}\n`);
  const { outcomes } = await readWhole(header + rows.join(''));
  const [ratio, received] = ['ratio missing', 'received_asset missing'];
  expect(outcomes.map(problem)).toEqual(['read', 'read', 'read', ratio, received, received]);
});

test('a value that the source does not contain may be empty, and the books ask for it later', async () => {
  const outcomes = await readOutcomes('staking,A,X,1,,', 'gift_out,A,X,1,,', 'spend,A,X,1,,', 'deposit,A,X,1,,');
  expect(outcomes.map(problem)).toEqual(['read', 'read', 'read', 'read']);
});

test('a lot that exists when the records begin states its acquisition date', async () => {
  const { outcomes } = await readWhole(
    'date,type,account,asset,quantity,acquired,basis\n' +
      '2025-01-01,opening_lot,A,X,1,,5\n2025-01-01,opening_lot,A,X,1,2019-07-01,5\n',
  );
  expect(outcomes[0]).toMatchObject({ kind: 'rejected', issue: { line: 2, column: 'acquired' } });
  expect(outcomes[1]).toMatchObject({ kind: 'read' });
});

test('a column that a type does not use is ignored, regardless of its content', async () => {
  const { drafts } = await readWhole(
    'date,type,account,asset,quantity,amount,ratio,box,term,lots,basis\n2024-01-02,buy,A,X,1,10,rubbish,Z,maybe,???,1.123456789\n',
  );
  expect(drafts[0]).toMatchObject({ type: 'buy', ratio: null, box: null, term: null, lots: [], basis: null });
});

test('a transfer states its lots only if it allocates them out of the universal pool', async () => {
  const { drafts } = await readWhole(
    'date,type,account,asset,quantity,to_account,acquired,basis,lots\n' +
      '2025-01-01,transfer,UNIVERSAL,BTC,1,A,2022-01-01,20000,b1:1\n2025-01-01,transfer,A,BTC,1,B,never,a lot,b1:1\n',
  );
  expect(drafts.map(({ acquired, basis }) => [acquired, basis])).toEqual([
    [parseDay('2022-01-01') ?? null, 2_000_000_000_000n as Money],
    [null, null],
  ]);
});

test('lots, ratios, boxes and terms in their notations', async () => {
  const { drafts } = await readWhole(
    'date,type,account,asset,quantity,amount,lots,ratio,received_asset,box,term,acquired,right,underlying\n' +
      '2024-01-02,sell,A,X,11,10,b3:10; a:b:1,,,,,,,\n' +
      '2024-01-02,split,A,X,,,,3:2,,,,,,\n' +
      '2024-01-02,merger,A,X,,,,0.7,Y,,,,,\n' +
      '2024-01-02,reported_sale,A,X,1,10,,,,k,LONG,various,,\n' +
      '2024-01-02,buy_to_open,A,X weekly,1,10,,,,,,,PUT,X\n',
  );
  expect(drafts[0]?.lots).toEqual([
    { label: 'b3', quantity: quantity('10') },
    { label: 'a:b', quantity: quantity('1') },
  ]);
  expect(drafts[1]?.ratio).toEqual({ numerator: 3n, denominator: 2n });
  expect(drafts[2]?.ratio).toEqual({ numerator: 7n, denominator: 10n });
  expect(drafts[3]).toMatchObject({ box: 'K', term: 'long', acquired: null });
  expect(drafts[4]).toMatchObject({ asset: 'X weekly', underlying: 'X', right: 'put' });
});

test('the account in the request replaces an empty one, except for actions that apply to every account', async () => {
  const file =
    'date,type,account,asset,quantity,amount,ratio\n2024-01-02,buy,,X,1,1,\n2024-01-02,buy,Own,X,1,1,\n2024-01-03,split,,X,,,2:1\n';
  expect((await readWhole(file)).drafts.map(({ account }) => account)).toEqual(['Lotbook', 'Own', '']);
  expect((await readWhole(file, { account: 'Mine' })).drafts.map(({ account }) => account)).toEqual([
    'Mine',
    'Own',
    '',
  ]);
});

test('an export opened in a spreadsheet runs no formula, and is read back unchanged', async () => {
  for (const note of [
    '=1+1',
    '+1',
    '-1',
    '@cmd',
    '\uff1d1+1',
    '\uff20cmd',
    "'\uff0b1",
    "'=1+1",
    "''",
    "'",
    '"quoted", and\nlines',
    ' spaced',
    'plain',
  ]) {
    const csv = written({
      type: 'deposit',
      asset: 'X',
      quantity: quantity('1'),
      note: note.trim(),
      externalId: note.trim(),
    });
    expect(/(?:^|,)"?[=+\-@\uff1d\uff0b\uff0d\uff20]/m.test(csv.split('\r\n')[1]?.split('deposit')[1] ?? '')).toBe(
      false,
    );
    const { drafts } = await readWhole(csv);
    expect([drafts[0]?.note, drafts[0]?.externalId]).toEqual([note.trim(), note.trim()]);
  }
});

test('any row from an export is read back unchanged, to the microsecond and the last decimal', async () => {
  const seed = Date.now() % 2 ** 31;
  console.log(`lotbook.test seed ${seed}`);
  await fc.assert(
    fc.asyncProperty(fc.array(statement, { minLength: 1, maxLength: 8 }), async (statements) => {
      const { drafts, outcomes } = await readWhole([...writeLotbook(statements)].join(''));
      expect(outcomes.filter(({ kind }) => kind !== 'read')).toEqual([]);
      expect(drafts.map(({ line, ...rest }) => (line > 1 ? rest : undefined))).toEqual(
        statements.map((one) => ({ ...one })),
      );
    }),
    { seed, numRuns: draws(80, 400) },
  );
});

const text = fc.string({
  minLength: 1,
  maxLength: 6,
  unit: fc.constantFrom('a', 'B', '1', '"', ',', "'", '=', '-', '@', 'é', '.'),
});
const amount = fc.bigInt({ min: 1n, max: 10n ** 20n }).map((value) => value as Money);
const units = fc.bigInt({ min: 1n, max: 10n ** 30n }).map((value) => value as Quantity);
const day = fc.integer({ min: -20_000, max: 40_000 }).map((value) => value as Day);
const instant = fc.integer({ min: 0, max: 4_000_000_000_000_000 }).map((value) => value as Instant);
const label = fc.string({ minLength: 1, maxLength: 5, unit: fc.constantFrom('a', 'b', '1', ':', '-') });

/** The valid contents of each column. */
const holds: Partial<Record<LotbookColumn, fc.Arbitrary<Partial<Statement>>>> = {
  asset: text.map((asset) => ({ asset })),
  quantity: units.map((value) => ({ quantity: value })),
  amount: fc.tuple(amount, fc.boolean()).map(([value, reversed]) => ({ amount: (reversed ? -value : value) as Money })),
  fee: amount.map((fee) => ({ fee })),
  received_asset: text.map((receivedAsset) => ({ receivedAsset })),
  received_quantity: units.map((receivedQuantity) => ({ receivedQuantity })),
  fee_asset: text.map((feeAsset) => ({ feeAsset })),
  fee_quantity: units.map((feeQuantity) => ({ feeQuantity })),
  fee_own: amount.map((feeOwn) => ({ feeOwn })),
  to_account: text.map((toAccount) => ({ toAccount })),
  acquired: day.map((acquired) => ({ acquired })),
  basis: amount.map((basis) => ({ basis })),
  fmv: amount.map((fmv) => ({ fmv })),
  ratio: fc
    .tuple(fc.bigInt({ min: 1n, max: 10n ** 8n }), fc.constantFrom(1n, 3n, 10n, 1000n))
    .map(([numerator, denominator]) => ({ ratio: { numerator, denominator } })),
  lots: fc.array(fc.record({ label, quantity: units }), { maxLength: 3 }).map((lots) => ({ lots })),
  identified_at: instant.map((identifiedAt) => ({ identifiedAt })),
  shares: units.map((shares) => ({ shares })),
  underlying: text.map((underlying) => ({ underlying })),
  right: fc.constantFrom('call' as const, 'put' as const).map((right) => ({ right })),
  box: fc.constantFrom('A' as const, 'L' as const).map((box) => ({ box })),
  wash: amount.map((wash) => ({ wash })),
  term: fc.constantFrom('short' as const, 'long' as const).map((term) => ({ term })),
};

const always: readonly LotbookColumn[] = ['ratio', 'underlying', 'right', 'received_quantity'];

const statement: fc.Arbitrary<Statement> = fc.constantFrom(...transactionTypes).chain((type) => {
  const { needs, uses } = columnsOfType[type];
  const parts = [...needs, ...uses].flatMap((column) => {
    const arbitrary = holds[column];
    if (arbitrary === undefined) return [];
    const isSuccessor = type === 'merger' && column === 'received_asset';
    const stated = isSuccessor || needs.includes(column) || always.includes(column);
    return [stated ? arbitrary : fc.option(arbitrary, { nil: {} })];
  });
  return fc
    .tuple(fc.option(instant), day, text, text, text, fc.tuple(...parts))
    .map(([at, on, account, externalId, note, stated]) => {
      const date = at === null ? on : (Math.floor(at / 86_400_000_000) as Day);
      const { line: _, ...rest } = toDraft(
        0,
        { at, on: date },
        Object.assign({ type, account, externalId, note }, ...stated) as StatedFields,
      );
      return rest;
    });
});

async function readOutcomes(...lines: readonly string[]): Promise<readonly Outcome[]> {
  return (await readWhole(`${columns}\n${lines.map((line) => `2024-01-02,${line}\n`).join('')}`)).outcomes;
}

function problem(outcome: Outcome): string {
  return outcome.kind === 'rejected' ? `${outcome.issue.column} ${outcome.issue.code}` : outcome.kind;
}

function quantity(plain: string): Quantity {
  return parseQuantity(plain) ?? (0n as Quantity);
}

function written(stated: StatedFields): string {
  return [...writeLotbook([toDraft(1, { at: null, on: 19_724 as Day }, stated)])].join('');
}
