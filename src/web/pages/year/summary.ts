import { api, type DataOf, useApi } from '../../api/api.ts';

/** The stored summary of a tax year. */
export type YearSummary = DataOf<typeof api.tax.summary.get>;

export const useSummary = (year: number) => useApi(`summary ${year}`, () => api.tax.summary.get({ query: { year } }));
