import { existsSync, readFileSync } from 'node:fs';

/**
 * The operations that users requested from the nodes, with their outcomes: one line of JSON per operation. An operation
 * includes all its attempts, repeated until a response was conclusive. The attempts of an operation that creates
 * something share one Idempotency-Key.
 */
interface OperationRecord {
  /** The owner of the books. Users share no data. */
  readonly user: string;
  /** In milliseconds of the client's clock, before the first attempt was sent and after the last response. */
  readonly start: number;
  readonly end: number;
  readonly attempts: number;
  /**
   * `ok` means that the operation took effect and the user got the response. `refused` means that it did not take
   * effect. `unknown` means that each attempt was cut off or got an inconclusive response, so it may have taken effect
   * or may still do so.
   */
  readonly outcome: 'ok' | 'refused' | 'unknown';
  readonly key?: string;
  /** Status of the last attempt, or 0 if there was no response. */
  readonly status: number;
}

/** A user's generated file, which is the same for the same name and count. */
export interface MadeFile {
  readonly name: string;
  /** A user's files are numbered so that no two of their rows have the same time. */
  readonly number: number;
  readonly rows: number;
}

/** The totals for a year as the API returns them. */
export type Figures = Readonly<Record<string, unknown>>;

export type Write = OperationRecord &
  (
    | { readonly kind: 'import'; readonly file: MadeFile; readonly answer?: string }
    | { readonly kind: 'enter'; readonly file: MadeFile; readonly answer?: string }
    | { readonly kind: 'edit'; readonly row: string; readonly amount: string }
    | { readonly kind: 'undo'; readonly file: string }
  );

export type Read = OperationRecord &
  (
    | { readonly kind: 'summary'; readonly year: number; readonly revision?: string; readonly figures?: Figures }
    | { readonly kind: 'report'; readonly year: number; readonly revision?: string; readonly figures?: Figures }
    /** All rows, each as `id amount`. */
    | { readonly kind: 'list'; readonly rows?: readonly string[] }
  );

/** Operations that neither change the books nor show all of them. */
export type Other = OperationRecord & { readonly kind: 'register' | 'sign-in' | 'assistant' | 'stream' | 'account' };

export type Operation = Write | Read | Other;

export function isWrite(operation: Operation): operation is Write {
  return ['import', 'enter', 'edit', 'undo'].includes(operation.kind);
}

export function isRead(operation: Operation): operation is Read {
  return ['summary', 'report', 'list'].includes(operation.kind);
}

export function readHistory(path: string): Operation[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Operation);
}
