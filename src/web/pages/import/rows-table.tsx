import type { ComponentChildren } from 'preact';
import type { DecimalText } from '../../format/amounts.ts';
import { typeName } from '../../format/words.ts';
import type { ColumnSpec } from '../../parts/tables/column.tsx';
import { Table } from '../../parts/tables/table.tsx';

/** A row of a file, as the table shows it. It may not be in the books yet. */
export interface ShownRow {
  readonly key: string;
  /** The row's line number in the file. It may be a link and may have a note. */
  readonly line: ComponentChildren;
  readonly date: string;
  readonly type: string;
  readonly account: string | null;
  readonly asset: string | null;
  readonly quantity: DecimalText | null;
  readonly amount: DecimalText | null;
  readonly fee?: DecimalText | null;
}

export function RowsTable({ label, rows }: { readonly label: string; readonly rows: readonly ShownRow[] }) {
  const hasFees = rows.some(({ fee }) => fee !== undefined);
  const shown = hasFees ? columns : columns.slice(0, -1);
  return <Table label={label} columns={shown} rows={rows} keyOf={({ key }) => key} />;
}

const columns: readonly ColumnSpec<ShownRow>[] = [
  { head: 'Line', cell: ({ line }) => line },
  { head: 'Date', kind: 'day', cell: ({ date }) => date },
  { head: 'Type', cell: ({ type }) => typeName(type) },
  { head: 'Account', cell: ({ account }) => account },
  { head: 'Asset', cell: ({ asset }) => asset },
  { head: 'Quantity', kind: 'quantity', cell: ({ quantity }) => quantity },
  // Not every row has an amount, so a missing one is not unknown.
  { head: 'Amount', kind: 'money', cell: ({ amount }) => amount ?? undefined },
  { head: 'Fee', kind: 'money', cell: ({ fee }) => fee ?? undefined },
];
