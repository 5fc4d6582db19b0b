import type { ComponentChildren } from 'preact';
import type { ImportedFile } from '../../api/upload-request.ts';
import { type DecimalText, formatCount } from '../../format/amounts.ts';
import { withFormats } from '../../format/dates.ts';
import { typeName } from '../../format/words.ts';
import { Points } from '../../parts/points.tsx';
import { type ColumnSpec, Table } from '../../parts/tables/table.tsx';
import { YearsPreview } from '../../parts/years-preview.tsx';
import { nameColumn } from './wizard/field-names.ts';

type ImportPreview = NonNullable<ImportedFile['preview']>;
export type PreviewedRow = ImportPreview['transactions'][number];

/** A preview of a file: the years before and after, its first rows, and the items that would need review. */
export function PreviewView({ result: { preview } }: { readonly result: ImportedFile }) {
  if (preview === undefined) return null;
  const { years, warnings, transactions, rejects, issues } = preview;
  return (
    <>
      <Points items={warnings.map(withFormats)} />
      <YearsPreview years={years} />
      {transactions.length > 0 && (
        <details>
          <summary>Preview of the first {formatCount(transactions.length, 'row')}</summary>
          <RowsTable label="The first rows" rows={transactions.map(toShownRow)} />
        </details>
      )}
      <Points
        title="Rows we can't read"
        isOpen
        items={rejects.map(
          ({ line, column, reason }) =>
            `Line ${line}${column === null ? '' : `, ${nameColumn(column)}`}: ${withFormats(reason)}`,
        )}
      />
      <Points
        title={`${formatCount(issues.length, 'item')} it would add to review`}
        items={issues.map(({ detail }) => withFormats(detail))}
      />
    </>
  );
}

/** Converts a row for the rows table. */
export const toShownRow = (row: PreviewedRow): ShownRow => ({ ...row, key: row.id, line: row.source.line });

/** A row of a file, as the table shows it. It may not be in the books yet. */
interface ShownRow {
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
