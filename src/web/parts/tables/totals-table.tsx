import type { ComponentChildren } from 'preact';
import type { DecimalText } from '../../format/amounts.ts';
import { count } from '../../format/amounts.ts';
import type { ColumnSpec } from './column.tsx';
import { Table } from './table.tsx';

/** The money columns, in order. */
export const totalsColumns = ['proceeds', 'basis', 'adjustment', 'gain'] as const;

interface TotalsRow {
  readonly key: string;
  readonly name: ComponentChildren;
  /** Totals of entries, as in every API response. */
  readonly totals: Readonly<Record<(typeof totalsColumns)[number], DecimalText>> & { readonly count: number };
}

interface TotalsTableProps {
  readonly label: string;
  readonly rows: readonly TotalsRow[];
  /** The name and the money cells of a row below the others. */
  readonly foot?: readonly ComponentChildren[];
}

/** A table of totals. */
export function TotalsTable({ label, rows, foot = [] }: TotalsTableProps) {
  const columns: readonly ColumnSpec<TotalsRow>[] = [
    { head: 'Totals', cell: ({ name }) => name, foot: foot[0] },
    { head: 'Entries', kind: 'number', cell: ({ totals }) => count(totals.count) },
    { head: 'Proceeds', kind: 'money', cell: ({ totals }) => totals.proceeds, foot: foot[1] },
    { head: 'Cost basis', kind: 'money', cell: ({ totals }) => totals.basis, foot: foot[2] },
    { head: 'Adjustment', kind: 'money', cell: ({ totals }) => totals.adjustment, foot: foot[3] },
    { head: 'Gain', kind: 'gain', cell: ({ totals }) => totals.gain, foot: foot[4] },
  ];
  return <Table label={label} columns={columns} rows={rows} keyOf={({ key }) => key} />;
}
