import type { IssueKind } from '../../../engine/model.ts';
import { api, type DataOf, type ItemOf, useApi } from '../../api/api.ts';
import { formatCount, isZero } from '../../format/amounts.ts';
import { Money } from '../../parts/amount.tsx';

/** Open items with one cause. */
export type ReviewCause = ItemOf<typeof api.tax.issues.causes.get>;
export type CauseDetails = DataOf<ReturnType<typeof api.tax.issues.causes>['get']>;
export type ReviewItem = CauseDetails['items'][number];
export type ReviewIssue = ReviewItem['issues'][number];

/** Returns the causes of a year, or of all years if it is undefined. A null year loads nothing. */
export function useCauses(year: number | undefined | null) {
  const query = { limit: 1_000, ...(year ? { year } : {}) };
  return useApi(year === null ? null : `causes ${year}`, () => api.tax.issues.causes.get({ query }));
}

/** The name of the asset, the account, unless the name of the cause contains it, and the number of items. */
export function formatCauseSize({ account, asset, assetName, count, kind }: Omit<ReviewCause, 'id'>): string {
  const isNamed = asset === '' || kind === 'account_type_unknown';
  return [isNamed ? '' : assetName, isNamed ? '' : account, count > 1 ? formatCount(count, 'item') : '']
    .filter(Boolean)
    .join(' · ');
}

type Stake = Pick<ReviewCause, 'dollars' | 'unknown'>;

/** `$1,234.00 affected, and 3 items whose amount is not known yet`. */
export function formatStake({ dollars, unknown }: Stake) {
  if (isUnknown({ dollars, unknown })) return 'amounts not known yet';
  return (
    <>
      <Money amount={dollars} /> affected
      {unknown > 0 && `, and ${formatCount(unknown, 'item')} whose amount is not known yet`}
    </>
  );
}

/** `4 items: $1,234.00 affected` or `8 items, amounts not known yet`. */
export function formatTotal(total: Stake & Pick<ReviewCause, 'count'>) {
  return (
    <>
      {formatCount(total.count, 'item')}
      {isUnknown(total) ? ', ' : ': '}
      {formatStake(total)}
    </>
  );
}

const isUnknown = ({ dollars, unknown }: Stake): boolean => unknown > 0 && isZero(dollars);

/** One line that names the cause: `Missing purchase: VVV`. */
export function formatCause({ kind, asset, account, fileName, reason }: Omit<ReviewCause, 'id'>): string {
  if (kind === 'account_type_unknown') return `Is ${account} a retirement account?`;
  if (reason === 'pairs') return 'Transfers between your accounts';
  if (reason === 'prices') return asset === '' ? 'Missing prices' : `Missing prices: ${asset}`;
  const subject = kind === 'rejected_line' ? fileName : asset || account;
  return subject === null || subject === '' ? kindNames[kind] : `${kindNames[kind]}: ${subject}`;
}

/** The heading for each kind of item. */
export const kindNames: Readonly<Record<IssueKind, string>> = {
  oversold: 'Missing purchase',
  class_of_name: 'Stock or crypto?',
  same_security: 'One security or two?',
  basis_missing: 'Missing cost basis',
  value_missing: 'Missing value',
  transfer_unpaired: 'Unmatched transfer',
  lot_not_found: 'Selected lot not found',
  identified_late: 'Late lot selection',
  constructive_sale: 'Constructive sale',
  payment_in_lieu: 'Payment in lieu of a dividend',
  short_exceeded: 'Bought to cover more than sold short',
  option_not_open: 'No open option position',
  option_expired: 'Expired option',
  gift_incomplete: 'Gift with missing details',
  wash_window_open: 'Open wash sale window',
  deep_put_written: 'Deep in-the-money put after a loss',
  discount_unknown: 'Bond gain that may include interest',
  premium_unknown: 'Bond premium',
  wages_unconfirmed: 'Wages on Form W-2',
  plan_income_unknown: 'Employee stock purchase plan',
  straddle_suspected: 'Possible straddle',
  covered_call: 'Covered call',
  account_type_unknown: 'Possible tax-free account',
  contribution_in_kind: 'Property moved into a tax-free account',
  deferral_in_doubt: 'Questionable deferral',
  tax_year_by_zone: 'Choose your time zone',
  carryover_to_divide: 'Joint loss carryover',
  loss_event: 'Loss to review',
  class_unknown: 'Unknown asset class',
  future_date: 'Future date',
  unreconciled: "Records don't match",
  balance_differs: "Balance doesn't match",
  gain_differs: 'Your file reports a different gain',
  row_differs: 'Conflicting data in a newer file',
  rejected_line: 'Unreadable row',
};
