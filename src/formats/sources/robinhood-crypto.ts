import { formatMoney } from '../../base/decimal.ts';
import { magnitude } from '../cells/amounts.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome, readOnlyCell } from '../reader.ts';
import { readSide } from '../tables/legs.ts';
import { oneWay, readMovement } from '../tables/movements.ts';
import { readUnits } from '../tables/pairs.ts';

/**
 * Reads Robinhood crypto orders, deposits and withdrawals, exported or copied manually from its website. Times for
 * orders and copied rows have no zone and are New York time. Times for transfers are UTC. Parentheses mean money paid.
 */
export const robinhoodCrypto = coinFormat(
  { id: 'robinhood-crypto', name: 'Robinhood crypto activity', source: 'Robinhood Crypto', zone: 'local' },
  [
    {
      id: 'orders',
      price: 'Average Price',
      header: 'UUID | Time Entered | Symbol | Side | Quantity | State | Average Price | Notional',
      read: readOrder,
    },
    {
      id: 'transfers',
      header: 'id | created_at | currency_code | transfer_type | amount | network | state | to_address',
      read: readTransfer,
    },
    {
      id: 'transfers-by-hand',
      header: 'Date | Symbol | Side | Quantity | Cost Basis',
      evidence: { column: 'Side', says: /^(?:sent|received)$/i },
      read: readWritten,
    },
  ],
);

function readOrder(cells: Cells): Outcome {
  const side = cells.text('Side').toLowerCase();
  if (side === '' && readOnlyCell(cells.row) !== '') return cells.skip(skips.brokerNote);
  if (side !== 'buy' && side !== 'sell') return cells.rejected('Side', rejections.neitherPurchaseNorSale);
  const state = cells.text('State').toLowerCase();
  const quantity = cells.need('Quantity', magnitude(cells.quantity('Quantity')));
  if (/cancel|reject|fail/.test(state) && (quantity ?? 0n) === 0n) return cells.skip(skips.orderNotFilled);
  if (state !== 'filled') return cells.rejected('State', rejections.unfilledAmounts);
  return cells.read(cells.time('Time Entered', 'America/New_York'), {
    type: side,
    asset: cells.text('Symbol').toUpperCase(),
    quantity,
    amount: cells.need('Notional', magnitude(cells.money('Notional'))),
    externalId: cells.text('UUID'),
  });
}

function readTransfer(cells: Cells): Outcome {
  const moved = readSide(cells, 'currency_code', 'amount');
  const fee = readUnits(cells, 'native_network_fee', moved?.asset);
  const time = cells.time('created_at', 'UTC');
  const direction = cells.text('transfer_type').toLowerCase();
  if (/cancel|reject|fail/i.test(cells.text('state'))) return cells.skip(skips.transferNotCompleted);
  const out = /withdraw|send|sent/.test(direction);
  if (!out && !/deposit|receive/.test(direction))
    return cells.rejected('transfer_type', rejections.neitherDepositNorWithdrawal);
  cells.need('amount', moved);
  const sides = oneWay(out, moved, fee);
  const externalId = cells.text('blockchain_txn_id') || cells.text('id');
  return readMovement(cells, time, sides, { externalId });
}

/**
 * Reads a copied row. The basis of incoming units is added only to the note, because only the account that sent them
 * shows their lot.
 */
function readWritten(cells: Cells): Outcome {
  const moved = readSide(cells, 'Symbol', 'Quantity');
  const basis = cells.money('Cost Basis');
  const time = cells.time('Date', 'America/New_York');
  const side = cells.text('Side').toLowerCase();
  if (side !== 'sent' && side !== 'received') return cells.rejected('Side', rejections.notSentOrReceived);
  cells.need('Quantity', moved);
  const sides = oneWay(side === 'sent', moved);
  const note = basis === null ? '' : `Cost basis in the file: ${formatMoney(basis)}`;
  return readMovement(cells, time, sides, { note });
}
