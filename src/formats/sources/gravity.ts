import { withLines } from '../cells/joiner.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type FormatFile, type Outcome, rowsInGroups } from '../reader.ts';
import { readCoinChange } from '../tables/coin-changes.ts';
import { Gatherer } from '../tables/gatherer.ts';
import { exchangeOfLegs, type LedgerLeg } from '../tables/leg-groups.ts';
import { readSide, type Side } from '../tables/legs.ts';

const ledgerColumns = 'transaction id | from account | to account | date utc | transaction type | amount';

/**
 * Reads Gravity by Bitstocks: a ledger between accounts, in which the all-zero account is the outside world. Rows with
 * the same number form one transaction, and a withdrawal's fee is in a second row.
 */
export const gravity = coinFormat(
  { id: 'gravity', name: 'Gravity ledger', source: 'Gravity', asksDateOrder: true },
  [
    { id: 'ledger', header: `${ledgerColumns} | status | currency | from account type | to account type` },
    { id: 'ledger-until-2020', header: `${ledgerColumns} | status | currency` },
  ],
  rowsInGroups(openTransactions, readRow),
);

const outside = '00000000-0000-0000-0000-000000000000';

interface GravityRow {
  readonly cells: Cells;
  readonly side: Side;
  readonly type: string;
  /** Whether the row enters or leaves the user's accounts. Null for a move between them. */
  readonly way: 'in' | 'out' | null;
}

function openTransactions({ layout }: FormatFile): Gatherer<GravityRow> {
  const referral = layout.id === 'ledger' ? 'referral fees payout' : 'referral fees grouping';
  return new Gatherer((rows, id) => finish(rows, id, referral));
}

function readRow(cells: Cells, transactions: Gatherer<GravityRow>): Outcome | readonly Outcome[] {
  const side = readSide(cells, 'currency', 'amount');
  cells.time('date utc');
  if (cells.flawed) return cells.refused();
  if (/cancel|fail|reject|pending/i.test(cells.text('status'))) return cells.skip(skips.transactionNotCompleted);
  if (side === null) return cells.skip(skips.zeroAmount);
  const way = cells.text('from account') === outside ? 'in' : cells.text('to account') === outside ? 'out' : null;
  const type = cells.text('transaction type').toLowerCase();
  return transactions.add(cells.text('transaction id'), { cells, side, type, way });
}

const between = /^(?:internal transfer|correction|referral fees (?:collection|grouping|transfer))$/;

function finish(rows: readonly GravityRow[], id: string, referral: string): readonly Outcome[] {
  const crossing = rows.filter(({ way }) => way !== null);
  const within = rows.filter(({ way }) => way === null);
  const skipped = within
    .filter(({ type }) => type !== referral)
    .map(({ cells, type }) =>
      between.test(type) || crossing.length > 0
        ? cells.skip(skips.movedWithinPlatform)
        : cells.rejected('transaction type', rejections.directionUnclear),
    );
  const referrals = rows
    .filter(({ type, way }) => type === referral && way !== 'out')
    .map((row) => readChange(row, 'reward', id));
  const others = crossing.filter(({ type, way }) => type !== referral || way === 'out');
  return [...skipped, ...referrals, ...(others.length === 0 ? [] : readCross(others, id))];
}

function readCross(rows: readonly GravityRow[], id: string): readonly Outcome[] {
  const [first] = rows;
  const types = new Set(rows.map(({ type, way }) => `${type} ${way}`));
  const [type = ''] = types;
  if (first !== undefined && types.size === 1 && type === 'deposit in')
    return rows.map((row) => readChange(row, 'deposit', id));
  if (first !== undefined && types.size === 1 && type === 'withdrawal out' && rows.length <= 2)
    return readWithdrawals(rows, id);
  if (rows.every((row) => row.type === 'trade')) {
    const legs = rows.map(({ cells, side, way }): LedgerLeg => ({ cells, side, out: way === 'out', isFee: false }));
    return exchangeOfLegs(legs, first?.cells.time('date utc') ?? null, 'transaction type', { externalId: id });
  }
  return rows.map(({ cells }) => cells.rejected('transaction type', rejections.unknownType));
}

/** Treats the smaller of two rows as the fee. */
function readWithdrawals(rows: readonly GravityRow[], id: string): readonly Outcome[] {
  const [main, fee] = rows.toSorted((a, b) => (a.side.quantity < b.side.quantity ? 1 : -1));
  if (main === undefined) return [];
  if (fee !== undefined && fee.side.asset !== main.side.asset)
    return rows.map(({ cells }) => cells.rejected('currency', rejections.feeUnclear));
  const outcome = readChange(main, 'withdrawal', id, fee?.side);
  const lines = rows.map(({ cells }) => cells.line);
  return outcome.kind === 'rejected' ? [outcome] : [withLines(outcome, lines)];
}

function readChange(
  { cells, side }: GravityRow,
  kind: 'deposit' | 'withdrawal' | 'reward',
  id: string,
  fee: Side | null = null,
): Outcome {
  const change = { side, sign: null, kind, fee };
  return readCoinChange(cells, cells.time('date utc'), 'amount', change, { externalId: id });
}
