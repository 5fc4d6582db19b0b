import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { transitPrefix } from '../../src/engine/book/own-accounts.ts';
import { listAssetKeys } from '../../src/engine/events/keys.ts';
import type { IssueKind, Transaction } from '../../src/engine/model.ts';
import { type Book, emptyBook, replay } from '../../src/engine/replay.ts';
import { rowOf } from '../../src/engine/transaction-types.ts';
import { actionTypes, compareUnitRows, endingTypes, UnitCounts } from '../../src/features/ledger/balances/units.ts';
import { type Drawn, histories } from '../oracle/histories/generate.ts';
import { draws } from '../support/depth.ts';
import { seedFor } from '../support/seed.ts';

const seed = seedFor('units counted against lots');
const numRuns = draws(300, 3_000);

/**
 * Issues that allow units in lots and rows to differ: more units were disposed of than were held, or units came from an
 * unknown source.
 */
const parting: ReadonlySet<IssueKind> = new Set([
  'oversold',
  'short_exceeded',
  'option_not_open',
  'option_expired',
  'transfer_unpaired',
  'unreconciled',
  'basis_missing',
]);

test('the units from rows equal the units in lots minus the units owed, for random histories', () => {
  let compared = 0;
  const property = fc.property(histories(25), (drawn) => {
    // Units are counted by account, so no lots may be in wallets that span several accounts or in the universal pool.
    const rules = { ...drawn.rules, accounts: {}, digitalAssetScopeBefore2025: 'per_wallet' as const };
    // Corporate actions have no time of day.
    const history = drawn.history.map((row) => (actionTypes.has(row.type) ? { ...row, at: null } : row));
    const { held, isPlain } = heldOf({ history, rules });
    if (!isPlain || !isCounted(history)) return;
    compared += 1;
    expect(countedOf(history)).toEqual(held);
  });
  fc.assert(property, { seed, numRuns });
  expect(compared).toBeGreaterThan(numRuns / 20);
});

/** Returns whether units can be counted without lots. */
function isCounted(history: readonly Transaction[]): boolean {
  // A row that reverses another one has the original units of that row, regardless of later splits.
  if (history.some(({ amount }) => amount !== null && amount < 0n)) return false;
  // Worthless units are removed at the end of their year, regardless of splits after their row.
  const isEnding = history.some(({ type }) => type === 'worthless');
  if (isEnding && history.some(({ type }) => actionTypes.has(type))) return false;
  // If an asset is both held and owed, an action or an expiration may affect either.
  const isOwed = history.some(({ type }) => rowOf(type).lots === 'opens_short');
  return !(isOwed && history.some(({ type }) => endingTypes.has(type) || actionTypes.has(type)));
}

function heldOf({ history, rules }: Drawn): { readonly held: Record<string, string>; readonly isPlain: boolean } {
  const { book, facts } = replay(emptyBook(), history, rules, new Set(history.flatMap(listAssetKeys)));
  const isPlain = facts.every((fact) => fact.kind !== 'issue' || !parting.has(fact.issue));
  return { held: unitsIn(book), isPlain };
}

function unitsIn(book: Book): Record<string, string> {
  const units = new Map<string, bigint>();
  const add = (account: string, asset: string, quantity: bigint): void => {
    const name = `${account} ${asset}`;
    units.set(name, (units.get(name) ?? 0n) + quantity);
  };
  for (const { account, lots } of book.pools) {
    if (account.startsWith(transitPrefix)) continue;
    for (const lot of lots) add(account, lot.asset, lot.quantity);
  }
  for (const short of book.shorts) add(short.account, short.asset, -short.quantity);
  for (const option of book.written) add(option.account, option.asset, -option.quantity);
  return textsOf(units);
}

function countedOf(history: readonly Transaction[]): Record<string, string> {
  const counts = new UnitCounts();
  const names = new Map<string, readonly [account: string, asset: string]>();
  for (const row of history.toSorted(compareUnitRows)) {
    for (const { account, asset } of counts.take(row)) names.set(`${account} ${asset}`, [account, asset]);
  }
  return textsOf(new Map([...names].map(([name, [account, asset]]) => [name, counts.unitsOf(account, asset)])));
}

/** Omits foreign currency, which has lots only for units with a known cost. */
function textsOf(units: ReadonlyMap<string, bigint>): Record<string, string> {
  const counted = [...units].filter(([name, quantity]) => quantity !== 0n && !name.endsWith(' EUR'));
  const entries = counted.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, quantity]) => [name, quantity.toString()]));
}
