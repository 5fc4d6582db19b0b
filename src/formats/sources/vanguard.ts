import type { TransactionType } from '../../engine/model.ts';
import { magnitude, negateAmount, noneIfZero } from '../cells/amounts.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { brokerFormat, type Outcome } from '../reader.ts';
import { type ActivityRow, activity, stateAction } from '../tables/account-activity.ts';
import type { ActionKind, ActionRow } from '../tables/corporate-actions.ts';
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
  activity({
    columns: {
      ...{ time: 'Trade Date', kind: 'Transaction Type', asset: 'Symbol' },
      ...{ quantity: 'Shares', price: 'Share Price', amount: 'Net Amount', accrued: 'Accrued Interest' },
    },
    fees: ['Commission Fees | Commissions and Fees | Commission'],
    asOf: ['Transaction Type', 'Transaction Description'],
    describes: ['Transaction Type', 'Transaction Description', 'Investment Name'],
    findsCusips: true,
    unknown: rejections.unknownType,
    common: (cells) => ({ account: ['Vanguard', cells.text('Account Number').slice(-4)].join(' ').trim() }),
    open: () => ({ ended: false }),
    skip: (row, _kind, table) => {
      // A table of lots may follow. Its rows are not transactions.
      table.ended ||= row.cells.text('Account Number') === 'Account Number';
      return table.ended ? skips.otherTable : isCash(row) ? skips.cashMoved : null;
    },
    action: stateDirectedAction,
    special: readDifferent,
    kinds: [
      // Actions with one row for the shares removed and one for the shares received.
      [/^conversion(?: \((?:outgoing|incoming)\))?$/, { action: 'rename' }],
      [/^(?:name|cusip|symbol) change(?: \((?:outgoing|incoming)\))?$/, { action: 'rename' }],
      [/^(?:corp action \()?reverse (?:stock )?split\)?$/, { action: 'split' }],
      [/^(?:corp action \((?:exchange|merger)\)|merger(?: \((?:outgoing|incoming)\))?)$/, { action: 'exchange' }],
      [/^(?:corp action \()?(?:cash merger|redemption)\)?$/, { action: 'payout' }],
      [/^(?:corp action \()?spin-? ?off\)?$/, 'spinoff'],
      [/\bcash in lieu\b/, { refuse: rejections.fractionMissing }],
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
      [/^(?:sweep|funds|withdrawal|contribution|wire|ach|transfer)/, 'transfer'],
    ],
  }),
);

/** Returns whether a row moves only cash or shares of the settlement fund. */
function isCash({ word, asset, quantity, net }: ActivityRow): boolean {
  if (/^(?:buy|reinvestment)/.test(word)) return asset === 'VMFXX';
  const movesShares = asset !== '' && asset !== 'VMFXX' && (quantity ?? 0n) !== 0n && (net ?? 0n) === 0n;
  return /^(?:sweep|funds|withdrawal|contribution|wire|ach|transfer \(cash)/.test(word) && !movesShares;
}

function stateDirectedAction(row: ActivityRow, kind: ActionKind): ActionRow {
  const { asset, net, common } = row;
  const shares = noneIfZero(row.quantity);
  const direction = /\((outgoing|incoming)\)$/.exec(row.word)?.[1];
  const size = magnitude(shares);
  const quantity = direction === 'outgoing' ? negateAmount(size) : direction === 'incoming' ? size : shares;
  // Both rows contain the shares' value, with opposite signs, so the sum is the cash.
  const action = stateAction(row, kind, { asset, quantity, net });
  return { ...action, amount: net, fee: null, name: row.cells.text('Investment Name'), common };
}

function readDifferent(row: ActivityRow, type: TransactionType | 'transfer'): Outcome | null {
  const { cells } = row;
  const quantity = noneIfZero(row.quantity);
  if (type === 'transfer') return quantity === null ? cells.skip(skips.cashMoved) : null;
  if (type === 'split')
    return cells.read(row.time, { ...row.common, type, asset: row.asset, quantity: cells.need('Shares', quantity) });
  if (type !== 'buy' && type !== 'sell') return null;
  const stated = row.stateTrade(type);
  checkAgain(cells, 'Principal Amount', stated.amount ?? null, 'the net amount before its fee');
  return cells.read(row.time, stated);
}
