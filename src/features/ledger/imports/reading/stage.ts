import type { Deps } from '../../../../deps.ts';
import type { ReadingEnd } from '../../../../formats/read.ts';
import { insertRejects } from '../../transactions/rejected.queries.ts';
import type { StageScope } from '../../transactions/rows/rows.queries.ts';
import { insertStaged } from '../../transactions/staged/staged.queries.ts';
import { insertGroups, insertText } from '../../transactions/texts.queries.ts';
import { insertEvent, recordFormat, recordProgress } from '../imports.queries.ts';
import type { FileSummary, FormatBatch, ImportReadingOptions, RowsBatch } from './batches.ts';
import type { ReadingWorker } from './reading.ts';

/** `Deps` and the Worker that reads files. */
export interface StageDeps extends Deps {
  readonly readingWorker: ReadingWorker;
}

export interface Staged extends FileSummary {
  readonly end: ReadingEnd;
  /** How the file was read. */
  readonly opened: FormatBatch;
}

const progressMilliseconds = 1_000;

/**
 * Garbage is collected after this number of bytes is written, which takes about 20 ms. Writing creates several times as
 * much garbage as the bytes read. Without this limit, it would only be collected after 100 MB.
 */
const bytesPerCollection = 16_000_000;

/**
 * Writing a batch takes several event-loop turns, and each turn of reading is long. With only one write at a time, both
 * would wait for each other.
 */
const writesAtOnce = 2;

/**
 * Reads the file and stages its rows without a lock. Returns the format, which the caller records in the list of
 * imports. For a long file, it is already recorded with the progress. While two batches are being written, the next one
 * and a few more are read, which slows the uploader down to the speed of the database.
 */
export async function stageFile(
  deps: StageDeps,
  scope: StageScope,
  content: ReadableStream<Uint8Array>,
  options: ImportReadingOptions,
): Promise<Staged> {
  const staging = new StagingRun(deps, scope);
  let opened: FormatBatch | undefined;
  try {
    for await (const batch of deps.readingWorker.read(content, options)) {
      if (batch.kind === 'format') {
        opened = batch;
        staging.opened = batch;
      } else if (batch.kind === 'rows') await staging.take(batch);
      else {
        await staging.written();
        if (opened === undefined) break;
        return { ...batch.summary, end: batch.end, opened };
      }
    }
  } finally {
    await staging.waitForWrites();
  }
  throw new Error('A file was read without a beginning or an end.');
}

class StagingRun {
  /** The format of the file. Null after it has been recorded with the progress. */
  opened: FormatBatch | null = null;
  private staged = 0;
  private rejected = 0;
  private batches = 0;
  private collectedAt = 0;
  private readonly writing: Promise<unknown>[] = [];
  private reportedAt: number;

  constructor(
    private readonly deps: Deps,
    private readonly scope: StageScope,
  ) {
    this.reportedAt = deps.clock.now().getTime();
  }

  async take(batch: RowsBatch): Promise<void> {
    if (this.writing.length >= writesAtOnce) await this.writing.shift();
    this.write(batch);
    if (batch.bytesRead - this.collectedAt >= bytesPerCollection) {
      this.collectedAt = batch.bytesRead;
      Bun.gc(true);
    }
    await this.report(batch);
  }

  async written(): Promise<void> {
    await Promise.all(this.writing);
  }

  waitForWrites(): Promise<unknown> {
    return Promise.allSettled(this.writing);
  }

  private write({ drafts, columns, rejects, texts, groups }: RowsBatch): void {
    const { scope } = this;
    const [before, rejectedBefore] = [this.staged, this.rejected];
    this.staged += drafts;
    this.rejected += rejects.length;
    this.batches += 1;
    const number = this.batches;
    const isEmpty = columns === null && rejects.length === 0 && texts.length === 0 && groups.length === 0;
    if (isEmpty) return;
    const write = this.deps.database.asTaxpayer(scope.taxpayerId, async (sql) => {
      if (columns !== null) await insertStaged(sql, scope, before, columns);
      if (rejects.length > 0) await insertRejects(sql, scope, rejectedBefore, rejects);
      for (const text of texts) await insertText(sql, scope, text);
      if (groups.length > 0) await insertGroups(sql, scope, number, groups);
    });
    // Prevents an unhandled rejection. The code that awaits the write gets the error.
    write.catch(() => undefined);
    this.writing.push(write);
  }

  private async report({ bytesRead, lines }: RowsBatch): Promise<void> {
    const at = this.deps.clock.now().getTime();
    if (at - this.reportedAt < progressMilliseconds) return;
    this.reportedAt = at;
    const { opened } = this;
    this.opened = null;
    await this.deps.database.asTaxpayer(this.scope.taxpayerId, async (sql) => {
      if (opened !== null) await recordFormat(sql, this.scope, opened);
      await recordProgress(sql, this.scope, { bytes: bytesRead, rows: lines });
      await insertEvent(sql, this.scope, 'progress', { bytes: bytesRead, rows: lines, rowsStored: this.staged });
    });
  }
}
