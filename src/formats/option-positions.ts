import type { Quantity } from '../base/decimal.ts';
import type { OptionTrade } from './brokers.ts';

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
