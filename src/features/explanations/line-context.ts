import type { Disposal, Line, Rules, Transaction, WashSale } from '../../engine/model.ts';
import type { FormChoices } from '../../forms/choices.ts';
import type { LotHistory } from './lot-history.ts';

/** All data that explains a line of Form 8949. */
export interface LineContext {
  readonly line: Line;
  /** All lines of the same row. */
  readonly lines: readonly Disposal[];
  readonly washes: readonly WashSale[];
  readonly rules: Rules;
  readonly history: LotHistory | null;
  readonly columnB: NonNullable<FormChoices['columnB']>;
  /** The rows that sold the units and opened the lot, valued in dollars. */
  readonly rows: ReadonlyMap<string, Transaction>;
  readonly openers: readonly string[];
  /** The purchase days of the replacements, by row. */
  readonly boughtOn: ReadonlyMap<string, string>;
}
