import type { TransactionType } from '../../engine/model.ts';
import { magnitude, negateAmount, noneIfZero, toFee } from '../cells/amounts.ts';
import { cashMoved, fractionMissing, requiredHere, unknownType } from '../cells/reasons.ts';
import { brokerFormat, type Cells, type HeaderColumns, type Outcome, rowsWith, type Time } from '../reader.ts';
import { asDebt, findCusip } from '../tables/bonds.ts';
import { grossPaid, grossReceived, rejectIncomplete, rejectSpinoff, sharesMoved } from '../tables/brokers.ts';
import { type ActionKind, type ActionRow, CorporateActions } from '../tables/corporate-actions.ts';
import { checkAgain } from '../tables/stated-money.ts';

/**
 * Reads Vanguard's download: a table of holdings, then one of transactions. Dates have no time, the net amount is
 * signed, and every row ends with a comma.
 */
export const vanguard = brokerFormat(
  { id: 'vanguard', name: 'Vanguard transactions', source: 'Vanguard' },
  [
    {
      id: 'transactions',
      header: `Account Number | Trade Date | Settlement Date | Transaction Type | Symbol | Shares | Share Price |
        Principal Amount | Net Amount`,
    },
  ],
  rowsWith(
    () => ({ actions: new CorporateActions(), ended: false }),
    (cells, table, { columns }) => {
      // A table of lots may follow. Its rows are not transactions.
      table.ended ||= cells.text('Account Number') === 'Account Number';
      if (table.ended) return cells.skip('Another table');
      const word = cells.text('Transaction Type').toLowerCase();
      const kind = actionKinds.find(([pattern]) => pattern.test(word))?.[1];
      return kind === undefined ? readRow(cells, columns) : table.actions.add(actionRow(cells, kind));
    },
    ({ actions }) => actions.end(),
  ),
);

/** Actions with one row for the shares removed and one for the shares received. */
const actionKinds: readonly (readonly [RegExp, ActionKind])[] = [
  [/^conversion(?: \((?:outgoing|incoming)\))?$/, 'rename'],
  [/^(?:name|cusip|symbol) change(?: \((?:outgoing|incoming)\))?$/, 'rename'],
  [/^(?:corp action \()?reverse (?:stock )?split\)?$/, 'split'],
  [/^(?:corp action \((?:exchange|merger)\)|merger(?: \((?:outgoing|incoming)\))?)$/, 'exchange'],
  [/^(?:corp action \()?(?:cash merger|redemption)\)?$/, 'payout'],
];

function actionRow(cells: Cells, kind: ActionKind): ActionRow {
  const asset = cells.text('Symbol').toUpperCase();
  if (asset === '') cells.reject('Symbol', 'missing', requiredHere);
  const shares = noneIfZero(cells.quantity('Shares'));
  // Both rows contain the shares' value, with opposite signs, so the sum is the cash.
  const amount = cells.money('Net Amount');
  if (shares === null) cells.need('Net Amount', amount);
  const direction = /\((outgoing|incoming)\)$/.exec(cells.text('Transaction Type').toLowerCase())?.[1];
  const size = magnitude(shares);
  const quantity = direction === 'outgoing' ? negateAmount(size) : direction === 'incoming' ? size : shares;
  const common = { account: formatAccountName(cells) };
  const name = cells.text('Investment Name');
  return {
    cells,
    column: 'Transaction Type',
    time: readRowTime(cells),
    kind,
    asset,
    name,
    quantity,
    amount,
    common,
  };
}

const kinds: readonly (readonly [RegExp, TransactionType | null])[] = [
  [/^buy/, 'buy'],
  [/^sell/, 'sell'],
  [/^(?:redemption|redeemed|maturity|matured|full call|call\b)/, 'sell'],
  [/^reinvestment/, 'buy'],
  [/^dividend/, 'dividend'],
  [/^capital gain \(st\)|^short-term/, 'dividend'],
  [/^capital gain/, 'capital_gain_distribution'],
  [/^interest/, 'interest'],
  [/^(?:corp action \()?stock (?:split|dividend)\)?$/, 'split'],
  [/^return of capital/, 'return_of_capital'],
  [/^(?:sweep|funds|withdrawal|contribution|wire|ach|transfer \(cash)/, null],
  [/^transfer/, 'deposit'],
];

function readRow(cells: Cells, columns: HeaderColumns): Outcome {
  const kind = cells.text('Transaction Type').toLowerCase();
  if (/^(?:corp action \()?spin-? ?off\)?$/.test(kind)) {
    const quantity = cells.quantity('Shares');
    return rejectSpinoff(cells, 'Transaction Type', { asset: cells.text('Symbol').toUpperCase(), quantity });
  }
  if (/\bcash in lieu\b/.test(kind)) return rejectIncomplete(cells, 'Transaction Type', fractionMissing);
  const entry = kinds.find(([pattern]) => pattern.test(kind));
  if (entry === undefined) return cells.rejected('Transaction Type', 'unknown_type', unknownType);
  const [, type] = entry;
  const description = [kind, cells.text('Transaction Description'), cells.text('Investment Name')].join(' ');
  const asset = cells.text('Symbol').toUpperCase() || findCusip(description.toUpperCase());
  const shares = cells.quantity('Shares');
  const net = cells.money('Net Amount');
  const isInKind = type === null && asset !== '' && asset !== 'VMFXX' && (shares ?? 0n) !== 0n && (net ?? 0n) === 0n;
  if (!isInKind && (type === null || (type === 'buy' && asset === 'VMFXX'))) return cells.skip(cashMoved);
  const fee = toFee(cells.money(columns.pick('Commission Fees', 'Commissions and Fees', 'Commission')));
  const account = formatAccountName(cells);
  const time = readRowTime(cells);
  if (type === 'deposit' || type === null) {
    if (asset === '' || shares === null || shares === 0n) return cells.skip(cashMoved);
    return cells.read(time, { ...sharesMoved(shares), asset, account });
  }
  if (type === 'split') {
    const quantity = cells.need('Shares', noneIfZero(shares));
    return cells.read(time, { type, asset, account, quantity });
  }
  const amount = cells.need('Net Amount', net);
  if (type !== 'buy' && type !== 'sell') return cells.read(time, { type, asset, account, amount });
  if (asset === '') cells.reject('Symbol', 'missing', requiredHere);
  const quantity = cells.need('Shares', magnitude(shares));
  const gross = type === 'buy' ? grossPaid(amount, fee) : grossReceived(amount, fee);
  const stated = { type, asset, account, quantity, fee, amount: gross };
  const accrued = cells.money('Accrued Interest');
  const debt = asDebt(cells, { stated, description, price: 'Share Price', accrued });
  checkAgain(cells, 'Principal Amount', debt.amount ?? null, 'the net amount before its fee');
  return cells.read(time, debt);
}

function formatAccountName(cells: Cells): string {
  return ['Vanguard', cells.text('Account Number').slice(-4)].join(' ').trim();
}

function readRowTime(cells: Cells): Time | null {
  return cells.effectiveTime('Trade Date', ['Transaction Type', 'Transaction Description']);
}
