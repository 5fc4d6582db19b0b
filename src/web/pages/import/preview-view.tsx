import type { ImportedFile } from '../../api/upload-request.ts';
import { formatCount } from '../../format/amounts.ts';
import { withFormats } from '../../format/dates.ts';
import { YearsPreview } from '../../parts/years-preview.tsx';
import { Points } from './points.tsx';
import { RowsTable, type ShownRow } from './rows-table.tsx';
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
export function toShownRow(row: PreviewedRow): ShownRow {
  return { ...row, key: row.id, line: row.source.line };
}
