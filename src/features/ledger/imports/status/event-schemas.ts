import { closed, FailureReason, whole } from '../../../../http/schemas.ts';
import { Import } from '../imports.schemas.ts';

const Progress = closed(
  { bytes: whole({ description: 'Bytes read.' }), rows: whole({ description: 'Lines read.' }), rowsStored: whole() },
  { title: 'ImportProgress' },
);
const Books = closed(
  { done: whole({ description: 'Number of books that are up to date.' }), of: whole() },
  { title: 'ImportBooks' },
);
const Failed = closed(FailureReason.properties, { title: 'ImportFailed' });

/** The events in the stream of an import. */
export const importEventKinds = [
  {
    name: 'progress',
    when: 'The reading progress of the file.',
    schema: Progress,
    example: { bytes: 1_048_576, rows: 12_000, rowsStored: 11_950 },
  },
  {
    name: 'books',
    when: 'The number of affected books that are up to date.',
    schema: Books,
    example: { done: 3, of: 8 },
  },
  {
    name: 'done',
    when: 'The completed import. Ends the stream.',
    schema: Import,
    example: {
      id: '53c3ec83-a853-47ac-8706-22be23f30a70',
      status: 'completed',
      format: 'lotbook',
      fileName: 'trades.csv',
      bytes: 1_310_720,
      rows: 15_000,
      imported: 14_940,
      transactions: 14_940,
      duplicates: 0,
      skipped: 58,
      rejected: 2,
      firstDate: '2023-01-05',
      lastDate: '2024-12-16',
      years: [2023, 2024],
      skips: [{ reason: 'cash only', lines: 58 }],
      warnings: { count: 0, lines: [], results: [{ result: 'total', compared: 1, differing: 0 }] },
      issues: 1,
      possibleDuplicates: 0,
      proposedRows: 0,
      accounts: [{ account: 'Schwab', by: 'row', stated: null, rows: 14_940 }],
      accountOffers: [],
      accountQuestions: 0,
      createdAt: '2025-02-01T09:30:00.000Z',
      completedAt: '2025-02-01T09:30:02.000Z',
    },
  },
  {
    name: 'failed',
    when: 'The reason for the failure. Ends the stream.',
    schema: Failed,
    example: { code: 'plan_limit', detail: 'Your FREE plan includes 50 transactions.' },
  },
];
