import { formatDay } from '../../../base/day.ts';
import { type Cents, formatCents, formatQuantity, type Quantity, roundToCents } from '../../../base/decimal.ts';
import { most } from '../../book/amounts.ts';
import { type Fold, isRetirement, raise } from '../../book/fold.ts';
import { transitPrefix } from '../../book/own-accounts.ts';
import { dollars, type TransactionEvent } from '../../events/event.ts';
import { isCurrencyKey } from '../../events/keys.ts';
import { isSuspected } from '../questions/account-types.ts';

/**
 * Raises an issue about units that move from a taxable account into an IRA, an HSA or a 401(k). A contribution must be
 * cash (IRC 219(e)(1), 408(a)(1), 223(d)(1)(A)). Contributed units were sold at their value (Commissioner v. Keystone,
 * 508 U.S. 152), and a loss is disallowed (IRC 267). The amount at stake is the gain, which would not be taxed without
 * the issue. Accounts without settings whose name suggests an IRA are included.
 * @param basis The basis of the units in cents.
 */
export function askAboutContribution(
  fold: Fold,
  event: TransactionEvent,
  from: string,
  to: string,
  { quantity, basis }: { readonly quantity: bigint; readonly basis: bigint },
): void {
  const [isFrom, isTo] = [from, to].map((account) => isSuspected(fold.rules, account));
  if (isCurrencyKey(event.key) || isRetirement(fold, from) || (isFrom && isTo)) return;
  if (isFrom && !isRetirement(fold, to)) askAboutDistribution(fold, event, from, to, quantity);
  const isNamed = isTo === true;
  if (!isRetirement(fold, to) && !isNamed) return;
  const value = dollars(event.tx, event.tx.fmv);
  const gain = value === null ? null : (most(0n, roundToCents(value) - basis) as Cents);
  const worth =
    value === null
      ? 'Their value on that day is not stated.'
      : `They were worth $${formatCents(roundToCents(value))} and cost $${formatCents(basis as Cents)}.`;
  const kind = isNamed ? 'which may be tax-free according to its name' : 'a tax-free account';
  const step = isNamed ? ` If ${to} is taxable, set its type in the settings.` : '';
  const detail =
    `${formatQuantity(quantity as Quantity)} ${event.asset} moved from a taxable account into ${to}, ${kind}, on ${formatDay(event.on)}.${step} ` +
    `${worth} A contribution must be cash (IRC 408(a)(1)). If the units were contributed, enter a sale at their value, without a ` +
    `loss, and a purchase in ${to}. If they came from another tax-free account, correct the account.`;
  raise(fold, event, 'contribution_in_kind', detail, { account: to, dollars: gain, units: quantity });
}

/**
 * Raises an issue about units that leave an account whose name suggests an IRA. The basis of units distributed by an
 * IRA is their value on that day.
 */
function askAboutDistribution(fold: Fold, event: TransactionEvent, from: string, to: string, quantity: bigint): void {
  if (to.startsWith(transitPrefix)) return;
  const detail =
    `${formatQuantity(quantity as Quantity)} ${event.asset} moved on ${formatDay(event.on)} out of ${from}, which may be tax-free according to its name, into ${to}. ` +
    'They keep their basis and acquisition date. If that account is tax-free, their basis is their value on that day, and their holding period starts then ' +
    `(IRC 408(d)(1)). Set the type of ${from} in the settings, even if it is taxable.`;
  raise(fold, event, 'unreconciled', detail, { account: from, units: quantity, suffix: 'distribution' });
}
