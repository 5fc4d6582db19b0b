import type { Money, Quantity } from '../../base/decimal.ts';
import type { TransactionType } from '../../engine/model.ts';
import { typesWhere } from '../../engine/transaction-types.ts';
import type { Cells } from '../cells/cells.ts';
import { isCurrency } from '../cells/currencies.ts';
import type { StatedFields } from '../cells/drafts.ts';
import { rejections, skips } from '../cells/reasons.ts';
import type { Time } from '../cells/times.ts';
import type { Outcome } from '../format.ts';
import { incomeLabels, type RowKind } from './kinds.ts';
import { readExchange, roundToMoney, type Side } from './legs.ts';

/** A row with units sent, units received, and a fee on top of both. */
interface Movement {
  readonly given?: Side | null;
  readonly received?: Side | null;
  readonly fee?: Side | null;
  /**
   * The transaction type of a row with only one side. Default: a deposit or a withdrawal. If it is `trade`, a row with
   * only one side is rejected.
   */
  readonly kind?: TransactionType | null;
  /** The value of one side, in `currency`, if the source provides it. */
  readonly worth?: Money | null;
  /** The fee's value in `currency`, if the source provides it. */
  readonly feeWorth?: Money | null;
  /** The currency of `worth`. Default: USD. */
  readonly currency?: string;
  /** The destination account, if an asset was moved between wallets. */
  readonly toAccount?: string;
}

/** Returns the sides of units that were sent, with a fee on top, or received, for which the sender paid the fee. */
export function oneWay(
  out: boolean,
  side: Side | null,
  fee: Side | null = null,
): Pick<Movement, 'given' | 'received' | 'fee'> {
  return out ? { given: side, fee } : { received: side };
}

export function readMovement(
  cells: Cells,
  time: Time | null,
  movement: Movement,
  common: Partial<StatedFields>,
): Outcome {
  if (cells.flawed) return cells.refused();
  const { given = null, received = null, fee = null, kind = null } = movement;
  const { worth = null, feeWorth = null, currency = 'USD' } = movement;
  if (given !== null && received !== null) {
    if (given.asset === received.asset) return readMove(cells, time, given, received, movement, common);
    return readExchange(cells, time, { given, received, fee, value: worth, currency, feeValue: feeWorth }, common);
  }
  if (kind === 'trade') return cells.rejected(null, rejections.oneSentOneReceived);
  if (received !== null) {
    if (kind !== null && leavingTypes.has(kind)) return cells.rejected(null, rejections.cameInstead);
    return readIncoming(cells, time, received, movement, common);
  }
  if (given !== null) {
    if (kind !== null && comingTypes.has(kind)) return cells.rejected(null, rejections.leftInstead);
    return readOutgoing(cells, time, given, movement, common);
  }
  if (fee !== null && !isCurrency(fee.asset)) {
    const value = toDollarFields('amount', worth ?? feeWorth, currency);
    return cells.read(time, { ...common, ...value, type: 'fee', asset: fee.asset, quantity: fee.quantity });
  }
  return cells.skip(skips.cashFeePaid);
}

/** Reads a transfer between wallets. If less arrives than was sent, the difference is the network fee. */
function readMove(
  cells: Cells,
  time: Time | null,
  given: Side,
  received: Side,
  { fee = null, toAccount = '' }: Movement,
  common: Partial<StatedFields>,
): Outcome {
  if (isCurrency(given.asset)) return cells.skip(skips.cashMoved);
  const lost = given.quantity - received.quantity;
  if (toAccount === '' || toAccount === common.account) {
    if (lost === 0n) return cells.skip(skips.movedWithinPlatform);
    return cells.rejected(null, rejections.sameAsset);
  }
  if (lost < 0n) return cells.rejected(null, rejections.moreReceivedThanSent);
  const network = (lost + (fee?.asset === given.asset ? fee.quantity : 0n)) as Quantity;
  const inKind =
    network > 0n
      ? { feeAsset: given.asset, feeQuantity: network }
      : fee === null || isCurrency(fee.asset)
        ? {}
        : { feeAsset: fee.asset, feeQuantity: fee.quantity };
  return cells.read(time, { ...common, ...received, ...inKind, type: 'transfer', toAccount });
}

const incomeTypes = new Set(incomeLabels.map(([, kind]) => kind));

function readIncoming(
  cells: Cells,
  time: Time | null,
  side: Side,
  { kind = null, worth = null, currency = 'USD', fee = null }: Movement,
  common: Partial<StatedFields>,
): Outcome {
  const cash = isCurrency(side.asset);
  if (kind !== null && kind !== 'gift_in' && incomeTypes.has(kind)) {
    const units = cash
      ? { asset: '', quantity: null, amount: roundToMoney(side.quantity), currency: side.asset }
      : { asset: side.asset, quantity: side.quantity, ...toDollarFields('amount', worth, currency) };
    return cells.read(time, { ...common, ...units, type: kind }, ...paidInCoins(fee, common));
  }
  if (cash) return cells.skip(skips.notTaxable('deposit', side.asset));
  if (kind === 'gift_in')
    return cells.read(
      time,
      { ...common, ...side, ...toDollarFields('fmv', worth, currency), type: 'gift_in' },
      ...paidInCoins(fee, common),
    );
  const isWithin = fee?.asset === side.asset;
  const quantity = isWithin ? ((side.quantity - fee.quantity) as Quantity) : side.quantity;
  const deposit: StatedFields = { ...common, type: 'deposit', asset: side.asset, quantity };
  return cells.read(time, deposit, ...(isWithin ? [] : paidInCoins(fee, common)));
}

/** If a fee on incoming units was paid in coins, returns a separate transaction for it. */
function paidInCoins(fee: Side | null, common: Partial<StatedFields>): StatedFields[] {
  if (fee === null || isCurrency(fee.asset)) return [];
  return [{ ...common, type: 'fee', asset: fee.asset, quantity: fee.quantity }];
}

export const leavingTypes = typesWhere((row) => row.isOutgoing);
const comingTypes: ReadonlySet<RowKind> = new Set<RowKind>([...incomeTypes, 'deposit']);

function readOutgoing(
  cells: Cells,
  time: Time | null,
  side: Side,
  { kind = null, worth = null, currency = 'USD', fee = null, feeWorth = null }: Movement,
  common: Partial<StatedFields>,
): Outcome {
  if (isCurrency(side.asset)) return cells.skip(skips.notTaxable('withdrawal', side.asset));
  const type = kind !== null && leavingTypes.has(kind) ? kind : 'withdrawal';
  const value =
    type === 'withdrawal' ? {} : toDollarFields(type === 'fee' || type === 'spend' ? 'amount' : 'fmv', worth, currency);
  const paid =
    fee === null
      ? {}
      : { feeAsset: fee.asset, feeQuantity: fee.quantity, ...toDollarFields('fee', feeWorth, currency) };
  const inKind = fee === null || isCurrency(fee.asset) ? {} : paid;
  return cells.read(time, { ...common, ...value, ...inKind, type, asset: side.asset, quantity: side.quantity });
}

function toDollarFields(
  column: 'amount' | 'fee' | 'fmv',
  worth: Money | null,
  currency: string,
): Partial<StatedFields> {
  if (worth === null) return {};
  return currency === 'USD' ? { [column]: worth } : { [column]: worth, currency };
}
