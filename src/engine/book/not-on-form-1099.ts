import type { Day } from '../../base/day.ts';
import { proportion } from '../../base/decimal.ts';
import { least } from './amounts.ts';
import type { Unreported } from './book.ts';

/** Of units that come after others of the same whole. */
export function unreportedPart(
  all: Unreported | undefined,
  before: bigint,
  units: bigint,
  whole: bigint,
): Unreported | undefined {
  return all === undefined ? undefined : { ...all, stepUp: portionOf(all.stepUp, before, units, whole) };
}

export function portionOf(cents: bigint, before: bigint, units: bigint, whole: bigint): bigint {
  return proportion(cents, before + units, whole) - proportion(cents, before, whole);
}

/** Of units held so, of whose basis so many cents are not known; none where the broker knows all. */
export function unreportedOf(lot: Held, stepUp: bigint): Unreported | undefined {
  if (stepUp === 0n && lot.unreported === undefined) return undefined;
  return { stepUp, heldSince: (lot.unreported ?? lot).heldSince };
}

interface Held {
  readonly heldSince: Day;
  readonly unreported?: Unreported | undefined;
}

/** Of two that become one the shorter period counts, for the broker, too. */
export function jointly(a: Held, b: Held): Unreported | undefined {
  if (a.unreported === undefined && b.unreported === undefined) return undefined;
  const stepUp = (a.unreported?.stepUp ?? 0n) + (b.unreported?.stepUp ?? 0n);
  return { stepUp, heldSince: Math.max((a.unreported ?? a).heldSince, (b.unreported ?? b).heldSince) as Day };
}

/** Of a loss no more than it is. */
export function atMost(all: Unreported | undefined, loss: bigint): Unreported | undefined {
  return all === undefined ? undefined : { ...all, stepUp: least(all.stepUp, loss) };
}

/** A period that began anew did so for everybody. */
export function heldFrom(all: Unreported | undefined, on: Day): Unreported | undefined {
  return all === undefined ? undefined : { ...all, heldSince: on };
}

/** As a member, where there is anything. */
export function unreportedBy(all: Unreported | undefined): { readonly unreported?: Unreported } {
  return all === undefined ? {} : { unreported: all };
}
