import { type Day, formatDay, yearOf } from '../../base/day.ts';
import type { Deps } from '../../deps.ts';
import type { AssetClass, Rules } from '../../engine/model.ts';
import type { Draft, Outcome, RowIssue } from '../../formats/format.ts';
import { type ReadingEnd, readFile } from '../../formats/read.ts';
import { type Prepared, prepare } from '../transactions/prepare.ts';
import type { StageScope } from '../transactions/queries.ts';
import { stage } from '../transactions/store.ts';
import { insertEvent, insertRejects, recordFormat, recordProgress } from './queries.ts';

export interface StageOptions {
  readonly format?: string;
  readonly account?: string;
  /** The zone that the import stated, and the taxpayer's. */
  readonly statedZone: string | null;
  readonly timeZone: string;
  readonly accounts: Rules['accounts'];
}

export interface Staged {
  readonly end: ReadingEnd;
  /** Those that the format could not read, and those that no table would take. */
  readonly rejected: number;
  readonly drafts: number;
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  readonly years: readonly number[];
}

/** Many enough that the round trip does not count, few enough that memory does not. */
const rowsPerStatement = 2_000;
const rejectsPerStatement = 500;
const progressMilliseconds = 1_000;

/** A batch takes several turns to be written, and reading takes long turns: with one at a time both would wait. */
const writesAtOnce = 2;

/**
 * Reads the file and stages what it says, under no lock. While two batches are written the next one is read, and no
 * fourth: that is the back-pressure which the uploader feels.
 */
export async function stageFile(
  deps: Deps,
  scope: StageScope,
  content: ReadableStream<Uint8Array>,
  options: StageOptions,
): Promise<Staged> {
  const staging = new Staging(deps, scope, options);
  const reading = {
    timeZone: options.statedZone ?? options.timeZone,
    ...(options.format === undefined ? {} : { format: options.format }),
    ...(options.account === undefined ? {} : { account: options.account }),
  };
  try {
    for await (const batch of readFile(content, reading)) {
      if (batch.kind === 'format') await staging.begin(batch.format.id, batch.format.assetClass, batch.header);
      else if (batch.kind === 'outcomes') await staging.take(batch.outcomes, batch.bytesRead);
      else return await staging.finish(batch);
    }
  } finally {
    await staging.settled();
  }
  throw new Error('A file was read without an end.');
}

class Staging {
  private rows: Prepared[] = [];
  private rejects: RowIssue[] = [];
  private staged = 0;
  private rejected = 0;
  private extraRejects = 0;
  private lines = 0;
  private readonly writing: Promise<unknown>[] = [];
  private toldAt: number;
  private firstDay: Day | null = null;
  private lastDay: Day | null = null;
  private readonly years = new Set<number>();
  private sourceClass: AssetClass | null = null;

  constructor(
    private readonly deps: Deps,
    private readonly scope: StageScope,
    private readonly options: StageOptions,
  ) {
    this.toldAt = deps.clock.now().getTime();
  }

  async begin(format: string, sourceClass: AssetClass | null, header: readonly string[]): Promise<void> {
    this.sourceClass = sourceClass;
    await this.deps.database.asTaxpayer(this.scope.taxpayerId, (sql) => recordFormat(sql, this.scope, format, header));
  }

  async take(outcomes: readonly Outcome[], bytesRead: number): Promise<void> {
    for (const outcome of outcomes) {
      this.lines += outcome.lines.length;
      if (outcome.kind === 'rejected') this.rejects.push(outcome.issue);
      else if (outcome.kind === 'read') for (const draft of outcome.drafts) this.keep(draft);
    }
    if (this.rows.length >= rowsPerStatement || this.rejects.length >= rejectsPerStatement) await this.write();
    await this.tell(bytesRead);
  }

  async finish(end: ReadingEnd): Promise<Staged> {
    await this.write();
    await Promise.all(this.writing);
    return {
      end,
      rejected: end.rejected + this.extraRejects,
      drafts: this.staged,
      firstDay: this.firstDay === null ? null : formatDay(this.firstDay),
      lastDay: this.lastDay === null ? null : formatDay(this.lastDay),
      years: [...this.years].sort((a, b) => a - b),
    };
  }

  settled(): Promise<unknown> {
    return Promise.allSettled(this.writing);
  }

  private keep(draft: Draft): void {
    const tooLong = overlongOf(draft);
    if (tooLong !== null) {
      this.rejects.push(tooLong);
      this.extraRejects += 1;
      return;
    }
    const { accounts, statedZone } = this.options;
    const timeZone = draft.timeZone ?? statedZone;
    this.rows.push(prepare(draft, draft.line, { accounts, sourceClass: this.sourceClass, timeZone }));
    if (this.firstDay === null || draft.on < this.firstDay) this.firstDay = draft.on;
    if (this.lastDay === null || draft.on > this.lastDay) this.lastDay = draft.on;
    this.years.add(yearOf(draft.on));
  }

  private async write(): Promise<void> {
    if (this.writing.length >= writesAtOnce) await this.writing.shift();
    const { rows, rejects, scope } = this;
    const [before, rejectedBefore] = [this.staged, this.rejected];
    this.staged += rows.length;
    this.rejected += rejects.length;
    this.rows = [];
    this.rejects = [];
    if (rows.length === 0 && rejects.length === 0) return;
    const write = this.deps.database.asTaxpayer(scope.taxpayerId, async (sql) => {
      if (rows.length > 0) await stage(sql, scope, before, rows);
      if (rejects.length > 0) await insertRejects(sql, scope, rejectedBefore, rejects);
    });
    // Whoever waits for it hears of its failure; until then nobody else need.
    write.catch(() => undefined);
    this.writing.push(write);
  }

  private async tell(bytes: number): Promise<void> {
    const at = this.deps.clock.now();
    if (at.getTime() - this.toldAt < progressMilliseconds) return;
    this.toldAt = at.getTime();
    await this.deps.database.asTaxpayer(this.scope.taxpayerId, async (sql) => {
      await recordProgress(sql, this.scope, { bytes, rows: this.lines, at });
      await insertEvent(sql, this.scope, 'progress', { bytes, rows: this.lines, rowsStored: this.staged });
    });
  }
}

/** What an index can hold: a name longer than this is none. */
const nameLengthMax = 200;
const noteLengthMax = 10_000;

function overlongOf(draft: Draft): RowIssue | null {
  const names: readonly (readonly [column: string, text: string, most: number])[] = [
    ['account', draft.account, nameLengthMax],
    ['asset', draft.asset, nameLengthMax],
    ['received_asset', draft.receivedAsset, nameLengthMax],
    ['fee_asset', draft.feeAsset, nameLengthMax],
    ['to_account', draft.toAccount, nameLengthMax],
    ['underlying', draft.underlying, nameLengthMax],
    ['id', draft.externalId, nameLengthMax],
    ['note', draft.note, noteLengthMax],
  ];
  const found = names.find(([, text, most]) => text.length > most);
  if (found === undefined) return null;
  const [column, , most] = found;
  return { line: draft.line, column, code: 'too_long', reason: `this has more than ${most} characters`, cells: [] };
}
