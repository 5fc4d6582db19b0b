import type { ComponentChildren } from 'preact';
import type { DecimalText } from '../../format/amounts.ts';
import { count } from '../../format/amounts.ts';
import { Money } from '../amount.tsx';
import { type StackedRow, StackedTable } from './stacked-table.tsx';

/** Totals of entries, as in every API response. */
interface ShownTotals {
  readonly count: number;
  readonly proceeds: DecimalText;
  readonly basis: DecimalText;
  readonly adjustment: DecimalText;
  readonly gain: DecimalText;
}

interface TotalsTableProps {
  readonly label: string;
  readonly rows: readonly { readonly key: string; readonly name: ComponentChildren; readonly totals: ShownTotals }[];
  /** Shown below the rows. */
  readonly foot?: StackedRow;
}

/** The money columns, in order. */
export const totalsColumns = ['proceeds', 'basis', 'adjustment', 'gain'] as const;

/** A table of totals. */
export function TotalsTable({ label, rows, foot }: TotalsTableProps) {
  const heads = ['Entries', 'Proceeds', 'Cost basis', 'Adjustment', 'Gain'].map((number) => ({ number }));
  return (
    <StackedTable
      label={label}
      columns={['Totals', ...heads]}
      rows={rows.map(({ key, name, totals }) => ({
        key,
        name,
        cells: [
          count(totals.count),
          ...totalsColumns.map((column) => <Money key={column} amount={totals[column]} signed={column === 'gain'} />),
        ],
      }))}
      {...(foot === undefined ? {} : { foot })}
    />
  );
}
