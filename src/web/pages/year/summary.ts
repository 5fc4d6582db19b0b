import { api, unwrapResponse } from '../../api/api.ts';

/** The stored summary of a tax year. */
export type YearSummary = Awaited<ReturnType<typeof readSummary>>;

export function readSummary(year: number) {
  return unwrapResponse(api.tax.summary.get({ query: { year } }));
}
