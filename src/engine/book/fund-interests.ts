import type { Day } from '../../base/day.ts';
import { type Cents, proportion, type Quantity } from '../../base/decimal.ts';
import type { Book, OpenLot } from './book.ts';
import { openLots } from './lots.ts';

/**
 * An interest currently held in a qualified opportunity fund: an open lot, and the gain that is still deferred in it.
 */
export interface FundInterest {
  /** The origin of the lot. Form 8949 rows of the deferral use it too. */
  readonly origin: string;
  readonly fund: string;
  readonly account: string;
  readonly quantity: Quantity;
  readonly invested: Day;
  /** The basis of the lot. It increases when the deferred gain is included. */
  readonly basis: Cents;
  /** The gain not yet included. Zero after inclusion. */
  readonly deferred: Cents;
}

/** Returns the open interests of a book, in the order of its lots. */
export function fundInterests(book: Book): FundInterest[] {
  if (book.fundInterests.length === 0) return [];
  const investedOn = new Map(book.fundInterests);
  const lots = book.pools.flatMap((pool) => pool.lots);
  const shown = new Map(openLots(book).map((lot) => [lot.id, lot]));
  const share = deferredShares(book, lots);
  return lots.flatMap((lot) => {
    const invested = investedOn.get(lot.origin);
    const fundLot = shown.get(lot.id);
    if (invested === undefined || fundLot === undefined || lot.quantity <= 0n) return [];
    const { asset: fund, account, quantity, basis } = fundLot;
    return [{ origin: lot.origin, fund, account, quantity, invested, basis, deferred: share(lot) }];
  });
}

interface Share {
  readonly rest: bigint;
  readonly units: bigint;
  /** Units that have received their share. */
  dealt: bigint;
}

/** Divides the gain still deferred among the lots of its investment, by cumulative units. */
function deferredShares(book: Book, lots: readonly OpenLot[]): (lot: OpenLot) => Cents {
  const unitsOf = (origin: string): bigint =>
    lots.reduce((units, lot) => (lot.origin === origin ? units + lot.quantity : units), 0n);
  const open = new Map(
    book.deferrals.map(({ origin, gain, quantity, ended }) => {
      return [origin, { rest: gain - proportion(gain, ended, quantity), units: unitsOf(origin), dealt: 0n }] as [
        string,
        Share,
      ];
    }),
  );
  return ({ origin, quantity }) => {
    const deferral = open.get(origin);
    if (deferral === undefined || deferral.units === 0n) return 0n as Cents;
    const before = proportion(deferral.rest, deferral.dealt, deferral.units);
    deferral.dealt += quantity;
    return (proportion(deferral.rest, deferral.dealt, deferral.units) - before) as Cents;
  };
}
