import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Day } from '../../src/base/day.ts';
import type { Cents, Money, Quantity } from '../../src/base/decimal.ts';
import type { Disposal, Fact, WashSale } from '../../src/engine/model.ts';
import { engineVersion } from '../../src/engine/replay.ts';
import { columnsOf, factKinds } from '../../src/features/ledger/books/fact-tables.ts';
import { compareDays, FactWriter, replaceFacts } from '../../src/features/ledger/books/fact-writer.ts';
import { selectFacts, takeFacts } from '../../src/features/ledger/books/facts.queries.ts';
import { ComparedFacts, WrittenFacts } from '../../src/features/ledger/books/state/replayed.ts';
import { line } from '../forms/books.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await testDatabase();
});
afterAll(() => books.drop());

test('the engine has a new version if the members of its facts changed', () => {
  const members = factKinds.map((kind) => [kind, ...columnsOf(kind).map(([member]) => member)].join(' '));
  const known = { engineVersion, members: Bun.hash(members.join('\n')).toString(36) };
  // Increase `engineVersion`, so that stored books are calculated again, and then write both here.
  expect(known).toEqual({ engineVersion: '24', members: '1ydmvfid1null' });
});

async function newTaxpayer(): Promise<string> {
  const id = crypto.randomUUID();
  await books.asOwner((sql) => sql`insert into taxpayers (id, created_by) values (${id}, ${id})`);
  return id;
}

const { disposal: sale } = line({ id: 'a/0.0', sold: '2022-01-08', basis: '-0.07', proceeds: '123.45' });

const wash: WashSale = {
  kind: 'wash',
  causedOn: 19_000 as Day,
  id: 'a/0.0/c/0',
  disposalId: 'a/0.0',
  on: 18_990 as Day,
  replacementLotId: 'c/0',
  replacementTransactionId: 'c',
  quantity: 123_456_789_012_345_678_901_234_567_890n as Quantity,
  disallowed: 1n as Cents,
  permanent: false,
};

const all: readonly Fact[] = [
  sale,
  { ...sale, id: 'a/0.1', lotId: 'b/unknown', heldSince: 17_000 as Day, adjustment: 5n as Cents },
  { ...sale, id: 'd/0.0', saleId: 'e', acquired: -3 as Day, heldSince: -3 as Day, inherited: true },
  { ...sale, id: 'g/0.0', description: 'XYZF "nondividend", {distribution}', acquiredVarious: true },
  { ...sale, id: 'h/0.0', expired: 'basis', on: 19_001 as Day, shortSale: true, basisUnknown: true },
  wash,
  { ...wash, id: 'x', replacementTransactionId: 'z', permanent: true },
  {
    ...{ kind: 'income', causedOn: 19_000 as Day, id: 'i/0', transactionId: 'i', on: 19_000 as Day },
    ...{ type: 'staking', asset: 'ETH', account: 'Kraken', amount: 123_456_789n as Money },
  },
  {
    ...{ kind: 'contract_1256', causedOn: 19_000 as Day, id: 'k/0.0', transactionId: 'k', on: 19_000 as Day },
    ...{ asset: 'SPX', account: 'Tasty', gain: -100n as Cents },
  },
  {
    ...{
      kind: 'issue',
      causedOn: 19_002 as Day,
      id: 'l',
      issue: 'oversold',
      on: 19_002 as Day,
      asset: 'A',
      account: '',
    },
    ...{ transactions: ['l', 'null', 'a "quoted", {one}'], dollars: 7n as Cents, detail: 'Say "so", \\ or not.' },
  },
];

test('facts survive the round trip through their tables', async () => {
  const scope = { taxpayerId: await newTaxpayer(), book: 'AAPL' };
  const facts = new ComparedFacts();
  facts.take(all);
  const asOf = 19_001 as Day;
  const changed = compareDays(new Map(), facts.digestsUntil(asOf));
  const read = await books.database.asTaxpayer(scope.taxpayerId, async (sql) => {
    const other = new Map([[sale.causedOn, [sale]]]);
    await replaceFacts(sql, scope.taxpayerId, [
      { book: scope.book, days: facts.byDay, changed, asOf, waitedAfter: null },
      { book: 'MSFT', days: other, changed: { gone: [], come: new Set(other.keys()) }, asOf, waitedAfter: null },
    ]);
    const stored = [];
    for (const kind of factKinds) stored.push(...(await selectFacts(sql, kind, scope)));
    const [sum] = await sql<{ gain: string }[]>`
      select sum(proceeds - basis + adjustment) as gain
      from disposals where taxpayer_id = ${scope.taxpayerId} and book = ${scope.book}`;
    const taken = await takeFacts(sql, scope.taxpayerId, [
      { book: scope.book, after: '2022-01-07', until: '2022-01-08' },
      { book: scope.book, after: '2022-01-09', until: 'infinity' },
    ]);
    const left = await sql<{ book: string }[]>`select book from disposals where taxpayer_id = ${scope.taxpayerId}`;
    return { stored, gain: sum?.gain, taken, left: left.map(({ book }) => book) };
  });
  expect(read.stored).toEqual([...all]);
  expect(read.gain).toBe('617.65');
  expect(
    read.taken
      .map(({ fact }) => fact)
      .sort((a, b) => all.findIndex(({ id }) => id === a.id) - all.findIndex(({ id }) => id === b.id)),
  ).toEqual([...all]);
  expect(new Set(read.taken.map(({ book }) => book))).toEqual(new Set([scope.book]));
  expect(read.left).toEqual(['MSFT']);
});

test('fields shared by all facts in a statement survive the round trip', async () => {
  const shared = { description: 'XYZF', expired: 'basis', acquiredVarious: true } as const;
  const flags = { inherited: true, shortSale: true, basisUnknown: true } as const;
  const twice: readonly Fact[] = ['a/0.0', 'a/0.1'].map((id) => ({ ...sale, ...shared, ...flags, id }));
  const washes: readonly Fact[] = ['x', 'y'].map((id) => ({ ...wash, id, permanent: true }));
  const scope = { taxpayerId: await newTaxpayer(), book: 'AAPL' };
  const facts = new ComparedFacts();
  facts.take([...twice, ...washes]);
  const changed = compareDays(new Map(), facts.digestsUntil(null));
  const stored = await books.database.asTaxpayer(scope.taxpayerId, async (sql) => {
    await replaceFacts(sql, scope.taxpayerId, [
      { book: scope.book, days: facts.byDay, changed, asOf: null, waitedAfter: null },
    ]);
    return [...(await selectFacts(sql, 'disposal', scope)), ...(await selectFacts(sql, 'wash', scope))];
  });
  expect<readonly Fact[]>(stored).toEqual([...twice, ...washes]);
});

test('facts written directly equal facts that were compared first, in storage, digest and sum', async () => {
  const loss: Disposal = { ...sale, id: 'm/0.0', proceeds: 1n as Cents, basis: 900n as Cents };
  const denied = { ...wash, id: 'm/0.0/c/0', disposalId: loss.id, on: loss.on, disallowed: 40n as Cents };
  // A wash sale may come before its disposal, long after it, or several times, but it never reduces a gain.
  const days: readonly (readonly Fact[])[] = [
    all,
    [{ ...denied, id: 'm/0.0/b/0' }, loss, denied],
    [{ ...denied, id: 'm/0.0/n/0', causedOn: 19_040 as Day, permanent: true }],
    [{ ...wash, id: 'h/0.0/c/0', disposalId: 'h/0.0', on: 19_001 as Day }],
    [{ ...sale, id: 'o/0.0', on: 19_400 as Day, causedOn: 19_040 as Day, term: 'long', box: 'F' }],
    [{ ...denied, id: 'p/0.0/c/0', disposalId: 'p/0.0', on: 19_400 as Day }],
  ];
  const scope = { taxpayerId: await newTaxpayer(), book: 'AAPL' };
  const compared = new ComparedFacts();
  for (const day of days) compared.take(day);
  const stored = await books.database.asTaxpayer(scope.taxpayerId, async (sql) => {
    const writer = new FactWriter(sql, scope.taxpayerId);
    const written = new WrittenFacts(scope.book, writer);
    for (const day of days) written.take(day);
    await writer.end();
    for (const asOf of [19_000, 19_040] as Day[]) {
      expect(written.digestsUntil(asOf)).toEqual(compared.digestsUntil(asOf));
    }
    expect(await written.sum()).toEqual(await compared.sum());
    expect(written.size).toBe(compared.size);
    const facts: Fact[] = [];
    for (const kind of factKinds) facts.push(...(await selectFacts(sql, kind, scope)));
    return facts;
  });
  expect(byId(stored)).toEqual(byId(days.flat()));
});

function byId(facts: readonly Fact[]): Fact[] {
  return facts.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

test('a change in a fact changes only the digest of its day', () => {
  const other: Disposal = { ...sale, id: 'n/0.0', saleId: 'n', causedOn: 19_001 as Day };
  const digest = (facts: readonly (Disposal | WashSale)[]) => {
    const found = new ComparedFacts();
    for (const fact of facts) found.take([fact]);
    return found.digestsUntil(other.causedOn);
  };
  const before = digest([sale, wash, other]);
  const changes: Partial<Disposal>[] = [
    { box: 'E' },
    { lotId: 'b/1' },
    { basis: -8n as Cents },
    { code: 'L' },
    { expired: 'proceeds' },
    { heldSince: 17_999 as Day },
    { account: 'Fidelity' },
    { acquiredVarious: true },
  ];
  for (const change of changes) {
    const after = digest([{ ...sale, ...change }, wash, other]);
    expect(after.get(sale.causedOn)).not.toBe(before.get(sale.causedOn) as string);
    expect(after.get(other.causedOn)).toBe(before.get(other.causedOn) as string);
  }
  expect(digest([sale, { ...wash, disallowed: 2n as Cents }, other]).get(sale.causedOn)).not.toBe(
    before.get(sale.causedOn) as string,
  );
});
