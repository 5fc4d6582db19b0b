import type { Deps } from '../../../deps.ts';
import { closed, FailureReason, whole } from '../../../http/schemas.ts';
import type { ServerEvent } from '../../../http/sse.ts';
import type { StageScope } from '../transactions/rows.queries.ts';
import { selectEvents, selectImport } from './imports.queries.ts';
import { Import } from './imports.schemas.ts';

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

const pollMilliseconds = 300;

/** Yields the events of an import after `lastEventId`, until the import is done. */
export async function* importEvents(
  deps: Deps,
  scope: StageScope,
  lastEventId: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  let after = lastEventId !== undefined && /^\d{1,18}$/.test(lastEventId) ? lastEventId : '0';
  while (!signal.aborted) {
    const from = after;
    // Checked before the events are read. If the import ends between the two queries, its last event is included.
    const running = await isRunning(deps, scope);
    const rows = await deps.database.asTaxpayer(scope.taxpayerId, (sql) => selectEvents(sql, scope, from), {
      readOnly: true,
    });
    for (const row of rows) {
      yield { id: row.id, event: row.kind, data: row.data };
      after = row.id;
      if (row.kind === 'done' || row.kind === 'failed') return;
    }
    if (rows.length === 0 && !running) return;
    await pause(pollMilliseconds, signal);
  }
}

/**
 * Returns whether the import is running. If it was deleted or has ended, there are no more events after the requested
 * ones.
 */
async function isRunning(deps: Deps, scope: StageScope): Promise<boolean> {
  return deps.database.asTaxpayer(
    scope.taxpayerId,
    async (sql) => {
      const row = await selectImport(sql, scope);
      return row?.status === 'running';
    },
    { readOnly: true },
  );
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
