import type { Day } from '../../base/day.ts';
import { type Cents, type Quantity, zeroCents } from '../../base/decimal.ts';
import { joinLimbs } from '../events/limbs.ts';
import type { AssetClass, Box, Disposal, Term } from '../model.ts';

/** The fields that the lines of one asset in one account and year share if they have the same term and box. */
export interface LineTemplate {
  readonly account: string;
  readonly asset: string;
  readonly assetClass: AssetClass;
  readonly term: Term;
  readonly box: Box;
  readonly boxReason: string;
}

/**
 * The disposal of a row that only sells, stored as only the fields that differ between disposals. It takes less than
 * half of the memory of an object with all fields, and writing new memory is much of the cost of a replay
 * (`scripts/bench`, engine). A spread omits its getters, so copy it with `disposalWith`.
 */
export class PlainDisposal implements Disposal {
  constructor(
    private readonly common: LineTemplate,
    readonly saleId: string,
    private readonly row: number,
    /** The lot, or the purchase that opened it if the quantity is in limbs. */
    private readonly lot: string,
    readonly on: Day,
    readonly acquired: Day,
    readonly heldSince: Day,
    /** The quantity, or its high limb (limbs.ts). Joined when it is read, which many lines never are. */
    private readonly units: Quantity | number,
    /** The low limb, or `noLimb`. */
    private readonly low: number,
    /** Cents, as a double if they are whole numbers that a double holds exactly. */
    private readonly yielded: Cents | number,
    private readonly cost: Cents | number,
    readonly identified: Disposal['identified'],
  ) {}

  get kind(): 'disposal' {
    return 'disposal';
  }
  get causedOn(): Day {
    return this.on;
  }
  get id(): string {
    return this.saleId + (rowNames[this.row] ?? `/0.${this.row}`);
  }
  get lotId(): string {
    return this.low === noLimb ? this.lot : `${this.lot}/0`;
  }
  get quantity(): Quantity {
    const { units, low } = this;
    return typeof units === 'bigint' ? units : joinLimbs(units, low);
  }
  get asset(): string {
    return this.common.asset;
  }
  get assetClass(): AssetClass {
    return this.common.assetClass;
  }
  get account(): string {
    return this.common.account;
  }
  get inherited(): false {
    return false;
  }
  get sold(): Day {
    return this.on;
  }
  get proceeds(): Cents {
    return BigInt(this.yielded) as Cents;
  }
  get basis(): Cents {
    return BigInt(this.cost) as Cents;
  }
  get term(): Term {
    return this.common.term;
  }
  get box(): Box {
    return this.common.box;
  }
  get boxReason(): string {
    return this.common.boxReason;
  }
  get shortSale(): false {
    return false;
  }
  get expired(): null {
    return null;
  }
  get code(): '' {
    return '';
  }
  get adjustment(): Cents {
    return zeroCents;
  }
  get basisUnknown(): false {
    return false;
  }
  get description(): null {
    return null;
  }

  toJSON(): Disposal {
    return this.plainly();
  }

  /** Returns a copy as a plain object with all fields. */
  plainly(): Disposal {
    const { kind, causedOn, id, saleId, on, account, sold, term, box, boxReason, shortSale, expired, code } = this;
    const { adjustment, description, lotId, asset, assetClass, quantity, acquired, heldSince, inherited } = this;
    const { proceeds, basis, basisUnknown, identified } = this;
    return {
      ...{ kind, causedOn, id, saleId, on, account, sold, term, box, boxReason, shortSale, expired, code },
      ...{ adjustment, description, lotId, asset, assetClass, quantity, acquired, heldSince, inherited },
      ...{ proceeds, basis, basisUnknown, identified },
    };
  }
}

/** Returns a copy of a disposal with some fields changed. */
export function disposalWith(disposal: Disposal, others: Partial<Disposal>): Disposal {
  return { ...(disposal instanceof PlainDisposal ? disposal.plainly() : disposal), ...others };
}

/** Marks a line with a whole quantity. */
export const noLimb = -1;

/** The id suffixes of the first lines of a sale, created in advance. Most sales have no more. */
const rowNames = Array.from({ length: 16 }, (_, row) => `/0.${row}`);
