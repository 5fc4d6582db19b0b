import { readQuantityRounded, saysNone, splitUnit } from '../cells/fields.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { type Kinds, readRowKind } from '../tables/kinds.ts';
import type { Side } from '../tables/legs.ts';
import { readMovement } from '../tables/movements.ts';

/**
 * Reads Circle files until 2017: dollars and bitcoin moved from one account to another. For external transfers, the
 * other side shows the value in dollars. Amounts have a sign or a unit (`$100.00`, `0.25 BTC`).
 */
export const circle = coinFormat({ id: 'circle', name: 'Circle transactions', source: 'Circle' }, [
  {
    id: 'transactions',
    header: `Date | Reference ID | Transaction Type | From Account | To Account | From Amount | From Currency |
      To Amount | To Currency | Status`,
    read: readRow,
  },
]);

const kinds: Kinds = [
  [/^(?:deposit|withdrawal|internal_switch_currency|switch_currency)$/, 'trade'],
  ['spend', 'withdrawal'],
  ['receive', 'deposit'],
  ['fork', 'airdrop'],
];

function readRow(cells: Cells): Outcome {
  const given = readAmountSide(cells, 'From Amount', 'From Currency');
  const received = readAmountSide(cells, 'To Amount', 'To Currency');
  const time = cells.time('Date');
  const kind = readRowKind(cells, 'Transaction Type', kinds);
  if (cells.flawed) return cells.refused();
  if (/cancel|fail|reject|pending|declin|revers/i.test(cells.text('Status')))
    return cells.skip(skips.transferNotCompleted);
  if (typeof kind !== 'string') return kind;
  const sides =
    kind === 'trade'
      ? { given, received }
      : kind === 'withdrawal'
        ? { given, received: null }
        : { given: null, received };
  cells.need(kind === 'withdrawal' ? 'From Amount' : 'To Amount', sides.received ?? sides.given);
  const common = { externalId: cells.text('Reference ID') };
  return readMovement(cells, time, { ...sides, kind }, common);
}

/** Reads `$100.00`, `0.25 BTC` or `0.25`. The next column contains the currency. */
function readAmountSide(cells: Cells, amountColumn: string, currencyColumn: string): Side | null {
  const text = cells.text(amountColumn);
  if (saysNone(text)) return null;
  const quantity = readQuantityRounded(splitUnit(text).number);
  if (quantity === undefined) {
    cells.reject(amountColumn, rejections.unreadableNumber('quantity'));
    return null;
  }
  const asset = cells.text(currencyColumn).toUpperCase();
  if (asset === '') cells.reject(currencyColumn, rejections.quantityWithoutAsset);
  else cells.needUnit(amountColumn, asset);
  if (quantity === 0n) return null;
  return { asset, quantity: (quantity < 0n ? -quantity : quantity) as Side['quantity'] };
}
