import { formatDay } from '../../../base/day.ts';
import { proportion } from '../../../base/decimal.ts';
import { type Fold, noteTransaction, raise, reorder, roundCarrying } from '../../book/fold.ts';
import { isContract1256 } from '../../events/classes.ts';
import { dollars, type TransactionEvent } from '../../events/event.ts';
import { listRebasedLots } from '../corporate-actions/corporate-actions.ts';
import { writeContract } from '../lines/disposal.ts';

/**
 * Treats section 1256 contracts as sold for their value on the last day of the year. They continue at that value (IRC
 * 1256(a)(1), (2)).
 */
export function mark(fold: Fold, event: TransactionEvent): void {
  const { tx } = event;
  const value = dollars(tx, tx.fmv);
  if (value === null) {
    raise(fold, event, 'value_missing', `The value of ${event.asset} on ${formatDay(tx.on)} is not stated.`);
    return;
  }
  if (!isContract1256(event.assetClass)) {
    raise(
      fold,
      event,
      'unreconciled',
      `${event.asset} is not a section 1256 contract and holds no deferred gain, so a value changes nothing.`,
    );
    return;
  }
  const inScope = (account: string): boolean => event.account === '' || event.account === account;
  const cents = roundCarrying(fold, `mark ${event.key}`, value);
  const pools = [...(fold.pools.get(event.key)?.values() ?? [])]
    .filter((pool) => inScope(pool.account))
    .sort((a, b) => (a.account < b.account ? -1 : 1));
  const lots = pools.flatMap((pool) => listRebasedLots(pool).map((lot) => ({ pool, lot })));
  const shorts = (fold.shorts.get(event.key) ?? []).filter((short) => inScope(short.account));
  const written = (fold.written.get(event.key) ?? []).filter((option) => inScope(option.account));
  const positions = [...lots.map(({ lot }) => lot), ...shorts, ...written];
  const total = positions.reduce((sum, position) => sum + position.quantity, 0n);
  if (total === 0n) {
    raise(fold, event, 'unreconciled', `No position in ${event.asset} was open on ${formatDay(tx.on)}.`);
    return;
  }
  let [units, dealt, row] = [0n, 0n, 0];
  const next = (quantity: bigint): bigint => {
    units += quantity;
    const share = proportion(cents, units, total) - dealt;
    dealt += share;
    return share;
  };
  for (const { pool, lot } of lots) {
    const share = next(lot.quantity);
    writeContract(fold, { ...event, account: pool.account }, share - lot.wholeBasis, tx.on, row++);
    const unitBasis = share * 1_000_000n;
    Object.assign(lot, { wholeBasis: share, unitBasis, unitQuantity: lot.quantity, markedOn: tx.on });
    noteTransaction(pool, tx.id);
    reorder(pool);
  }
  for (const short of shorts) {
    const share = next(short.quantity);
    const proceeds = short.wholeProceeds - short.proceedsTaken;
    writeContract(fold, { ...event, account: short.account }, proceeds - share, tx.on, row++);
    Object.assign(short, { wholeProceeds: share, proceedsTaken: 0n, wholeQuantity: short.quantity, markedOn: tx.on });
  }
  for (const option of written) {
    const share = next(option.quantity);
    const premium = option.wholePremium - option.premiumTaken;
    writeContract(fold, { ...event, account: option.account }, premium - share, tx.on, row++);
    const wholeQuantity = option.quantity;
    Object.assign(option, { wholePremium: share, premiumTaken: 0n, wholeQuantity, markedOn: tx.on });
  }
}
