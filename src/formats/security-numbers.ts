import { parseOption } from '../engine/events/keys.ts';
import { parseSecurityId } from '../engine/events/security-ids.ts';
import { typesWhere } from '../engine/transaction-types.ts';
import { normalizeHeader } from './cells/cells.ts';
import type { Outcome, Row } from './format.ts';

/** The CUSIP or ISIN in a file for a security that its rows name differently. */
export interface SecurityNumber {
  readonly asset: string;
  readonly number: string;
}

/** Columns that contain only the number of the row's security. */
const numberColumns: ReadonlySet<string> = new Set(
  ['isin', 'isin code', 'instrument isin', 'cusip', 'cusip number', 'cusip #'].map(normalizeHeader),
);

/** Rows of these types are about one security. In corporate actions, the number may be another security's. */
const plainTypes = typesWhere(({ lots }) => ['opens', 'disposes', 'moves', 'none'].includes(lots));

const numbersMax = 5_000;

/** Collects the numbers of securities from rows that have both a name and a number. */
export class SecurityNumbers {
  private readonly known = new Map<string, SecurityNumber>();
  private readonly columns: readonly number[];

  constructor(header: Row) {
    this.columns = header.cells.flatMap((name, at) => (numberColumns.has(normalizeHeader(name)) ? [at] : []));
  }

  /** The draft of a row on its own. */
  take(row: Row, outcomes: readonly Outcome[]): void {
    if (this.columns.length === 0 || this.known.size >= numbersMax) return;
    const [outcome, ...others] = outcomes;
    if (others.length > 0 || outcome?.kind !== 'read' || outcome.lines.length !== 1) return;
    const [draft, ...more] = outcome.drafts;
    if (draft === undefined || more.length > 0 || draft.line !== row.line || draft.receivedAsset !== '') return;
    const { type, asset, assetClass } = draft;
    if (!plainTypes.has(type) || asset === '' || assetClass === 'option' || parseOption(asset) !== undefined) return;
    // A name that is itself a number needs no file.
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
