import { type Cells, coinFormat, type Outcome } from '../reader.ts';

/**
 * Reads the Coinbase gain/loss report, which has one row per disposed lot, already matched. Do not combine it with the
 * transaction history, which contains the same sales.
 */
export const coinbaseGainLoss = coinFormat(
  { id: 'coinbase-gain-loss', name: 'Coinbase gain/loss report', source: 'Coinbase', zone: 'local' },
  [
    {
      id: 'report',
      results: { rows: [{ column: 'Gains (Losses) (USD)', plus: ['Proceeds (USD)'], minus: ['Cost basis (USD)'] }] },
      header: `Transaction Type | Transaction ID | Tax lot ID | Asset name | Amount | Date Acquired |
        Cost basis (USD) | Date of Disposition | Proceeds (USD)`,
      read: readRow,
    },
  ],
);

function readRow(cells: Cells): Outcome {
  return cells.read(cells.time('Date of Disposition'), {
    type: 'reported_sale',
    asset: cells.text('Asset name').toUpperCase(),
    quantity: cells.need('Amount', cells.roundedQuantity('Amount')),
    acquired: cells.day('Date Acquired'),
    basis: cells.roundedMoney('Cost basis (USD)'),
    amount: cells.need('Proceeds (USD)', cells.roundedMoney('Proceeds (USD)')),
    externalId: [cells.text('Transaction ID'), cells.text('Tax lot ID')].filter((part) => part !== '').join('/'),
    note: cells.text('Transaction Type'),
  });
}
