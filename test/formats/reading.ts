import { Refusal } from '../../src/base/refusal.ts';
import type { Draft, Outcome } from '../../src/formats/format.ts';
import type { ReadingOptions } from '../../src/formats/opening.ts';
import { type Batch, type ReadingEnd, readFile } from '../../src/formats/read.ts';
import { type RowLimits, rowLimits } from '../../src/formats/rows/rows.ts';

/** The result of reading a file to completion. */
export interface WholeReading {
  readonly format: string;
  readonly layout: string;
  readonly headerLine: number;
  readonly outcomes: readonly Outcome[];
  readonly drafts: readonly Draft[];
  readonly end: ReadingEnd;
}

export type Source = string | Uint8Array | readonly Uint8Array[];

export async function readWhole(
  source: Source,
  options: Partial<ReadingOptions> = {},
  limits: Partial<RowLimits> = {},
): Promise<WholeReading> {
  const batches: Batch[] = [];
  const stream = streamOf(source);
  for await (const batch of readFile(stream, { timeZone: 'UTC', ...options }, { ...rowLimits, ...limits })) {
    batches.push(batch);
  }
  const start = batches[0];
  const end = batches.at(-1);
  if (start?.kind !== 'format' || end?.kind !== 'end')
    throw new Error("A file's result begins with its format and ends with its counts.");
  const outcomes = batches.flatMap((batch) => (batch.kind === 'outcomes' ? [...batch.outcomes] : []));
  return {
    format: start.format.id,
    layout: start.layout.id,
    headerLine: start.headerLine,
    outcomes,
    drafts: outcomes.flatMap((outcome) => (outcome.kind === 'read' ? [...outcome.drafts] : [])),
    end,
  };
}

export function streamOf(source: Source): ReadableStream<Uint8Array> {
  const chunks = typeof source === 'string' ? [new TextEncoder().encode(source)] : source;
  const rest = (chunks instanceof Uint8Array ? [chunks] : [...chunks]).values();
  return new ReadableStream({
    pull(controller) {
      const { done, value } = rest.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
  });
}

/** Returns the detail with which a file is refused. */
export async function refusalOf(source: Source): Promise<string> {
  const error = await readWhole(source).then(
    () => 'The file was read.',
    (thrown: unknown) => thrown,
  );
  return error instanceof Refusal ? error.detail : String(error);
}
