import { formatDay } from '../../../base/day.ts';
import { formatQuantity, type Quantity } from '../../../base/decimal.ts';
import { maySellShort } from '../../../engine/events/keys.ts';
import type { Disposal, Lot, Transaction } from '../../../engine/model.ts';
import { withoutForm1099 } from '../../../engine/rules/lines/shown-basis.ts';
import type { LotChange } from '../../../engine/transaction-types.ts';
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
import type { LineContext, LineKind } from './line-kinds.ts';
import type { LotChangeDay, LotHistory } from './lot-history.ts';
import { sumRole } from './sources.ts';

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

/**
 * Returns the basis of the whole lot just before its sale, starting with the purchase. Returns null if the purchase has
 * no cost.
 */
function computeLotBasis(opened: WholeAmount | null, history: LotHistory | null): WholeAmount | null {
  if (history === null) return opened;
  if (history.pool !== null) {
    const { quantity, basis } = history.pool;
    const text = `Average basis of all ${formatQuantity(quantity as Quantity)} shares in the account`;
    return { quantity, cents: basis, parts: [{ text, cents: basis }] };
  }
  const first = history.changes[0];
  let [quantity, cents] = [opened?.quantity ?? 0n, opened?.cents ?? 0n];
  const parts = [...(opened?.parts ?? [])];
  const add = (text: string, part: bigint, always = false): void => {
    if (part !== 0n || always) parts.push({ text, cents: part });
    cents += part;
  };
  if (opened === null && first?.before == null && history.beforeSale === null) return null;
  for (const change of history.changes) {
    const { before, after, losses } = change;
    if (before !== null && opened === null && parts.length === 0) add(`Basis of ${lotText(before)}`, before.basis);
    if (before !== null)
      add(`Less the basis of units that left the lot before ${formatDay(change.on)}`, before.basis - cents);
    if (before === null && opened === null) add(`Basis of ${lotText(after)}`, after.basis);
    for (const { disallowed, quantity: units } of losses) {
      add(`Disallowed loss of ${formatQuantity(units)} units that these units replaced`, disallowed);
    }
    add(changeText(change), after.basis - cents, change.rows.length > 0);
    quantity = after.quantity;
  }
  if (history.beforeSale !== null) {
    add('Less the basis of units that left the lot before the sale', history.beforeSale.basis - cents);
    quantity = history.beforeSale.quantity;
  }
  return { quantity, cents, parts };
}

function changeText(change: LotChangeDay): string {
  const { on, before, after, rows } = change;
  const day = formatDay(on);
  const row = rows[0];
  if (row === undefined) return `Less the basis of the units that replaced no sold units on ${day}`;
  const textOf = textOfType(row.type);
  if (textOf !== undefined) return textOf(row, change, day);
  const now = lotText(after);
  return before?.account === after.account
    ? `Less the basis of units that left ${after.account} on ${day}: ${now} remain`
    : `Moved on ${day} to ${after.account}: ${now}${before?.quantity === after.quantity ? '' : ', the other units remain'}`;
}

type ChangeText = (row: Transaction, change: LotChangeDay, day: string) => string;

function textOfType(type: Transaction['type']): ChangeText | undefined {
  const texts: Readonly<Partial<Record<Transaction['type'], ChangeText>>> = changeTexts;
  return texts[type];
}

/** Describes the effect of each type of row on the lot. */
const changeTexts: Readonly<Record<LotChange, ChangeText>> = {
  split: (row, { after }, day) => `Split of ${row.asset} on ${day}: ${lotText(after)}`,
  return_of_capital: (_row, _change, day) => `Return of capital on ${day}`,
  bond_amortization: (_row, _change, day) => `Bond premium amortized on ${day}`,
  original_issue_discount: (_row, _change, day) => `Original issue discount included in income until ${day}`,
  spinoff: (row, { before, after }, day) =>
    after.asset === before?.asset
      ? `Less the basis allocated to ${row.receivedAsset}, spun off on ${day}`
      : `Less the basis that remains with ${row.asset}, which spun off ${row.receivedAsset} on ${day}: ${lotText(after)}`,
  merger: (_row, { after }, day) => `Merger on ${day}, less its cash, plus the recognized gain: ${lotText(after)}`,
  rename: (_row, { after }, day) => `Renamed on ${day}: ${lotText(after)}`,
};

function lotText({ quantity, asset }: Lot): string {
  return `${formatQuantity(quantity)} ${asset}`;
}
