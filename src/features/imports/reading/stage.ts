import type { Deps } from '../../../deps.ts';
import type { ReadingEnd } from '../../../formats/read.ts';
import { insertRejects } from '../../transactions/rejected/queries.ts';
import type { StageScope } from '../../transactions/rows/queries.ts';
import { insertStaged } from '../../transactions/staged/queries.ts';
import { insertGroups, insertText } from '../../transactions/texts/queries.ts';
import { insertEvent, recordFormat, recordProgress } from '../status/queries.ts';
import type { FileSummary, FormatBatch, ImportReadingOrder, RowsBatch } from './batches.ts';
import type { ReadingWorker } from './reading.ts';

/** Beside `Deps`, the Worker that reads files. */
export interface StageDeps extends Deps {
  readonly readingWorker: ReadingWorker;
}

export interface Staged extends FileSummary {
  readonly end: ReadingEnd;
  /** How it was read. */
  readonly opened: FormatBatch;
}

const progressMilliseconds = 1_000;

/**
 * What was written is garbage: several times as much as was read, and left to itself it waits until it is a hundred
 * megabytes. Collecting it takes some twenty milliseconds.
 */
const bytesPerCollection = 16_000_000;

/** A batch takes several turns to be written, and reading takes long turns: with one at a time both would wait. */
const writesAtOnce = 2;

/**
 * Reads the file and stages what it says, under no lock. What the file is stands in the result, and with it in the list of
 * imports once the caller says so; of a file that takes longer, with its progress. While two batches are written the next one is read, and few
 * more: that is the back-pressure which the uploader feels.
 */
export async function stageFile(
  deps: StageDeps,
  scope: StageScope,
  content: ReadableStream<Uint8Array>,
  order: ImportReadingOrder,
): Promise<Staged> {
  const staging = new StagingRun(deps, scope);
  let opened: FormatBatch | undefined;
  try {
    for await (const batch of deps.readingWorker.read(content, order)) {
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
    await staging.settled();
  }
  throw new Error('A file was read without a beginning or an end.');
}

class StagingRun {
  /** What the file is, until its progress says so. */
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

  settled(): Promise<unknown> {
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
    // Whoever waits for it hears of its failure; until then nobody else need.
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
