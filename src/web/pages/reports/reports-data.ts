import { choicesByFormat } from '../../../forms/choices.ts';
import { api, unwrapResponse } from '../../api/api.ts';
import { booksChanged } from '../../api/changes.ts';

export type YearReport = Awaited<ReturnType<typeof readReports>>['data'][number];
export type FormatId = keyof typeof choicesByFormat;
export type FormatChoices = Readonly<Partial<Record<FormatChoiceName, string>>>;
export type FormatChoiceName = (typeof choicesByFormat)[keyof typeof choicesByFormat][number];

/** Newest first. */
export function readReports(year: number) {
  return unwrapResponse(api.tax.reports.get({ query: { year, limit: 100 } }));
}

export function readReport(id: string) {
  return unwrapResponse(api.tax.reports({ id }).get());
}

/** Returns the report of the current books. If nothing has changed since the last report, that is the same one. */
export async function makeReport(year: number): Promise<YearReport> {
  const report = await unwrapResponse(api.tax.reports.post({ year }));
  booksChanged();
  return report;
}

/** The report's formats that this client knows. */
export function listFormats({ formats }: Pick<YearReport, 'formats'>): readonly FormatId[] {
  return (Object.keys(choicesByFormat) as FormatId[]).filter((format) => formats.includes(format));
}

export function choiceNamesOf(format: FormatId): readonly FormatChoiceName[] {
  return choicesByFormat[format];
}

/** Reads the format's options from the URL. Those of other formats are ignored. */
export function readFormatChoices(query: Readonly<Record<string, string>>, format: FormatId): FormatChoices {
  const named = choiceNamesOf(format).map((name) => [name, query[name] ?? ''] as const);
  return Object.fromEntries(named.filter(([, value]) => value !== ''));
}

export function downloadPath(id: string, format: FormatId, choices: FormatChoices): string {
  return `/v1/tax/reports/${id}/download?${new URLSearchParams({ format, ...choices })}`;
}
