import type { RefusalCode } from '../../../base/refusal.ts';
import type { IssueKind } from '../../../engine/model.ts';

/** The entry that explains each kind of issue. */
export const entryOfIssue: Readonly<Record<IssueKind, string>> = {
  oversold: 'missing-purchase',
  class_of_name: 'asset-class',
  same_security: 'same-security',
  basis_missing: 'enter-cost',
  value_missing: 'enter-value',
  transfer_unpaired: 'match-transfer',
  lot_not_found: 'lot-not-found',
  identified_late: 'late-identification',
  constructive_sale: 'constructive-sale',
  payment_in_lieu: 'payment-in-lieu',
  short_exceeded: 'short-exceeded',
  option_not_open: 'option-not-open',
  option_expired: 'option-expired-item',
  gift_incomplete: 'gift-details',
  wash_window_open: 'open-wash-window',
  deep_put_written: 'deep-put',
  discount_unknown: 'discount-unknown',
  premium_unknown: 'bond-premium',
  wages_unconfirmed: 'w2-of-employee-stock',
  plan_income_unknown: 'espp-income',
  straddle_suspected: 'straddle',
  covered_call: 'covered-call',
  account_type_unknown: 'tax-free-account',
  contribution_in_kind: 'contribution-in-kind',
  deferral_in_doubt: 'deferral-in-doubt',
  tax_year_by_zone: 'set-time-zone',
  carryover_to_divide: 'carryover-joint',
  loss_event: 'loss-to-review',
  class_unknown: 'asset-class',
  future_date: 'future-date',
  unreconciled: 'reconcile-1099',
  balance_differs: 'balance-differs',
  gain_differs: 'gain-differs',
  row_differs: 'conflicting-row',
  rejected_line: 'unreadable-row',
};

const problemEntries: Readonly<Partial<Record<RefusalCode, string>>> = {
  plan_limit: 'plans-and-limits',
  ai_quota: 'plans-and-limits',
  year_locked: 'lock-year',
  unknown_format: 'unknown-file',
  ambiguous_format: 'unknown-file',
  ambiguous_file: 'unknown-file',
  empty_file: 'import-files',
  not_csv: 'import-files',
  malformed_csv: 'unreadable-row',
  insufficient_scope: 'api-tokens',
  invalid_token: 'api-tokens',
  totp_required: 'password-and-sign-in',
};

/** The entry that explains an error, by its code. Errors without one are explained by their own text. */
export const entryOfProblem: ReadonlyMap<string, string> = new Map(Object.entries(problemEntries));
