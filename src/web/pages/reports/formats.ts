import type { FormatId } from './reports-data.ts';

interface FormatWords {
  readonly name: string;
  /** What the file is used for, in one sentence. */
  readonly use: string;
  readonly isPdf: boolean;
}

/** The formats to choose from, in groups, most frequently needed first. */
export const formatGroups: readonly { readonly title: string; readonly formats: readonly FormatId[] }[] = [
  { title: 'Forms to file or keep', formats: ['8949', 'pdf'] },
  { title: 'Tax software', formats: ['txf', 'turbotax', 'taxact', 'fdx'] },
  { title: 'Your 1099s', formats: ['reconciliation', 'reconciliation-csv'] },
  { title: 'Spreadsheets and programs', formats: ['csv', 'form-8997-csv', 'json'] },
];

const inParts = 'Long years come as several files in a ZIP.';

export const formatWords: Readonly<Record<FormatId, FormatWords>> = {
  '8949': {
    name: 'Form 8949 and Schedule D',
    use: 'IRS forms with the Schedule D totals, ready to print or attach.',
    isPdf: true,
  },
  pdf: {
    name: 'Full report',
    use: 'Every number with the lots, wash sales and source rows behind it, for your records or your preparer.',
    isPdf: true,
  },
  txf: {
    name: 'TXF',
    use: 'For desktop tax software that reads the Tax Exchange Format, such as TurboTax Desktop.',
    isPdf: false,
  },
  turbotax: {
    name: 'TurboTax Online (CSV)',
    use: `A table for TurboTax Online. ${inParts}`,
    isPdf: false,
  },
  taxact: {
    name: 'TaxAct (CSV)',
    use: `A table for TaxAct. ${inParts}`,
    isPdf: false,
  },
  fdx: {
    name: 'FDX (JSON)',
    use: 'The entries as Forms 1099-B and 1099-DA, for software that reads Financial Data Exchange documents.',
    isPdf: false,
  },
  csv: {
    name: 'Form 8949 entries (CSV)',
    use: 'One row per entry, for a spreadsheet.',
    isPdf: false,
  },
  json: {
    name: 'All data (JSON)',
    use: "The year's entries, lots, wash sales and rules, for a program.",
    isPdf: false,
  },
  reconciliation: {
    name: 'Reconciliation statement',
    use: 'Each row of your 1099s next to our entries, with the reason for every difference. It answers a CP2000 notice.',
    isPdf: true,
  },
  'reconciliation-csv': {
    name: 'Reconciliation (CSV)',
    use: 'The same comparison as a spreadsheet.',
    isPdf: false,
  },
  'form-8997-csv': {
    name: 'Form 8997 (CSV)',
    use: 'Gains you deferred in qualified opportunity funds, to copy into Form 8997.',
    isPdf: false,
  },
};
