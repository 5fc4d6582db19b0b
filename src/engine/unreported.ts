import type { Day } from '../base/day.ts';
import { type Cents, proportion } from '../base/decimal.ts';
import { least } from './amounts.ts';
import { isBasisReported } from './box.ts';
import { columnsOf } from './columns.ts';
import { termOf } from './disposal.ts';
import type { Disposal } from './model.ts';
import { disposalWith } from './plain-disposal.ts';

/**
 * What no broker knows of units. He tells of a wash sale only within one account and one security (26 CFR
 * 1.6045-1(d)(6)(iii)): what a loss elsewhere adds to basis and holding period is not on his form.
 */
export interface Unreported {
  /** So many cents of their basis. */
  readonly stepUp: bigint;
  /** The day from which he counts their holding period. */
  readonly heldSince: Day;
}

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

/**
 * A line as the broker's form will show it, where the basis goes to the IRS: what he knows stands in (e), code B puts it
 * right in (g), and code T says that the term is another (i8949, column (f)).
 */
export function asReported(line: Disposal, { stepUp, heldSince }: Unreported): Disposal {
  if (!isBasisReported(line.box)) return line;
  // No form shows a basis below nothing.
  const missing = least(stepUp, line.basis);
  const isByPeriod = line.term === termOf(line.inherited, line.heldSince, line.sold);
  const columns = columnsOf({
    proceeds: line.proceeds,
    basis: line.basis,
    term: line.term,
    adjustments: [[line.code, line.adjustment]],
    unreflectedCosts: null,
    wrongBasis: missing > 0n ? line.basis - missing : null,
    basisReported: true,
    termShown: isByPeriod ? termOf(line.inherited, heldSince, line.sold) : null,
    washShown: false,
  });
  return disposalWith(line, columns);
}

/** The line without it again: a row of the form itself says what it shows. */
export function asTrue(line: Disposal): Disposal {
  if (line.code !== 'B' && line.code !== 'T' && line.code !== 'BT') return line;
  const basis = (line.basis - line.adjustment) as Cents;
  return disposalWith(line, { basis, code: '', adjustment: 0n as Cents });
}
