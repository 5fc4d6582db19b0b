import type { Quantity } from '../../base/decimal.ts';
import { isCurrency } from '../cells/currencies.ts';
import { readQuantityRounded, saysNone, splitUnit } from '../cells/fields.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type HeaderColumns, type Outcome, rowsWith } from '../reader.ts';
import { readExchange, type Side } from '../tables/legs.ts';
import { oneWay, readMovement } from '../tables/movements.ts';

/**
 * Reads Gemini history, which has three columns for every asset held (amount, fee, balance). Cells include their unit
 * (`(0.07 BTC)`), and negative amounts were sent. Date and time are two columns, in UTC.
 */
export const gemini = coinFormat(
  { id: 'gemini', name: 'Gemini transaction history', source: 'Gemini', zone: 'local' },
  [
    {
      id: 'history',
      header: 'Date | Time (UTC) | Type | Symbol | Specification | Liquidity Indicator | Trading Fee Rate (bps)',
    },
  ],
  rowsWith(({ columns }) => findAssetColumns(columns), readRow),
);

interface AssetColumns {
  readonly amounts: readonly { readonly asset: string; readonly column: string }[];
  readonly fees: readonly { readonly asset: string; readonly column: string }[];
}

function findAssetColumns(columns: HeaderColumns): AssetColumns {
  const findColumns = (pattern: RegExp): { asset: string; column: string }[] =>
    columns.names.flatMap((column) => {
      const asset = pattern.exec(column)?.[1];
      return asset === undefined ? [] : [{ asset: asset.toUpperCase(), column }];
    });
  return { amounts: findColumns(/^([A-Z0-9]+) Amount\b/i), fees: findColumns(/\bFee \(([A-Z0-9]+)\)/i) };
}

interface SignedSide extends Side {
  readonly out: boolean;
  readonly column: string;
}

function readRow(cells: Cells, columns: AssetColumns): Outcome {
  const type = cells.text('Type').toLowerCase();
  if (type === '' && cells.text('Date') === '') return cells.skip(skips.totalRow);
  if (type === 'monthly interest summary') return cells.skip(skips.summaryOfRows);
  const sides = columns.amounts.flatMap((column) => readSignedSides(cells, column));
  const [fee = null, another] = columns.fees.flatMap((column) => readSignedSides(cells, column));
  if (another !== undefined) cells.reject(another.column, rejections.twoFees);
  const time = cells.parseTime('Date', `${cells.text('Date')} ${cells.text('Time (UTC)')}`.trim(), 'UTC');
  if (cells.flawed) return cells.refused();
  const externalId = cells.text('Trade ID') || cells.text('Tx Hash');
  const [given, received] = [sides.find((side) => side.out), sides.find((side) => !side.out)];
  if (type === 'buy' || type === 'sell') {
    if (sides.length !== 2 || given === undefined || received === undefined) {
      return cells.rejected('Symbol', rejections.oneSentOneReceived);
    }
    return readExchange(cells, time, { given, received, fee }, { externalId });
  }
  const [side] = sides;
  if (side === undefined || sides.length > 1) return cells.rejected('Type', rejections.oneAmountNeeded);
  return readMove(cells, time, type, { side, fee }, externalId);
}

function readMove(
  cells: Cells,
  time: ReturnType<Cells['time']>,
  type: string,
  { side, fee }: { readonly side: Side; readonly fee: Side | null },
  externalId: string,
): Outcome {
  const earned = earnedBy.test(cells.text('Specification'));
  const { asset } = side;
  if (type === 'interest credit') {
    const interest = { received: side, fee, kind: 'interest' as const };
    return readMovement(cells, time, interest, { externalId });
  }
  if (isCurrency(asset)) return cells.skip(skips.currencyMoved(asset));
  const kind = type === 'credit' ? (earned ? 'reward' : 'deposit') : type === 'debit' ? 'withdrawal' : undefined;
  if (kind === undefined) return cells.rejected('Type', rejections.unknownType);
  return readMovement(cells, time, { ...oneWay(kind === 'withdrawal', side), fee, kind }, { externalId });
}

/** Matches income from Gemini. A redemption or transfer in Earn returns the customer's own units. */
const earnedBy =
  /^(?:administrative credit|(?:gemini )?earn(?: interest| payout)?|(?:(?:gemini )?(?:credit )?card |custody |staking )?rewards?(?: payout| credit)?|(?:promotion(?:al)?|referral)(?: credit| bonus| reward)?)$/i;

function readSignedSides(cells: Cells, { asset, column }: { asset: string; column: string }): SignedSide[] {
  const text = cells.text(column);
  if (saysNone(text)) return [];
  const { number, unit } = splitUnit(text);
  const quantity = unit === '' || unit.toUpperCase() === asset ? readQuantityRounded(number) : undefined;
  if (quantity === undefined) cells.reject(column, rejections.unreadableNumber('quantity'));
  if (unit === '') cells.needUnit(column, asset);
  if (quantity === undefined || quantity === 0n) return [];
  if (quantity < 0n) cells.addOutgoing(quantity);
  return [{ asset, quantity: (quantity < 0n ? -quantity : quantity) as Quantity, out: quantity < 0n, column }];
}
