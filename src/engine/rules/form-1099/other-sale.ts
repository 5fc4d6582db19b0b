import { type Day, formatDay, yearOf } from '../../../base/day.ts';
import {
  type Cents,
  formatCents,
  formatQuantity,
  proportion,
  type Quantity,
  roundToCents,
} from '../../../base/decimal.ts';
import { type Fold, raise } from '../../book/fold.ts';
import { dollars, type FormMeeting, type TransactionEvent } from '../../events/event.ts';
import type { Disposal } from '../../model.ts';

/**
 * Raises an issue about a sale that the form and the history date differently. The sale counts once, on the day in the
 * history. Another issue is raised in the year of the form's date, because the form reports a sale that the return for
 * that year does not.
 */
export function raiseOtherDay(
  fold: Fold,
  event: TransactionEvent,
  parts: readonly { readonly line: Disposal; readonly units: bigint }[],
): void {
  const { tx, account } = event;
  if (event.on === tx.on) return;
  // The date of sale may differ from the day of the row, because an expiry may be booked later.
  if (parts.length > 0 && parts.every(({ line }) => line.sold === tx.on || line.on === tx.on)) return;
  const on = parts[0]?.line.on ?? event.on;
  const brought = parts.reduce((sum, { line, units }) => sum + proportion(line.proceeds, units, line.quantity), 0n);
  const detail =
    `Form 1099 dates the sale of ${unitsOf(event)} in ${account}${forAmount(shownProceeds(event))} on ${formatDay(tx.on)}. The ` +
    `transactions date it${parts.length === 0 ? '' : forAmount(brought)} on ${formatDay(on)}. It counts once, on the day of the transactions. ` +
    ifTwoSales;
  ask(fold, event, { suffix: 'date', on, detail });
  if (yearOf(on) !== yearOf(tx.on)) ask(fold, event, { suffix: 'year', on: tx.on, detail });
}

const ifTwoSales = 'If these are two sales, add the missing one.';

/** How a form row that matches no line relates to the sales in the transactions. */
type OtherMeeting = Omit<FormMeeting, 'by'> & { readonly by: FormMeeting['by'] | 'short' | 'written' };

/** Raises an issue about a form row that matches no line. */
export function raiseWithoutLine(fold: Fold, event: TransactionEvent, form: OtherMeeting): void {
  const { account, tx } = event;
  const { by, on, proceeds = null, rows = [] } = form;
  const sold = `Form 1099 shows ${unitsOf(event)} sold in ${account} on ${formatDay(tx.on)}${forAmount(shownProceeds(event))}`;
  const other = `${on === undefined ? '' : ` on ${formatDay(on)}`}${forAmount(proceeds)}`;
  const stillOpen = (what: string): string =>
    `${sold}, and the transactions have a ${what}${other} that is still open. The sale counts as the form shows it.`;
  const details = {
    twice: `${sold}, and another form row shows the same sale. It counts once. ${ifTwoSales}`,
    account: `${sold}. The transactions show this sale in ${form.account}${other}. It counts once, in that account. ${ifTwoSales}`,
    open: `${sold}, but a short sale made that day is still open. It counts when the short sale is closed.`,
    ended: `${sold}, but no transaction closes the option written${other}. It counts once, as expired. If you bought it back, add that transaction.`,
    like: `${sold}. The transactions show a sale of the same quantity in ${form.account}${other}. Both count. If they are the same sale, remove one of them.`,
    short: `${stillOpen('short sale')} If it closes the short sale, add the covering purchase.`,
    written: `${stillOpen('written option')} If it closes the option, add the closing transaction.`,
    day: '',
  } as const;
  ask(fold, event, { suffix: by, on: tx.on, detail: details[by], transactions: rows });
}

interface SaleQuestion {
  readonly suffix: string;
  readonly on: Day;
  readonly detail: string;
  readonly transactions?: readonly string[];
}

/** Raises an issue. The result may be wrong by the proceeds of the sale, or by its cost if that is more. */
function ask(fold: Fold, event: TransactionEvent, { suffix, on, detail, transactions = [] }: SaleQuestion): void {
  const { tx } = event;
  const stakes = [dollars(tx, tx.amount), dollars(tx, tx.basis)].flatMap((amount) =>
    amount === null ? [] : [roundToCents(amount)],
  );
  const [stake = null] = stakes.sort((a, b) => (a > b ? -1 : 1));
  raise(fold, { ...event, on }, 'unreconciled', detail, { dollars: stake, suffix, transactions });
}

function shownProceeds({ tx }: TransactionEvent): Cents | null {
  const amount = dollars(tx, tx.amount);
  return amount === null ? null : roundToCents(amount);
}

function forAmount(cents: bigint | null): string {
  return cents === null ? '' : ` for $${formatCents(cents as Cents)}`;
}

function unitsOf({ tx, asset }: TransactionEvent): string {
  return `${formatQuantity(tx.quantity ?? (0n as Quantity))} ${asset}`;
}
