import { type Day, formatDay } from '../../../base/day.ts';
import { type Cents, formatCents, type Quantity, roundToCents, zeroCents } from '../../../base/decimal.ts';
import { type Deferral, deemedInclusion } from '../../book/deferral.ts';
import { type Fold, isRetirement, raise } from '../../book/fold.ts';
import { dollars, type TransactionEvent } from '../../events/event.ts';
import type { Box, Term } from '../../model.ts';
import { lineId, usualLine } from '../lines/disposal.ts';

/**
 * Applies an election to defer a gain invested in a qualified opportunity fund (IRC 1400Z-2(a)(1)). A separate row with
 * code Z removes the gain from the year in which it was realized. The preceding event opened the lot of the interest in
 * the fund, which has a basis of zero (1400Z-2(b)(2)(B)(i)).
 */
export function defer(fold: Fold, event: TransactionEvent): void {
  if (isRetirement(fold, event.account)) return;
  const { tx } = event;
  const amount = dollars(tx, tx.amount);
  if (amount === null || amount <= 0n || tx.acquired === null || tx.term === null) {
    raise(
      fold,
      event,
      'value_missing',
      `The gain invested in ${event.asset} on ${formatDay(event.on)} is not deferred. Enter its amount in dollars, the day it was realized, and its term.`,
    );
    return;
  }
  const deferral: Deferral = {
    origin: `${tx.id}/0`,
    openedBy: tx.id,
    account: event.account,
    asset: event.asset,
    assetClass: event.assetClass,
    invested: event.on,
    term: tx.term,
    box: boxOfDeferral(tx.box, tx.term),
    gain: roundToCents(amount),
    quantity: tx.quantity ?? 0n,
    ended: 0n,
  };
  fold.fundInterests.set(deferral.origin, event.on);
  fold.facts.push(
    deferralLine(fold, deferral, {
      id: lineId(event, 0),
      saleId: tx.id,
      on: tx.acquired,
      sold: event.on,
      quantity: deferral.quantity,
      code: 'Z',
      adjustment: -deferral.gain,
    }),
  );
  raiseDoubt(fold, event, tx.acquired, deferral.gain);
  fold.deferrals.push(deferral);
}

/**
 * Returns box C or I for a short-term gain, F or L for a long-term gain (i8949, "How To Report an Election To Defer
 * Tax").
 */
function boxOfDeferral(stated: Box | null, term: Term): Box {
  const digital = stated === 'I' || stated === 'L';
  if (term === 'short') return digital ? 'I' : 'C';
  return digital ? 'L' : 'F';
}

interface DeferralCells {
  readonly id: string;
  readonly saleId: string;
  readonly on: Day;
  readonly sold: Day;
  readonly quantity: bigint;
  readonly code: 'Z' | 'Y';
  /** Amount in cents. */
  readonly adjustment: bigint;
  readonly causedOn?: Day;
  readonly account?: string;
  /** The value of the units on the day of an inclusion, in cents. */
  readonly fundValue?: bigint | null;
}

/** Returns a row of Form 8949 with the fund in (a), the investment date in (b), and nothing in (d) and (e). */
export function deferralLine(fold: Fold, deferral: Deferral, cells: DeferralCells) {
  const { asset, assetClass, invested, term, box, origin } = deferral;
  return {
    ...usualLine,
    causedOn: cells.causedOn ?? fold.day,
    id: cells.id,
    saleId: cells.saleId,
    lotId: origin,
    on: cells.on,
    asset,
    assetClass,
    account: cells.account ?? deferral.account,
    quantity: cells.quantity as Quantity,
    acquired: invested,
    heldSince: invested,
    inherited: false,
    sold: cells.sold,
    proceeds: zeroCents,
    basis: zeroCents,
    term,
    box,
    boxReason: 'No Form 1099 shows the deferral or the inclusion of a gain in an opportunity fund.',
    code: cells.code,
    adjustment: cells.adjustment as Cents,
    basisUnknown: false,
    identified: 'default',
    description: asset,
    ...(typeof cells.fundValue === 'bigint' ? { fundValue: cells.fundValue as Cents } : {}),
  } as const;
}

/**
 * Raises an issue if the deferral is in doubt. The 180-day period begins on the day of the gain (IRC 1400Z-2(a)(1)(A)).
 * A partner's period may begin later. A gain that was included on December 31, 2026, because its deferral ended, may
 * not be deferred again (Notice 2026-40).
 */
function raiseDoubt(fold: Fold, event: TransactionEvent, realized: Day, gain: bigint): void {
  const days = event.on - realized;
  const isInTime = days >= 0 && days < 180;
  if (isInTime && realized !== deemedInclusion) return;
  const why = isInTime
    ? `The gain is dated ${formatDay(realized)}. A gain that was included on that day because its deferral ended may not be deferred again (Notice 2026-40). The gain of a sale on that day may.`
    : `The gain is dated ${formatDay(realized)}, and the investment is not within the 180 days that begin then (IRC 1400Z-2(a)(1)(A)).`;
  const detail = `$${formatCents(gain as Cents)} was invested in ${event.asset} on ${formatDay(event.on)}. ${why} The gain counts as deferred.`;
  raise(fold, event, 'deferral_in_doubt', detail, { dollars: gain as Cents });
}
