import { readQuantityRounded } from '../cells/fields.ts';
import { rejections } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { readCoinChange } from '../tables/coin-changes.ts';
import { type Kinds, readRowKind } from '../tables/kinds.ts';
import type { Side } from '../tables/legs.ts';
import { readUnits } from '../tables/pairs.ts';

const amountWithUnit = { column: 'amount', says: /^[-+][\d.,]*\d (?:BSV|BTC|BCH)(?: |$)/ };

/**
 * Reads Volt wallet files. The amount has a sign and a unit (`+0.5 BSV`), and its value may follow. The fee is on top
 * of the amount sent. The user chooses the date format, and times are in the user's zone.
 */
export const volt = coinFormat(
  { id: 'volt', name: 'Volt wallet payments', source: 'Volt', asksDateOrder: true, zone: 'local' },
  [{ id: 'payments', header: 'time | status | address | amount | txid', evidence: amountWithUnit, read: readRow }],
);

const kinds: Kinds = [
  [/^(?:received|in)$/, 'deposit'],
  [/^(?:sent|out)$/, 'withdrawal'],
];

function readRow(cells: Cells): Outcome {
  const amount = signedUnits(cells);
  const fee = readUnits(cells, 'fee', amount?.side.asset);
  const time = cells.time('time');
  const kind = readRowKind(cells, 'status', kinds);
  if (cells.flawed) return cells.refused();
  if (typeof kind !== 'string') return kind;
  if (kind === 'deposit' && fee !== null) return cells.rejected('fee', rejections.feeMayBeIncluded);
  const change = { side: amount?.side ?? null, sign: amount?.sign ?? null, kind, fee };
  return readCoinChange(cells, time, 'amount', change, { externalId: cells.text('txid') });
}

function signedUnits(cells: Cells): { readonly side: Side; readonly sign: 'in' | 'out' } | null {
  const [number = '', unit = ''] = cells.text('amount').split(' ');
  const quantity = /^[-+]/.test(number) && /^[A-Za-z]{3,5}$/.test(unit) ? readQuantityRounded(number) : undefined;
  if (quantity === undefined) {
    cells.reject('amount', rejections.amountAndUnitUnclear);
    return null;
  }
  const size = (quantity < 0n ? -quantity : quantity) as Side['quantity'];
  return { side: { asset: unit.toUpperCase(), quantity: size }, sign: quantity < 0n ? 'out' : 'in' };
}
