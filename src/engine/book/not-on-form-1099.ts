import type { Day } from '../../base/day.ts';
import { proportion } from '../../base/decimal.ts';
import { least } from './amounts.ts';
import type { NotOnForm1099 } from './book.ts';

/** Returns the part that belongs to `units` units of a lot of `whole` units, after the first `before` units. */
export function notOnFormPart(
  all: NotOnForm1099 | undefined,
  before: bigint,
  units: bigint,
  whole: bigint,
): NotOnForm1099 | undefined {
  return all === undefined ? undefined : { ...all, stepUp: computePortion(all.stepUp, before, units, whole) };
}

export function computePortion(cents: bigint, before: bigint, units: bigint, whole: bigint): bigint {
  return proportion(cents, before + units, whole) - proportion(cents, before, whole);
}

/**
 * Returns the value for units with these dates and `stepUp` cents of basis that the broker does not know. Returns
 * undefined if the broker knows everything.
 */
export function toNotOnForm(lot: HeldUnits, stepUp: bigint): NotOnForm1099 | undefined {
  if (stepUp === 0n && lot.notOnForm === undefined) return undefined;
  return { stepUp, heldSince: (lot.notOnForm ?? lot).heldSince };
}

interface HeldUnits {
  readonly heldSince: Day;
  readonly notOnForm?: NotOnForm1099 | undefined;
}

/** Combines the values of two fragments that become one lot. The later of the two holding period starts applies. */
export function combineFragments(a: HeldUnits, b: HeldUnits): NotOnForm1099 | undefined {
  if (a.notOnForm === undefined && b.notOnForm === undefined) return undefined;
  const stepUp = (a.notOnForm?.stepUp ?? 0n) + (b.notOnForm?.stepUp ?? 0n);
  return { stepUp, heldSince: Math.max((a.notOnForm ?? a).heldSince, (b.notOnForm ?? b).heldSince) as Day };
}

/** Limits the unknown basis to the loss. */
export function limitToLoss(all: NotOnForm1099 | undefined, loss: bigint): NotOnForm1099 | undefined {
  return all === undefined ? undefined : { ...all, stepUp: least(all.stepUp, loss) };
}

/** Restarts the broker's holding period. */
export function restartBrokerPeriod(all: NotOnForm1099 | undefined, on: Day): NotOnForm1099 | undefined {
  return all === undefined ? undefined : { ...all, heldSince: on };
}

export function withNotOnForm(all: NotOnForm1099 | undefined): { readonly notOnForm?: NotOnForm1099 } {
  return all === undefined ? {} : { notOnForm: all };
}
