import type { ComponentChildren } from 'preact';
import type { Column } from './column.tsx';
import { Table } from './table.tsx';

interface LinkedRow {
  readonly key: string;
  readonly name: ComponentChildren;
  readonly href: string;
  readonly cells: readonly ComponentChildren[];
}

interface LinkedTableProps {
  /** The heading of the names, then of each cell. */
  readonly head: readonly [string, ...string[]];
  readonly rows: readonly LinkedRow[];
  /** The number of rows shown at first. */
  readonly most?: number;
}

/** A `Table` of numbers whose rows are built before its columns. On a phone it has the first and last number. */
export function LinkedTable({ head, rows, most }: LinkedTableProps) {
  const columns = head.map(
    (name, at): Column<LinkedRow> => ({
      head: name,
      cell: (row) => (at === 0 ? row.name : row.cells[at - 1]),
      kind: at === 0 ? undefined : 'number',
      isSpare: at > 1 && at < head.length - 1,
    }),
  );
  return (
    <Table
      label={`By ${head[0].toLowerCase()}`}
      columns={columns}
      rows={rows}
      keyOf={({ key }) => key}
      hrefOf={({ href }) => href}
      {...(most === undefined ? {} : { most })}
    />
  );
}
