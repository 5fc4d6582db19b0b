import { formatDay } from '../../../base/day.ts';
import { type Cents, formatCents, formatQuantity, type Quantity, roundToCents } from '../../../base/decimal.ts';
import { most } from '../../book/amounts.ts';
import { type Fold, isRetirement, raise } from '../../book/fold.ts';
import { dollars, type TransactionEvent } from '../../events/event.ts';
import { isCurrencyKey } from '../../events/keys.ts';

/**
 * Asks about units that move from a taxable account into an IRA, an HSA or a 401(k). A contribution must be cash (IRC
 * 219(e)(1), 408(a)(1), 223(d)(1)(A)). Units that were contributed all the same were sold at their value
 * (Commissioner v. Keystone, 508 U.S. 152), and a loss is denied (IRC 267). The gain is at stake: without the question
 * it would leave taxation.
 *
 * @param basis The basis of the units in cents.
 */
export function askAboutContribution(
  fold: Fold,
  event: TransactionEvent,
  from: string,
  to: string,
  { quantity, basis }: { readonly quantity: bigint; readonly basis: bigint },
): void {
  if (isCurrencyKey(event.key) || isRetirement(fold, from) || !isRetirement(fold, to)) return;
  const value = dollars(event.tx, event.tx.fmv);
  const gain = value === null ? null : (most(0n, roundToCents(value) - basis) as Cents);
  const worth =
    value === null
      ? 'Their value on that day is not stated.'
      : `They were worth $${formatCents(roundToCents(value))} and cost $${formatCents(basis as Cents)}.`;
  const detail =
    `${formatQuantity(quantity as Quantity)} ${event.asset} moved from a taxable account into ${to}, a tax-free account, on ${formatDay(event.on)}. ` +
    `${worth} A contribution must be cash (IRC 408(a)(1)). If the units were contributed, enter a sale at their value, without a ` +
    `loss, and a purchase in ${to}. If they came from another tax-free account, correct the account.`;
  raise(fold, event, 'contribution_in_kind', detail, { account: to, dollars: gain });
}
