import type { ComponentChildren } from 'preact';
import { Scroll } from '../scroll.tsx';
import { type ColumnHead, TableHead } from '../table-head.tsx';

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

/** A table that becomes cards on a phone, with the column heading before each cell. */
export function StackedTable({ label, columns, rows, foot }: StackedTableProps) {
  return (
    <Scroll label={label}>
      <table class="stacked">
        <TableHead columns={columns} />
        <tbody>
          {rows.map((row) => (
            <TableRow key={row.key} columns={columns} row={row} />
          ))}
        </tbody>
        {foot !== undefined && (
          <tfoot>
            <TableRow columns={columns} row={foot} />
          </tfoot>
        )}
      </table>
    </Scroll>
  );
}

function TableRow({
  columns,
  row: { name, cells },
}: {
  readonly columns: readonly ColumnHead[];
  readonly row: StackedRow;
}) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {columns.slice(1).map((column, at) => {
        const cell = cells[at];
        const isText = typeof column === 'string';
        const title = isText ? column : 'number' in column ? column.number : undefined;
        return (
          <td key={at} class={isText ? undefined : 'number'} data-name={title}>
            {cell === null ? null : <div>{cell}</div>}
          </td>
        );
      })}
    </tr>
  );
}
