/**
 * The last tax year in which Lotbook's Form 8949 and Schedule D were compared with the final forms
 * (`scripts/forms/compare.ts`). Increase it in the release that compares a later year.
 */
export const lastYearCompared = 2025;

/**
 * Same as `lastYearCompared`, for Form 8997, which is exported only as data. Its parts and columns were compared with
 * the final form.
 */
export const lastYearOf8997Compared = 2025;

/** Returns whether the year's final Form 8949 and Schedule D were not compared yet, so its PDFs are previews. */
export function isPreview(year: number, compared: number = lastYearCompared): boolean {
  return year > compared;
}

/** Returns the notice for a year whose final Form 8949 and Schedule D were not compared yet. Empty for other years. */
export function previewNotice(year: number, compared: number = lastYearCompared): string {
  if (!isPreview(year, compared)) return '';
  return `Preview, not for filing: these are the ${compared} forms with the year ${year}. Lotbook has not been checked against the final ${year} forms yet.`;
}

/** Returns the notice for a year whose final Form 8997 was not compared yet. Empty for other years. */
export function previewOf8997(year: number, compared: number = lastYearOf8997Compared): string {
  if (year <= compared) return '';
  return `Preview, not for filing: parts and columns follow the 2026 draft. Lotbook has not been checked against the final ${year} Form 8997 and its instructions yet.`;
}

/** Returns the file name suffix between the year and the extension. */
export function previewSuffix(notice: string): string {
  return notice === '' ? '' : '-preview';
}
