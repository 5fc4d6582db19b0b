import type { IssueKind } from '../../../engine/model.ts';

/** What each kind of question is called at the head of its card. */
export const kindNames: Readonly<Record<IssueKind, string>> = {
  oversold: 'More sold than held',
  class_of_name: 'A stock or a coin',
  basis_missing: 'The cost is missing',
  value_missing: 'The value is missing',
  transfer_unpaired: 'A transfer without its other side',
  lot_not_found: 'The named lot is not there',
  identified_late: 'A lot named too late',
  constructive_sale: 'A constructive sale',
  short_exceeded: 'More covered than sold short',
  option_not_open: 'An option that was not open',
  option_expired: 'An option past its expiry',
  gift_incomplete: 'A gift without its history',
  wash_window_open: 'A wash sale window is open',
  deep_put_written: 'A put deep in the money after a loss',
  straddle_suspected: 'Perhaps a straddle',
  account_type_unknown: 'Perhaps a tax-free account',
  deferral_in_doubt: 'A deferral in doubt',
  tax_year_by_zone: 'The tax year depends on the time zone',
  loss_event: 'A loss to review',
  class_unknown: 'What is it',
  future_date: 'A date in the future',
  unreconciled: 'It does not agree with the form 1099',
  balance_differs: 'A balance that differs',
  rejected_line: 'A line that could not be read',
};
