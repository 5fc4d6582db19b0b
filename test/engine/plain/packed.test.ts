import { expect, test } from 'bun:test';
import type { Day } from '../../../src/base/day.ts';
import type { OpenLot } from '../../../src/engine/book/book.ts';
import { isSameLot, packLot, unpackLot } from '../../../src/engine/resume/packed.ts';

const lot: OpenLot = {
  id: 't1/0',
  origin: 't1/0',
  openedBy: 't1',
  label: 'a\u001f"b',
  key: 'security:X',
  asset: 'X',
  assetClass: 'stock',
  account: 'Broker',
  quantity: 10n,
  used: 0n,
  wholeQuantity: 10n,
  wholeBasis: 1000n,
  basisTaken: 0n,
  unitBasis: 100n,
  unitQuantity: 10n,
  lossBasis: null,
  lossTaken: 0n,
  givenOn: null,
  acquired: 19_000 as Day,
  heldSince: 19_000 as Day,
  inherited: false,
  restartedOn: null,
  purchasedOn: 19_000 as Day,
  sequence: 7,
  children: 0,
  adjusted: false,
  basisUnknown: false,
  covered: true,
  shares: null,
  underlyingKey: null,
  right: null,
};

/** A different value for each member except the id. */
const changes: readonly Partial<OpenLot>[] = [
  ...[{ origin: 't0/0' }, { openedBy: 't0' }, { label: '' }, { key: 'coin:X' }, { asset: 'Y' }, { account: 'A' }],
  ...[{ assetClass: 'fund' as const }, { quantity: 9n }, { used: 1n }, { wholeQuantity: 11n }, { wholeBasis: 999n }],
  ...[{ basisTaken: 1n }, { unitBasis: 101n }, { unitQuantity: 11n }, { lossBasis: 900n }, { lossTaken: 1n }],
  ...[{ givenOn: 18_000 as Day }, { acquired: 18_000 as Day }, { heldSince: 18_000 as Day }, { inherited: true }],
  ...[{ restartedOn: 19_001 as Day }, { purchasedOn: null }, { sequence: 8 }, { children: 1 }, { adjusted: true }],
  ...[{ basisUnknown: true }, { covered: false }, { shares: 100n }, { underlyingKey: 'security:Y' }],
  ...[{ right: 'call' as const }, { leavesLast: true as const }],
  { notOnForm: { stepUp: 1n, heldSince: 18_000 as Day } },
];

test('a lot equals its text form in every member', () => {
  expect(unpackLot(packLot(lot))).toEqual(lot);
  for (const change of changes) {
    const other = { ...lot, ...change };
    expect(unpackLot(packLot(other))).toEqual(other);
    expect([packLot(other) === packLot(lot), isSameLot(other, lot)]).toEqual([false, false]);
  }
  expect(isSameLot({ ...lot }, lot)).toBe(true);
  // All members except the id, and two members that few lots have.
  expect(new Set(changes.flatMap(Object.keys)).size).toBe(Object.keys(lot).length - 1 + 2);
});
