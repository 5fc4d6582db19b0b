import type { FormatId } from './reports-data.ts';

interface FormatWords {
  readonly name: string;
  /** What the file is used for, in one sentence. */
  readonly use: string;
  /** The kind of file, for the download button. */
  readonly kind: 'PDF' | 'CSV' | 'TXF' | 'FDX' | 'JSON' | 'ZIP';
}

export const formatWords: Readonly<Record<FormatId, FormatWords>> = {
  '8949': {
    name: 'Form 8949 and Schedule D',
    use: 'IRS forms with the Schedule D totals, ready to print or attach.',
    kind: 'PDF',
  },
  pdf: {
    name: 'Full report',
    use: 'Every number with the lots, wash sales and source rows behind it, for your records.',
    kind: 'PDF',
  },
  preparer: {
    name: 'Everything for my preparer',
    use: 'The forms, the tables, the open issues, the assumptions and the elections.',
    kind: 'ZIP',
  },
  txf: { name: 'Tax Exchange Format', use: 'The entries for desktop tax software that reads TXF.', kind: 'TXF' },
  turbotax: { name: 'TurboTax Online', use: 'The entries for TurboTax Online.', kind: 'CSV' },
  taxact: { name: 'TaxAct', use: 'The entries for TaxAct.', kind: 'CSV' },
  drake: { name: 'Drake Tax', use: "The entries in the columns of Drake's Form 8949 import.", kind: 'CSV' },
  fdx: { name: 'Financial Data Exchange', use: 'The entries as Forms 1099-B and 1099-DA.', kind: 'FDX' },
  csv: { name: 'Form 8949 entries', use: 'One row per entry, for a spreadsheet.', kind: 'CSV' },
  'form-8997-csv': {
    name: 'Form 8997',
    use: 'Gains you deferred in qualified opportunity funds, to copy into Form 8997.',
    kind: 'CSV',
  },
  reconciliation: {
    name: 'Reconciliation statement',
    use: 'Each row of your 1099s next to our entries, with the reason for every difference. It answers a CP2000 notice.',
    kind: 'PDF',
  },
  'reconciliation-csv': { name: 'Reconciliation', use: 'The same comparison as a spreadsheet.', kind: 'CSV' },
  json: { name: 'All data', use: "The year's entries, lots, wash sales and rules, for a program.", kind: 'JSON' },
};

/** A card with the files for one way to file, and how to use them. */
export interface Purpose {
  readonly title: string;
  readonly steps: readonly string[];
  readonly files: readonly FormatId[];
}

const compare = 'Compare the totals of each box with Schedule D in the Form 8949 PDF.';

export const purposes: readonly Purpose[] = [
  {
    title: 'Paper or PDF',
    steps: [
      'Download Form 8949 with Schedule D.',
      'Print both forms, or attach the PDF to your return.',
      'Copy the result of Schedule D to your Form 1040.',
    ],
    files: ['8949'],
  },
  {
    title: 'TurboTax Online',
    steps: [
      'Download the CSV. A long year comes as several files in a ZIP: unzip it first.',
      'In TurboTax Online, go to the investments section and upload the file where it offers a CSV.',
      compare,
    ],
    files: ['turbotax'],
  },
  {
    title: 'TurboTax Desktop',
    steps: [
      'Download the TXF file.',
      'In TurboTax, choose Import from the File menu, and select the TXF file.',
      `${compare} TXF has no code for digital assets: set their boxes by hand.`,
    ],
    files: ['txf'],
  },
  {
    title: 'TaxAct',
    steps: [
      'Download the CSV. More than 2,000 rows come as several files in a ZIP: unzip it first.',
      'In TaxAct, go to Federal, Investment Income, Gain or loss on the sale of investments. Import the file as a Form 1099-B CSV.',
      'Match the columns that TaxAct shows, then compare the totals with Schedule D.',
    ],
    files: ['taxact'],
  },
  {
    title: 'Other tax software',
    steps: [
      'Check which file your program imports. See More tax programs below.',
      'Import the file as sales from a Form 1099-B or 1099-DA.',
      'If your program reads neither, enter the totals of each box and attach the Form 8949 PDF.',
    ],
    files: ['txf', 'fdx'],
  },
  {
    title: 'A preparer or CPA',
    steps: [
      'Download everything as one ZIP: forms, tables, open issues, assumptions and elections.',
      'Send it through the secure upload of your preparer rather than by email.',
      'To let them work in your books instead, invite them under Account.',
    ],
    files: ['preparer'],
  },
];

const summarize =
  'For totals, choose Exception 2 under Notes and options. Attach the statement in the PDF to the return, or mail it with Form 8453.';
const lacksLayout = (program: string): string => `We know of no published layout for importing sales into ${program}.`;

/** Programs without a published import layout, and where their users enter sales. */
export const programsWithoutLayout: readonly (readonly [program: string, enter: string, more?: string])[] = [
  [
    'FreeTaxUSA',
    'Under Investments and Savings, choose Add an Investment, and enter each sale or a summary of each box.',
  ],
  ['TaxSlayer', 'Open Schedule D/Form 8949, and enter each sale or the totals of each box with their cost basis type.'],
  [
    'ProSeries',
    'Open the Form 1099-B Worksheet from Schedule D, and enter one row of totals for each box with code M.',
    'Under Miscellaneous Options of Schedule D, line A, state whether you attach or mail it.',
  ],
  ['Lacerte', 'Enter one row of totals for each box with code M in the screen for Schedule D.'],
  ['UltraTax CS', 'Enter one row of totals for each box with code M in screen B&D.'],
  [
    'CCH Axcess and ProSystem fx',
    'The code for 1099-B is A if the basis was reported, B if not, and C without a form. The CSV has the rows to copy.',
  ],
];

/** Other tax programs, first those that read a file. */
export const programs: readonly Purpose[] = [
  {
    title: 'H&R Block',
    steps: [
      'For H&R Block Desktop, download the TXF file. Choose Import Financial Information from the File menu, and select it.',
      `${lacksLayout('H&R Block Online')} Enter the sales, or the totals of each box. ${summarize}`,
      compare,
    ],
    files: ['txf', '8949'],
  },
  {
    title: 'Drake Tax',
    steps: [
      "Download the CSV. It has the 40 columns of Drake's Form 8949 import.",
      'In the return, choose Form 8949 Import/GruntWorx Trades from the Import menu. Select the file and start the import at line 2.',
      `${compare} The import has no check box for digital assets: move what a Form 1099-DA reports to screen 99DA.`,
    ],
    files: ['drake'],
  },
  ...programsWithoutLayout.map(
    ([title, enter, more = '']): Purpose => ({
      title,
      steps: [`${lacksLayout(title)} ${enter}`, `${summarize} ${more}`.trim(), compare],
      files: ['8949', 'csv'],
    }),
  ),
];

/** The files that only one program reads. */
export const programFiles: readonly FormatId[] = programs.flatMap(({ files }) => (files.length === 1 ? files : []));

/** The files that no purpose needs. */
export const otherFiles = (Object.keys(formatWords) as FormatId[]).filter(
  (format) => !programFiles.includes(format) && !purposes.some(({ files }) => files.includes(format)),
);
