import type { FormatId } from './reports-data.ts';

interface FormatWords {
  readonly name: string;
  /** What it is for, in one sentence. */
  readonly use: string;
  readonly isPdf: boolean;
}

/** The formats as one chooses among them: groups in the order in which people need them. */
export const formatGroups: readonly { readonly title: string; readonly formats: readonly FormatId[] }[] = [
  { title: 'To file or to keep', formats: ['8949', 'pdf'] },
  { title: 'For tax software', formats: ['txf', 'turbotax', 'taxact', 'fdx'] },
  { title: 'For your 1099s', formats: ['reconciliation', 'reconciliation-csv'] },
  { title: 'For a spreadsheet or a program', formats: ['csv', 'form-8997-csv', 'json'] },
];

export const formatWords: Readonly<Record<FormatId, FormatWords>> = {
  '8949': {
    name: 'Form 8949 and Schedule D',
    use: 'The forms as the IRS takes them, with the totals of Schedule D, to print or to attach.',
    isPdf: true,
  },
  pdf: {
    name: 'Full report',
    use: 'Every number with the lots, wash sales and source lines behind it, for your records or your preparer.',
    isPdf: true,
  },
  txf: {
    name: 'TXF',
    use: 'For desktop tax programs that read the Tax Exchange Format, as TurboTax on a computer does.',
    isPdf: false,
  },
  turbotax: {
    name: 'TurboTax Online (CSV)',
    use: 'A table that TurboTax Online reads. A long year comes as several files in a ZIP.',
    isPdf: false,
  },
  taxact: {
    name: 'TaxAct (CSV)',
    use: 'A table that TaxAct reads. A long year comes as several files in a ZIP.',
    isPdf: false,
  },
  fdx: {
    name: 'FDX (JSON)',
    use: 'The lines as Forms 1099-B and 1099-DA, for programs that read documents of the Financial Data Exchange.',
    isPdf: false,
  },
  csv: {
    name: 'Lines of Form 8949 (CSV)',
    use: 'One row a line of the form, for a spreadsheet.',
    isPdf: false,
  },
  json: {
    name: 'All of it (JSON)',
    use: 'Lines, lots, wash sales and rules of the year, for a program.',
    isPdf: false,
  },
  reconciliation: {
    name: 'Reconciliation statement',
    use: 'Each row of your 1099s beside our lines, with the reason where they differ: the answer to a notice CP2000.',
    isPdf: true,
  },
  'reconciliation-csv': {
    name: 'Reconciliation (CSV)',
    use: 'The same comparison with your 1099s, for a spreadsheet.',
    isPdf: false,
  },
  'form-8997-csv': {
    name: 'Form 8997 (CSV)',
    use: 'Gains that you deferred in qualified opportunity funds, to copy into Form 8997.',
    isPdf: false,
  },
};
