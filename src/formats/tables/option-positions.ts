import type { Day } from '../../base/day.ts';
import type { Money, Quantity } from '../../base/decimal.ts';
import { computeShare } from '../cells/amounts.ts';
import type { StatedFields } from '../cells/drafts.ts';
import type { Outcome } from '../format.ts';
import type { OptionTrade } from './brokers.ts';

/** One part of a contract trade. A trade may first close an open position and then open the opposite one. */
interface OptionPart {
  readonly trade: OptionTrade;
  readonly quantity: Quantity;
}

/** A row that shows only that contracts were bought, sold or ended, or that shares were traded. */
interface OptionRow {
  readonly on: Day;
  readonly key: string;
  readonly does: 'buy' | 'sell' | 'end' | 'shares';
  readonly quantity: Quantity;
  /** Returns the outcome once the parts are known. They are null if they are unclear. */
  readonly outcome: (parts: readonly OptionPart[] | null) => Outcome;
}

const rowsHeldMax = 20_000;

/** Holds such rows until the end of the file, because it may be newest first, and then reads them from the oldest. */
export class OptionRows {
  private readonly held: OptionRow[] = [];
  private contracts = 0;
  private shares = 0;

  add(row: OptionRow): readonly Outcome[] {
    const held = row.does === 'shares' ? ++this.shares : ++this.contracts;
    if (held > rowsHeldMax) return [row.outcome(null)];
    this.held.push(row);
    return [];
  }

  end(): readonly Outcome[] {
    const [first, last] = [this.held[0], this.held.at(-1)];
    if (first !== undefined && last !== undefined && first.on > last.on) this.held.reverse();
    const positions = new OptionPositions();
    return this.held.map(({ key, does, quantity, outcome }) => {
      if (does === 'buy' || does === 'sell') return outcome(positions.trade(key, does, quantity));
      if (does === 'end') positions.end(key, quantity);
      return outcome(null);
    });
  }
}

/**
 * Tracks open positions, oldest first, for files that show only that contracts were bought or sold. A purchase closes
 * written contracts if there are any, and otherwise opens a position. A sale closes bought contracts if there are any,
 * and otherwise writes new ones.
 */
export class OptionPositions {
  private readonly open = new Map<string, bigint>();

  trade(asset: string, side: 'buy' | 'sell', quantity: Quantity): readonly OptionPart[] {
    const before = this.open.get(asset) ?? 0n;
    const after = side === 'buy' ? before + quantity : before - quantity;
    if (after === 0n) this.open.delete(asset);
    else this.open.set(asset, after);
    const [opens, closes] = [`${side}_to_open`, `${side}_to_close`] as const;
    if (side === 'buy' ? before >= 0n : before <= 0n) return [{ trade: opens, quantity }];
    const standing = before < 0n ? -before : before;
    if (standing >= quantity) return [{ trade: closes, quantity }];
    return [
      { trade: closes, quantity: standing as Quantity },
      { trade: opens, quantity: (quantity - standing) as Quantity },
    ];
  }

  /** Records that contracts expired or were exercised or assigned. */
  end(asset: string, quantity: Quantity): void {
    const before = this.open.get(asset) ?? 0n;
    const size = (before < 0n ? -before : before) - quantity;
    if (size <= 0n) this.open.delete(asset);
    else this.open.set(asset, before < 0n ? -size : size);
  }
}

/** Divides a trade into parts with the same price and fee per contract. The last part gets the rounding difference. */
export function splitTrade(
  parts: readonly OptionPart[],
  quantity: Quantity,
  { amount, fee }: { readonly amount: Money | null; readonly fee: Money | null },
): Pick<StatedFields, 'type' | 'quantity' | 'amount' | 'fee'>[] {
  const dealt: { amount: bigint; fee: bigint } = { amount: 0n, fee: 0n };
  return parts.map((part, at) => {
    const share = (value: Money | null, of: 'amount' | 'fee'): Money | null => {
      const whole = at === parts.length - 1;
      const share = value === null ? null : whole ? value - dealt[of] : computeShare(value, part.quantity, quantity);
      dealt[of] += share ?? 0n;
      return share as Money | null;
    };
    return { type: part.trade, quantity: part.quantity, amount: share(amount, 'amount'), fee: share(fee, 'fee') };
  });
}
