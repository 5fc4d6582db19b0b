import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { byWord, trades, transfers } from '../tables/tables.ts';

/**
 * Reads files from Coinfloor, closed in 2021: trades, with the fee on top in the counter asset, deposits and
 * withdrawals. Coinfloor calls bitcoin XBT.
 */
export const coinfloor = coinFormat(
  { id: 'coinfloor', name: 'Coinfloor trades and transfers', source: 'Coinfloor', asksDateOrder: true },
  [
    {
      id: 'trades',
      header: 'Date & Time | Base Asset | Counter Asset | Amount | Price | Total | Fee | Order Type',
      read: inBitcoin(
        trades({
          date: 'Date & Time',
          side: 'Order Type',
          pair: ['Base Asset', 'Counter Asset'],
          quantity: 'Amount',
          total: 'Total',
          fee: 'Fee',
          price: 'Price',
          id: 'Trade ID',
        }),
      ),
    },
    {
      id: 'transfers',
      header: 'Date & Time | Amount | Asset | Type',
      evidence: { column: 'Asset', says: /^XBT$/ },
      read: inBitcoin(
        transfers({
          date: 'Date & Time',
          moved: ['Asset', 'Amount'],
          way: byWord('Type'),
          wayColumn: 'Type',
          id: 'Transaction Hash',
        }),
      ),
    },
  ],
);

/** Renames XBT to BTC. */
function inBitcoin(read: (cells: Cells) => Outcome): (cells: Cells) => Outcome {
  const nameAsset = (asset: string): string => (asset === 'XBT' ? 'BTC' : asset);
  return (cells) => {
    const outcome = read(cells);
    if (outcome.kind !== 'read') return outcome;
    const drafts = outcome.drafts.map((draft) => ({
      ...draft,
      asset: nameAsset(draft.asset),
      receivedAsset: nameAsset(draft.receivedAsset),
      feeAsset: nameAsset(draft.feeAsset),
    }));
    return { ...outcome, drafts };
  };
}
