import { api, unwrapResponse } from '../../api/api.ts';
import { kindNames } from './kind-names.ts';

/** Open items with one cause. */
export type ReviewCause = Awaited<ReturnType<typeof readCauses>>['data'][number];
export type CauseDetails = Awaited<ReturnType<typeof readCause>>;
export type ReviewItem = CauseDetails['items'][number];
export type ReviewIssue = ReviewItem['issues'][number];

export function readCauses(year: number | undefined) {
  return unwrapResponse(
    api.tax.issues.causes.get({ query: { limit: 1_000, ...(year === undefined ? {} : { year }) } }),
  );
}

export function readCause(id: string, year: number | undefined, limit: number) {
  return unwrapResponse(
    api.tax.issues.causes({ id }).get({ query: { limit, ...(year === undefined ? {} : { year }) } }),
  );
}

/** One line that names the cause: `Missing purchase: VVV`. */
export function formatCause({ kind, asset, account, fileName, isPairs }: Omit<ReviewCause, 'id'>): string {
  if (kind === 'account_type_unknown') return `Is ${account} a retirement account?`;
  if (isPairs) return 'Transfers between your accounts';
  const subject = kind === 'rejected_line' ? fileName : asset || account;
  return subject === null || subject === '' ? kindNames[kind] : `${kindNames[kind]}: ${subject}`;
}
