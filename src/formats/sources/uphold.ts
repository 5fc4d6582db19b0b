import { isCurrency } from '../cells/currencies.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { plainDate } from '../cells/times.ts';
import { type Cells, coinFormat, type Outcome, type Time } from '../reader.ts';
import { readSide, type Side, sideWith } from '../tables/legs.ts';
import { readMovement } from '../tables/movements.ts';

/**
 * Reads Uphold transactions. Each row has an origin and a destination, with one asset for a transfer and two for an
 * exchange. Dates look like `Thu Nov 29 2018 19:00:03 GMT+0000`. In the oldest layout, amounts include the commissions.
 */
export const uphold = coinFormat({ id: 'uphold', name: 'Uphold transactions', source: 'Uphold' }, [
  {
    id: 'transactions',
    header: `Date | Destination | Destination Amount | Destination Currency | Id | Origin | Origin Amount |
      Origin Currency | Status | Type`,
    read: (cells) =>
      readRow(cells, ['Origin Currency', 'Origin Amount'], ['Destination Currency', 'Destination Amount']),
  },
  {
    id: 'oldest',
    header: `date | id | type | pair | rate | origin_currency | origin_amount | origin_commission |
      destination_currency | destination_amount`,
    read: (cells) =>
      readRow(cells, ['origin_currency', 'origin_amount'], ['destination_currency', 'destination_amount']),
  },
]);

type UpholdSideColumns = readonly [asset: string, quantity: string];

function readRow(cells: Cells, from: UpholdSideColumns, to: UpholdSideColumns): Outcome {
  const origin = readSide(cells, ...from);
  const destination = readSide(cells, ...to);
  const fee = readSide(cells, 'Fee Currency', 'Fee Amount');
  const time = cells.parseTime('Date', plainDate(cells.text('Date')));
  const status = cells.text('Status').toLowerCase();
  const type = words.get(cells.text('Type').toLowerCase());
  if (cells.flawed) return cells.refused();
  if (/cancel|fail|pending/.test(status)) return cells.skip(skips.transferNotCompleted);
  const common = { externalId: cells.text('Id') };
  if (type === undefined) return cells.rejected('Type', rejections.unknownType);
  const exchanged = origin?.asset !== destination?.asset;
  if (exchanged || type === 'transfer') {
    const exchange = { given: origin, received: destination, fee, kind: 'trade' } as const;
    const traded = readMovement(cells, time, exchange, common);
    return withMove(traded, cells, time, { type, origin, destination }, common);
  }
  if (type === 'in') return readMovement(cells, time, { received: destination }, common);
  const network = fee ?? difference(origin, destination);
  return readMovement(cells, time, { given: destination, fee: network }, common);
}

/** Adds the transfer to a trade. A row that converts and then sends, or receives and then converts, is two events. */
function withMove(
  traded: Outcome,
  cells: Cells,
  time: Time | null,
  { type, origin, destination }: { type: 'in' | 'out' | 'transfer'; origin: Side | null; destination: Side | null },
  common: { readonly externalId: string },
): Outcome {
  const moved = type === 'in' ? origin : type === 'out' ? destination : null;
  if (traded.kind !== 'read' || moved === null || isCurrency(moved.asset)) return traded;
  const move = cells.read(time, { ...common, ...moved, type: type === 'in' ? 'deposit' : 'withdrawal' });
  if (move.kind !== 'read') return move;
  const drafts = type === 'in' ? [...move.drafts, ...traded.drafts] : [...traded.drafts, ...move.drafts];
  return { ...traded, drafts };
}

const words: ReadonlyMap<string, 'in' | 'out' | 'transfer'> = new Map([
  ['in', 'in'],
  ['deposit', 'in'],
  ['out', 'out'],
  ['withdrawal', 'out'],
  ['transfer', 'transfer'],
] as const);

/** Returns the part of the amount sent that did not arrive. */
function difference(sent: Side | null, arrived: Side | null): Side | null {
  if (sent === null || arrived === null || sent.quantity <= arrived.quantity) return null;
  return sideWith(sent, -arrived.quantity);
}
