import { choicesByFormat } from '../../../forms/choices.ts';
import { api, got } from '../../api/api.ts';
import { booksChanged } from '../../api/changes.ts';

export type YearReport = Awaited<ReturnType<typeof readReports>>['data'][number];
export type FormatId = keyof typeof choicesByFormat;
export type FormatChoices = Readonly<Partial<Record<FormatChoiceName, string>>>;
export type FormatChoiceName = (typeof choicesByFormat)[keyof typeof choicesByFormat][number];

/** The newest come first. */
export function readReports(year: number) {
  return got(api.tax.reports.get({ query: { year, limit: 100 } }));
}

export function readReport(id: string) {
  return got(api.tax.reports({ id }).get());
}

/** The report of the books as they are: the one that is there, where nothing has changed since. */
export async function makeReport(year: number): Promise<YearReport> {
  const report = await got(api.tax.reports.post({ year }));
  booksChanged();
  return report;
}

/** The formats that a report offers and this client knows. */
export function formatsOf({ formats }: Pick<YearReport, 'formats'>): readonly FormatId[] {
  return (Object.keys(choicesByFormat) as FormatId[]).filter((format) => formats.includes(format));
}

export function choiceNamesOf(format: FormatId): readonly FormatChoiceName[] {
  return choicesByFormat[format];
}

/** What an address says of the choices of a format; those of other formats are left out. */
export function choicesIn(query: Readonly<Record<string, string>>, format: FormatId): FormatChoices {
  const named = choiceNamesOf(format).map((name) => [name, query[name] ?? ''] as const);
  return Object.fromEntries(named.filter(([, value]) => value !== ''));
}

export function downloadPath(id: string, format: FormatId, choices: FormatChoices): string {
  return `/v1/tax/reports/${id}/download?${new URLSearchParams({ format, ...choices })}`;
}
