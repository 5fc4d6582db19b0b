import { existsSync, readFileSync } from 'node:fs';

/**
 * What users asked of the nodes and what came of it: one line of JSON an operation. An operation is all its attempts, sent
 * until one had a clear answer, a creating one under one Idempotency-Key.
 */
interface Asked {
  /** Whose books. Users know nothing of one another. */
  readonly user: string;
  /** In milliseconds of the one who asks: before the first attempt was sent, and after the last was answered. */
  readonly start: number;
  readonly end: number;
  readonly attempts: number;
  /**
   * `ok`: it was done, and the user knows it. `refused`: it was not done. `unknown`: each attempt was cut off or answered
   * by a node that could not say, so that it may have been done, or may still be.
   */
  readonly outcome: 'ok' | 'refused' | 'unknown';
  readonly key?: string;
  /** Of the last attempt; 0 where none came. */
  readonly status: number;
}

/** A file that a user makes up: the same one for the same name and count. */
export interface MadeFile {
  readonly name: string;
  /** The files of a user are numbered, so that no two of their rows have one instant. */
  readonly number: number;
  readonly rows: number;
}

/** The totals of a year as the API answers them. */
export type Figures = Readonly<Record<string, unknown>>;

export type Write = Asked &
  (
    | { readonly kind: 'import'; readonly file: MadeFile; readonly answer?: string }
    | { readonly kind: 'enter'; readonly file: MadeFile; readonly answer?: string }
    | { readonly kind: 'edit'; readonly row: string; readonly amount: string }
    | { readonly kind: 'undo'; readonly file: string }
  );

export type Read = Asked &
  (
    | { readonly kind: 'summary'; readonly year: number; readonly revision?: string; readonly figures?: Figures }
    | { readonly kind: 'report'; readonly year: number; readonly revision?: string; readonly figures?: Figures }
    /** All rows, each as `id amount`. */
    | { readonly kind: 'list'; readonly rows?: readonly string[] }
  );

/** What neither changes books nor shows them whole. */
export type Other = Asked & { readonly kind: 'register' | 'sign-in' | 'assistant' | 'stream' | 'account' };

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
