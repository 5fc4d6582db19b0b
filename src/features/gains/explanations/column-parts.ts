import { formatDay } from '../../../base/day.ts';
import { maySellShort } from '../../../engine/events/keys.ts';
import type { Disposal, Transaction } from '../../../engine/model.ts';
import { withoutForm1099 } from '../../../engine/rules/lines/shown-basis.ts';
import {
  type AmountPart,
  computeCost,
  computeProceeds,
  computeStatedAmount,
  computeStrikeAmount,
  ordinalOf,
  partsOfSale,
  shareParts,
  typeName,
  type WholeAmount,
} from './amount-parts.ts';
import { sumRole } from './consumed-positions.ts';
import type { LineContext } from './line-context.ts';
import type { LineKind } from './line-kinds.ts';
import { computeLotBasis } from './lot-basis.ts';

/** Returns the parts of column (d), or an empty list if the amount is not a sum of amounts in the rows. */
export function proceedsParts(
  { line: { disposal }, lines, history }: LineContext,
  kind: LineKind,
  sale: Transaction | undefined,
  opener: Transaction | undefined,
): AmountPart[] {
  if (kind === 'short' || kind === 'written') {
    if (opener === undefined || sale === undefined) return [];
    if (kind === 'short' && opener.type !== 'short_sell') {
      const cents = sumRole(history?.consumed.get(sale.on), 'short');
      const parts = [{ text: 'Received for the short sale', cents }];
      return partsOfSale({ quantity: 0n, cents, parts }, disposal, lines);
    }
    const whole = computeStatedAmount(
      opener,
      -1n,
      `Received for the ${kind === 'short' ? 'short sale' : 'written option'}`,
    );
    return shareParts(whole, disposal.quantity, disposal.proceeds, 'Less the share of the other units');
  }
  if (sale === undefined || kind === 'capital' || kind === 'reported' || kind === 'fund') return [];
  const usesOptions = sale.type === 'exercise' || sale.type === 'assign';
  const whole =
    kind === 'merger' || sale.type === 'split'
      ? computeStatedAmount(sale, -1n, `Cash of the ${sale.type} of ${formatDay(sale.on)}`)
      : usesOptions
        ? computeStrikeAmount(sale, history?.consumed.get(sale.on), -1n)
        : computeProceeds(sale, ordinalOf(disposal.id));
  return partsOfSale(whole, disposal, lines);
}

/**
 * Returns the cost of closing a short sale or a written option. If an option was exercised to close the short sale, the
 * strike amount is the cost.
 */
function computeClosingCost(sale: Transaction | undefined, history: LineContext['history']): WholeAmount | null {
  if (sale === undefined) return null;
  if (sale.type === 'exercise' || sale.type === 'assign')
    return computeStrikeAmount(sale, history?.consumed.get(sale.on), 1n);
  return computeStatedAmount(sale, 1n, `Cost of the ${typeName(sale)} of ${formatDay(sale.on)}`);
}

/** Returns the parts of column (e). */
export function basisParts(
  context: LineContext,
  kind: LineKind,
  sale: Transaction | undefined,
  opener: Transaction | undefined,
): AmountPart[] {
  const { disposal } = context.line;
  const whole = withoutForm1099(disposal);
  const parts = trueBasisParts(context, whole, kind, sale, opener);
  const unknown = disposal.basis - whole.basis;
  if (parts.length === 0 || unknown === 0n) return parts;
  return [...parts, { text: 'Not included in the basis on the form', cents: unknown }];
}

function trueBasisParts(
  { rows, openers, history }: LineContext,
  disposal: Disposal,
  kind: LineKind,
  sale: Transaction | undefined,
  opener: Transaction | undefined,
): AmountPart[] {
  if (disposal.basisUnknown || kind === 'capital' || kind === 'reported' || kind === 'fund') return [];
  if (kind === 'merger' && !disposal.code.includes('O')) {
    const gain = { text: 'Less the recognized gain', cents: disposal.basis - disposal.proceeds };
    return [{ text: 'Cash of column (d)', cents: disposal.proceeds }, gain];
  }
  if (kind === 'gift' && disposal.proceeds === disposal.basis) {
    return [{ text: 'Proceeds of column (d)', cents: disposal.basis }];
  }
  if (kind === 'written' || (kind === 'short' && opener !== undefined && maySellShort(opener))) {
    const whole = computeClosingCost(sale, history);
    return shareParts(whole, disposal.quantity, disposal.basis, 'Less the share of the other units');
  }
  const purchase = rows.get(openers.at(-1) ?? '');
  if (purchase === undefined) return [];
  if (purchase.type === 'defer_gain') {
    const text = 'Deferred gain included so far, and the part that is never included (IRC 1400Z-2(b)(2)(B))';
    return [{ text, cents: disposal.basis }];
  }
  const inner = disposal.lotId.slice(disposal.lotId.indexOf(purchase.id));
  const usesOptions = purchase.type === 'exercise' || purchase.type === 'assign';
  const opened = usesOptions
    ? computeStrikeAmount(purchase, history?.consumed.get(purchase.on), 1n)
    : computeCost(purchase, ordinalOf(inner));
  const others = 'Less the share of the other units of the lot';
  return shareParts(computeLotBasis(opened, history), disposal.quantity, disposal.basis, others);
}
