import type { Loss, OracleLine, OracleLot, SoldPurchase, State } from '../../model.ts';
import { nothing } from '../../numbers.ts';
import { isSame } from '../../state.ts';

/**
 * Records sold shares, if elected. Under the election, a purchase within thirty days of a loss can be its replacement
 * even if those shares were sold before the loss (P3).
 */
export function rememberSold(state: State, line: OracleLine, lot: OracleLot, used: OracleLine['quantity']): void {
  if (state.rules.washSoldBefore !== 'include' || lot.purchasedOn === null || used.gte(line.quantity)) return;
  state.soldPurchases.push({
    line,
    order: state.position,
    asset: line.asset,
    whole: line.quantity.minus(used),
    matched: nothing,
    splits: new Set<string>(),
    purchasedOn: lot.purchasedOn,
    origin: lot.origin,
  });
}

/**
 * Returns sold shares that can replace the shares of a loss: sold on an earlier day than the loss and from a different
 * purchase. They are in the order of purchase.
 */
export function soldReplacements(state: State, loss: Loss): SoldPurchase[] {
  return state.soldPurchases
    .filter((sale) => isSame({ ...sale.line, asset: sale.asset }, loss.line.asset, loss.line.assetClass))
    .filter((sale) => sale.line.sold < loss.soldOn && loss.soldOn - sale.purchasedOn <= 30)
    .filter((sale) => sale.origin !== loss.origin)
    .sort((a, b) => a.purchasedOn - b.purchasedOn);
}
