import type { Day } from '../../base/day.ts';
import { zeroMoney } from '../../base/decimal.ts';
import type { AcquireEvent } from '../events/event.ts';
import type { Transaction } from '../model.ts';
import type { OpenLot } from './book.ts';

/** The fields of a new lot that depend on the book. */
export interface OpeningTerms {
  readonly account: string;
  /** Basis in cents. `lossBasis` is in cents too. */
  readonly basis: bigint;
  readonly lossBasis: bigint | null;
  readonly sequence: number;
  /** The lot opened by the first fill of the same order. Null if that is the lot itself. */
  readonly origin: string | null;
}

/** The fields that a lot copies from its acquisition. */
export type OpeningEvent = Omit<
  AcquireEvent,
  'tx' | 'order' | 'on' | 'at' | 'account' | 'kind' | 'missing' | 'lossCost'
> & {
  readonly tx: Pick<Transaction, 'id' | 'externalId'>;
  readonly on: Day;
};

/** Opens the lot of an acquisition. */
export function openLot(event: OpeningEvent, opening: OpeningTerms): OpenLot {
  const id = `${event.tx.id}/${event.ordinal}`;
  // If units were neither bought nor inherited, and their acquisition date is before the day they arrived, they
  // previously belonged to another owner.
  const isCarried = event.purchasedOn === null && !event.inherited && event.acquired < event.on;
  const isGift = opening.lossBasis !== null || isCarried;
  return {
    id,
    origin: opening.origin ?? id,
    openedBy: event.tx.id,
    label: event.tx.externalId,
    key: event.key,
    asset: event.asset,
    assetClass: event.assetClass,
    account: opening.account,
    quantity: event.quantity,
    used: event.used,
    wholeQuantity: event.quantity,
    wholeBasis: opening.basis,
    basisTaken: 0n,
    unitBasis: event.cost ?? zeroMoney,
    unitQuantity: event.quantity,
    lossBasis: opening.lossBasis,
    lossTaken: 0n,
    givenOn: isGift ? event.on : null,
    acquired: event.acquired,
    heldSince: event.heldSince,
    inherited: event.inherited,
    restartedOn: null,
    purchasedOn: event.purchasedOn,
    sequence: opening.sequence,
    children: 0,
    adjusted: false,
    basisUnknown: event.cost === null,
    covered: event.coveredFrom !== null && event.acquired >= event.coveredFrom,
    shares: event.shares,
    underlyingKey: event.underlyingKey,
    right: event.right,
  };
}
