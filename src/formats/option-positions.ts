import type { Day } from '../base/day.ts';
import type { Quantity } from '../base/decimal.ts';
import type { OptionTrade } from './brokers.ts';
import type { Outcome } from './format.ts';

/** A row of a file that says only that contracts were bought or sold, or that they ended. */
export interface OptionRow {
  readonly on: Day;
  readonly key: string;
  readonly does: 'buy' | 'sell' | 'end';
  readonly quantity: Quantity;
  /** What the row says once it is known whether it opens or closes; null where nobody can tell. */
  readonly outcome: (trade: OptionTrade | null) => Outcome;
}

const rowsHeldMax = 20_000;

/** Such rows of a file that may run newest first: held to its end, then told from the oldest on. */
export class OptionRows {
  private readonly held: OptionRow[] = [];

  add(row: OptionRow): readonly Outcome[] {
    if (this.held.length >= rowsHeldMax) return [row.outcome(null)];
    this.held.push(row);
    return [];
  }

  end(): readonly Outcome[] {
    const [first, last] = [this.held[0], this.held.at(-1)];
    if (first !== undefined && last !== undefined && first.on > last.on) this.held.reverse();
    const positions = new OptionPositions();
    return this.held.map(({ key, does, quantity, outcome }) => {
      if (does !== 'end') return outcome(positions.trade(key, does, quantity));
      positions.end(key, quantity);
      return outcome(null);
    });
  }
}

/**
 * Of files that say only that contracts were bought or sold, oldest first: what stands open as the file tells it. A
 * purchase closes what was written before it and else opens; a sale closes what was bought before it and else writes.
 */
export class OptionPositions {
  private readonly open = new Map<string, bigint>();

  /** Null where one trade would both close a position and open one: the file cannot say what each part cost. */
  trade(asset: string, side: 'buy' | 'sell', quantity: Quantity): OptionTrade | null {
    const before = this.open.get(asset) ?? 0n;
    const after = side === 'buy' ? before + quantity : before - quantity;
    if ((before > 0n && after < 0n) || (before < 0n && after > 0n)) return null;
    if (after === 0n) this.open.delete(asset);
    else this.open.set(asset, after);
    const closes = side === 'buy' ? before < 0n : before > 0n;
    return `${side}_to_${closes ? 'close' : 'open'}`;
  }

  /** So many contracts expired, were exercised or assigned. */
  end(asset: string, quantity: Quantity): void {
    const before = this.open.get(asset) ?? 0n;
    const size = (before < 0n ? -before : before) - quantity;
    if (size <= 0n) this.open.delete(asset);
    else this.open.set(asset, before < 0n ? -size : size);
  }
}
