import { expect, test } from 'bun:test';
import type { Day } from '../../src/base/day.ts';
import type { Cents, Quantity } from '../../src/base/decimal.ts';
import type { Disposal, WashSale } from '../../src/engine/model.ts';
import { disposalGroups, disposalsOf, washSaleGroups, washSalesOf } from '../../src/features/books/facts/grouped.ts';
import { ReplayFacts } from '../../src/features/books/state/replay-facts.ts';

const sale: Disposal = {
  kind: 'disposal',
  causedOn: 19_000 as Day,
  id: 'a/0.0',
  saleId: 'a',
  lotId: 'b/0',
  on: 19_000 as Day,
  asset: 'AAPL',
  assetClass: 'stock',
  account: 'Schwab',
  quantity: 1n as Quantity,
  acquired: 18_000 as Day,
  heldSince: 18_000 as Day,
  inherited: false,
  sold: 19_000 as Day,
  proceeds: 12_345n as Cents,
  basis: -7n as Cents,
  term: 'long',
  box: 'D',
  boxReason: 'The broker reported it.',
  shortSale: false,
  expired: null,
  code: '',
  adjustment: 0n as Cents,
  basisUnknown: false,
  identified: 'default',
  description: null,
};

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

function stored(disposals: readonly Disposal[]) {
  const groups = disposalGroups();
  for (const disposal of disposals) groups.add(disposal);
  return groups.all;
}

test('disposals come back as they went in, alone or with others of their kind', () => {
  const several: Disposal[] = [
    sale,
    { ...sale, id: 'a/0.1', lotId: 'b/unknown', heldSince: 17_000 as Day, adjustment: 5n as Cents },
    { ...sale, id: 'd/0.0', saleId: 'e', acquired: -3 as Day, heldSince: -3 as Day },
    { ...sale, id: 'f/0.0', saleId: 'f', box: 'E' },
    { ...sale, id: 'g/0.0', saleId: 'g', description: 'XYZF nondividend distribution', acquiredVarious: true },
    { ...sale, id: 'h/0.0', saleId: 'h', expired: 'basis', on: 19_001 as Day },
  ];
  const groups = stored(several);
  expect(groups.map((group) => group.count)).toEqual([3, 1, 1, 1]);
  expect(groups.flatMap(disposalsOf)).toEqual(several);
});

test('wash sales come back as they went in', () => {
  const several = [
    wash,
    { ...wash, id: 'x', replacementTransactionId: 'z' },
    { ...wash, permanent: true },
    { ...wash, on: 19_000 as Day },
  ];
  const groups = washSaleGroups();
  for (const one of several) groups.add(one);
  expect(groups.all.map((group) => group.count)).toEqual([2, 1, 1]);
  expect(groups.all.flatMap(washSalesOf)).toEqual(several);
});

test('no group grows without bounds, however busy the day', () => {
  const busy = Array.from({ length: 2_500 }, (_, at) => ({ ...sale, id: `a/0.${at}` }));
  const groups = stored(busy);
  expect(groups.map((group) => group.count)).toEqual([1_000, 1_000, 500]);
  expect(groups.flatMap(disposalsOf)).toEqual(busy);
});

test('whatever changes in a fact changes the digest of its day, and of no other', () => {
  const other: Disposal = { ...sale, id: 'n/0.0', saleId: 'n', causedOn: 19_001 as Day };
  const digest = (facts: readonly (Disposal | WashSale)[]) => {
    const all = new ReplayFacts();
    for (const fact of facts) all.take([fact]);
    return all.digestsUntil(other.causedOn);
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
