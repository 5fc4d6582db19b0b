import { parseOption } from '../engine/events/keys.ts';
import { parseSecurityId } from '../engine/events/security-ids.ts';
import { typesWhere } from '../engine/transaction-types.ts';
import { normalizeHeader } from './cells/cells.ts';
import type { Outcome, Row } from './format.ts';

/** The CUSIP or ISIN of a security that the file's rows identify differently. */
export interface SecurityNumber {
  readonly asset: string;
  readonly number: string;
}

/** Columns that contain only the number of the row's own security. */
const numberColumns: ReadonlySet<string> = new Set(
  ['isin', 'isin code', 'instrument isin', 'cusip', 'cusip number', 'cusip #'].map(normalizeHeader),
);

/** Types whose rows are about one security. In a corporate action, the number may belong to a different security. */
const plainTypes = typesWhere(({ lots }) => ['opens', 'disposes', 'moves', 'none'].includes(lots));

const numbersMax = 5_000;

/** Collects security numbers from rows that contain both a name and a number. */
export class SecurityNumbers {
  private readonly known = new Map<string, SecurityNumber>();
  private readonly columns: readonly number[];

  constructor(header: Row) {
    this.columns = header.cells.flatMap((name, at) => (numberColumns.has(normalizeHeader(name)) ? [at] : []));
  }

  /** Collects the number from a row that formed a draft by itself. */
  take(row: Row, outcomes: readonly Outcome[]): void {
    if (this.columns.length === 0 || this.known.size >= numbersMax) return;
    const [outcome, ...others] = outcomes;
    if (others.length > 0 || outcome?.kind !== 'read' || outcome.lines.length !== 1) return;
    const [draft, ...more] = outcome.drafts;
    if (draft === undefined || more.length > 0 || draft.line !== row.line || draft.receivedAsset !== '') return;
    const { type, asset, assetClass } = draft;
    if (!plainTypes.has(type) || asset === '' || assetClass === 'option' || parseOption(asset) !== undefined) return;
    // If the name is itself a number, there is nothing to collect.
    if (parseSecurityId(asset) !== undefined) return;
    for (const column of this.columns) {
      const number = (row.cells[column] ?? '').trim().toUpperCase();
      if (parseSecurityId(number) !== undefined) this.known.set(JSON.stringify([asset, number]), { asset, number });
    }
  }

  end(): SecurityNumber[] {
    return [...this.known.values()];
  }
}
