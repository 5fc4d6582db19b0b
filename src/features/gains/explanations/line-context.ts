import type { Disposal, Line, Rules, Transaction, WashSale } from '../../../engine/model.ts';
import type { FormChoices } from '../../../forms/choices.ts';
import type { LotHistory } from './lot-history.ts';

/** The data that explains a line of Form 8949. */
export interface LineContext {
  readonly line: Line;
  /** All lines from the same row. */
  readonly lines: readonly Disposal[];
  readonly washes: readonly WashSale[];
  readonly rules: Rules;
  readonly history: LotHistory | null;
  readonly columnB: NonNullable<FormChoices['columnB']>;
  /** The rows that sold the units or opened the lot, with amounts in dollars. */
  readonly rows: ReadonlyMap<string, Transaction>;
  readonly openers: readonly string[];
  /** The purchase dates of the replacement units, by row. */
  readonly boughtOn: ReadonlyMap<string, string>;
}
