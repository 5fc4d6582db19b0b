import { choicesByFormat } from '../../../forms/choices.ts';
import { api, type ItemOf, unwrapResponse, useApi, write } from '../../api/api.ts';

export type YearReport = ItemOf<typeof api.tax.reports.get>;
export type FormatId = keyof typeof choicesByFormat;
export type FormatChoices = Readonly<Partial<Record<FormatChoiceName, string>>>;
export type FormatChoiceName = (typeof choicesByFormat)[keyof typeof choicesByFormat][number];

/** Returns the year's reports, newest first. */
export function useReports(year: number) {
  return useApi(`reports ${year}`, () => api.tax.reports.get({ query: { year, limit: 100 } }));
}

/** Returns the report for the current books. Returns the last report again if nothing has changed since. */
export const makeReport = (year: number): Promise<YearReport> => write(api.tax.reports.post({ year }));

/** Returns the id of the report that is up to date. Creates one if there is none. */
export async function findCurrentReport(year: number): Promise<string> {
  const { data } = await unwrapResponse(api.tax.reports.get({ query: { year } }));
  return (data.find(({ stale }) => !stale) ?? (await unwrapResponse(api.tax.reports.post({ year })))).id;
}

/** Returns the report formats that this client supports. */
export function listFormats({ formats }: Pick<YearReport, 'formats'>): readonly FormatId[] {
  return (Object.keys(choicesByFormat) as FormatId[]).filter((format) => formats.includes(format));
}

export const choiceNamesOf = (format: FormatId): readonly FormatChoiceName[] => choicesByFormat[format];

/** Reads the format's options from the URL. Options of other formats are ignored. */
export function readFormatChoices(query: Readonly<Record<string, string>>, format: FormatId): FormatChoices {
  const named = choiceNamesOf(format).map((name) => [name, query[name] ?? ''] as const);
  return Object.fromEntries(named.filter(([, value]) => value !== ''));
}

export function downloadPath(id: string, format: FormatId, choices: FormatChoices): string {
  return `/v1/tax/reports/${id}/download?${new URLSearchParams({ format, ...choices })}`;
}
