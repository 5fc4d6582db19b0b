import { formatDay } from '../../../base/day.ts';
import { formatQuantity, type Quantity } from '../../../base/decimal.ts';
import type { Lot, Transaction } from '../../../engine/model.ts';
import type { LotChange } from '../../../engine/transaction-types.ts';
import type { WholeAmount } from './amount-parts.ts';
import type { LotChangeDay, LotHistory } from './lot-history.ts';

/**
 * Returns the basis of the whole lot just before its sale, starting with the purchase. Returns null if the purchase has
 * no cost.
 */
export function computeLotBasis(opened: WholeAmount | null, history: LotHistory | null): WholeAmount | null {
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
