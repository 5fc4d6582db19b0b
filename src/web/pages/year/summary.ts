import { api, unwrapResponse } from '../../api/api.ts';

/** The stored summary of a tax year. */
export type YearSummary = Awaited<ReturnType<typeof readSummary>>;

export const readSummary = (year: number) => unwrapResponse(api.tax.summary.get({ query: { year } }));
