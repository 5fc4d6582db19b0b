import { Joiner, withLines } from '../cells/joiner.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome, rowsInGroups, type StatedFields } from '../reader.ts';
import { findLabelType, incomeLabels, outgoingLabels } from '../tables/kinds.ts';
import { readSide, type Side } from '../tables/legs.ts';
import { readMovement } from '../tables/movements.ts';

/**
 * Reads CoinLedger's own transactions: a row for each leg, joined by the internal id. Times are UTC. Voyager gave its
 * customers the same file, without the account name.
 */
export const coinLedgerTransactions = coinFormat(
  { id: 'coinledger-transactions', name: 'CoinLedger transactions', source: 'CoinLedger', zone: 'local' },
  [{ id: 'export', header: 'Timestamp (UTC) | Type | Internal Id | Platform | Record Type | Asset | Amount' }],
  rowsInGroups(() => new Joiner<CoinledgerLeg>((legs) => finish(legs), legsMax), readRow),
);

interface CoinledgerLeg {
  readonly cells: Cells;
  readonly side: Side;
  readonly role: 'given' | 'received' | 'fee';
}

const roles: ReadonlyMap<string, CoinledgerLeg['role']> = new Map([
  ['debit', 'given'],
  ['credit', 'received'],
  ['platform fee', 'fee'],
  ['network fee', 'fee'],
]);
/** Two sides and two fees. A group with more rows is not one transaction. */
const legsMax = 4;
const twoSided = new Set(['buy', 'sell', 'trade']);

function readRow(cells: Cells, legs: Joiner<CoinledgerLeg>): Outcome | readonly Outcome[] {
  const record = cells.text('Record Type').toLowerCase();
  const side = readSide(cells, 'Asset', 'Amount');
  cells.time('Timestamp (UTC)', 'UTC');
  const id = cells.text('Internal Id');
  if (cells.flawed) return cells.refused();
  if (/margin/i.test(`${cells.text('Type')} ${record}`)) return cells.rejected('Type', rejections.marginGains);
  const role = roles.get(record);
  if (role === undefined) return cells.rejected('Record Type', rejections.unknownLeg);
  if (side === null) return cells.skip(skips.zeroAmount);
  return legs.add(id === '' ? `line ${cells.line}` : id, { cells, side, role });
}

function finish(legs: readonly CoinledgerLeg[]): Outcome[] {
  const [given, received, fee] = (['given', 'received', 'fee'] as const).map((role) =>
    legs.find((leg) => leg.role === role),
  );
  const leg = given ?? received ?? fee;
  if (leg === undefined) return [];
  const { cells } = leg;
  const type = cells.text('Type').toLowerCase();
  const sides = [given, received, fee].filter((leg) => leg !== undefined);
  const orphan = twoSided.has(type) && (given === undefined || received === undefined);
  if (orphan || sides.length !== legs.length) {
    return legs.map((leg) => leg.cells.rejected('Internal Id', rejections.legsMissing));
  }
  const common: Partial<StatedFields> = {
    account: accountOf(cells),
    externalId: cells.text('Internal Id'),
    note: cells.text('Description'),
  };
  const movement = {
    given: given?.side ?? null,
    received: received?.side ?? null,
    fee: fee?.side ?? null,
    kind: findLabelType(type, received === undefined ? outgoingLabels : incomeLabels),
    toAccount: received === undefined ? '' : accountOf(received.cells),
  };
  const outcome = readMovement(cells, cells.time('Timestamp (UTC)', 'UTC'), movement, common);
  return [
    withLines(
      outcome,
      legs.map((leg) => leg.cells.line),
    ),
  ];
}

function accountOf(cells: Cells): string {
  return cells.text('Account Name') || cells.text('Platform');
}
