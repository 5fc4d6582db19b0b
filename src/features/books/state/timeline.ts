import type { OpenLot } from '../../../engine/book/book.ts';
import type { Book } from '../../../engine/replay.ts';
import { isSameLot, packLot } from '../../../engine/resume/packed.ts';
import type { StoredLot } from './lots/queries.ts';
import type { PastLot } from './lots/versions/queries.ts';

/** A lot as it is from some state on, and as a text; `row` is what lies in the database, where it comes from there. */
export interface StandingLot {
  readonly id: string;
  /** The last state before it became what it is; null where it was so in the first. */
  readonly after: string | null;
  readonly state: string;
  readonly lot: OpenLot;
  readonly row: StoredLot | PastLot | null;
  /** The number of the last state that has it. */
  seen: number;
}

/**
 * The lots of a book over the states that are kept: one row for as long as a lot stays as it is. What a lot was between
 * two states that are kept leaves no row, so that the rows are the same in however many imports they came.
 */
export class Timeline {
  /** Lots as they are in the last state so far. */
  readonly open: Map<string, StandingLot>;
  readonly past: PastLot[] = [];
  private states = 0;

  /** `base`: lots at a state, as they are stored; `previous`: the last state that is kept before those to come. */
  constructor(
    base: readonly StandingLot[],
    private previous: string | null,
  ) {
    this.open = new Map(base.map((lot) => [lot.id, lot]));
  }

  /** The next state that is kept. */
  add(day: string, book: Book): void {
    const count = ++this.states;
    for (const pool of book.pools) {
      for (const lot of pool.lots) {
        const before = this.open.get(lot.id);
        if (before !== undefined) before.seen = count;
        // Most stay as they are; to compare their members takes a tenth of the time of a text.
        if (before !== undefined && isSameLot(before.lot, lot)) continue;
        if (before !== undefined) this.close(lot.id, before);
        this.open.set(lot.id, { id: lot.id, after: this.previous, state: packLot(lot), lot, row: null, seen: count });
      }
    }
    for (const [id, before] of this.open) {
      if (before.seen === count) continue;
      this.close(id, before);
      this.open.delete(id);
    }
    this.previous = day;
  }

  private close(id: string, { after, state }: StandingLot): void {
    if (this.previous === null || (after !== null && after >= this.previous)) return;
    this.past.push({ id, after, until: this.previous, state });
  }
}

/** What is to be written so that rows become others. */
export interface LotChanges {
  readonly deleted: readonly string[];
  /** Ids of lots that come or become others. */
  readonly written: readonly string[];
  readonly pastDeleted: readonly Pick<PastLot, 'id' | 'until'>[];
  readonly pastInserted: readonly PastLot[];
}

/** `lots` and `past`: what lies there now, of what the timeline is about. */
export function changesOf(
  timeline: Timeline,
  lots: readonly StoredLot[],
  past: readonly PastLot[],
  /** `basisOf`: where a lot's basis may change though the lot does not, as in a pool that is averaged. */
  wanted: { readonly basisOf: ((id: string) => string) | null; readonly costed: boolean },
): LotChanges {
  const there = new Map(lots.map((lot) => [lot.id, lot]));
  const written: string[] = [];
  for (const [id, wantedLot] of timeline.open) {
    const row = there.get(id);
    // It is what was read, and lies where it lay: of thousands that stay as they are nothing is compared.
    if (row !== undefined && row === wantedLot.row && wanted.basisOf === null) continue;
    const { after, state } = wantedLot;
    const same = row !== undefined && row.after === after && row.state === state && row.costed === wanted.costed;
    if (!same || (wanted.basisOf !== null && row.basis !== wanted.basisOf(id))) written.push(id);
  }
  const deleted = lots.filter((lot) => !timeline.open.has(lot.id)).map((lot) => lot.id);
  const [pastThere, pastWanted] = [new Map(past.map(named)), new Map(timeline.past.map(named))];
  return {
    deleted,
    written,
    pastDeleted: past.filter((lot) => !isSame(lot, pastWanted.get(nameOf(lot)))),
    pastInserted: timeline.past.filter((lot) => !isSame(lot, pastThere.get(nameOf(lot)))),
  };
}

function nameOf(lot: PastLot): string {
  return `${lot.until}/${lot.id}`;
}

function named(lot: PastLot): [string, PastLot] {
  return [nameOf(lot), lot];
}

function isSame(a: PastLot, b: PastLot | undefined): boolean {
  return b !== undefined && a.after === b.after && a.state === b.state;
}
