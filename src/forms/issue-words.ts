import type { IssueKind } from '../engine/model.ts';

/** The words for each kind of issue in a report. */
export const issueWords: Readonly<Record<IssueKind, string>> = {
  oversold: 'more sold than held',
  basis_missing: 'basis missing',
  value_missing: 'value missing',
  transfer_unpaired: 'transfer without its other side',
  lot_not_found: 'lot not found',
  identified_late: 'lot named too late',
  constructive_sale: 'constructive sale',
  short_exceeded: 'more covered than sold short',
  option_not_open: 'option not open',
  option_expired: 'option past its expiry',
  gift_incomplete: 'gift data incomplete',
  loss_event: 'loss to review',
  future_date: 'date in the future',
  unreconciled: 'does not reconcile',
};
