import type { ComponentChildren } from 'preact';
import type { ColumnHead } from '../table-head.tsx';
import type { Column } from './column.tsx';
import { Table } from './table.tsx';

export interface StackedRow {
  readonly key: string;
  /** The first column, which names the row. */
  readonly name: ComponentChildren;
  /** The remaining columns. Null for an empty cell. */
  readonly cells: readonly ComponentChildren[];
}

interface StackedTableProps {
  readonly label: string;
  readonly columns: readonly ColumnHead[];
  readonly rows: readonly StackedRow[];
  /** Shown below the rows. */
  readonly foot?: StackedRow;
}

/** A `Table` whose rows are built before its columns. New pages use `Table`. */
export function StackedTable({ label, columns, rows, foot }: StackedTableProps) {
  const cellOf = ({ name, cells }: StackedRow, at: number) => (at === 0 ? name : cells[at - 1]);
  const built = columns.map(
    (column, at): Column<StackedRow> => ({
      ...toColumn(column),
      cell: (row) => cellOf(row, at),
      ...(foot === undefined ? {} : { foot: cellOf(foot, at) }),
    }),
  );
  return <Table label={label} columns={built} rows={rows} keyOf={({ key }) => key} />;
}

function toColumn(column: ColumnHead): Pick<Column<never>, 'head' | 'kind'> {
  if (typeof column === 'string') return { head: column };
  if ('unseen' in column) return { head: column.unseen, kind: 'buttons' };
  return { head: 'number' in column ? column.number : column.spareNumber, kind: 'number' };
}
