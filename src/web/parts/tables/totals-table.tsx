import type { ComponentChildren } from 'preact';
import type { DecimalText } from '../../format/amounts.ts';
import { count } from '../../format/amounts.ts';
import { Money } from '../amount.tsx';
import { type StackedRow, StackedTable } from './stacked-table.tsx';

/** Sums of lines, as every answer of the API has them. */
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
  /** Below the rows. */
  readonly foot?: StackedRow;
}

/** The columns of money in their order. */
export const totalsColumns = ['proceeds', 'basis', 'adjustment', 'gain'] as const;

/** Totals of lines below one another. */
export function TotalsTable({ label, rows, foot }: TotalsTableProps) {
  const heads = ['Lines', 'Proceeds', 'Cost basis', 'Adjustment', 'Gain'].map((number) => ({ number }));
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
