import type { ImportedFile } from '../../api/upload-request.ts';
import { formatCount } from '../../format/amounts.ts';
import { withFormats } from '../../format/dates.ts';
import { YearsPreview } from '../../parts/years-preview.tsx';
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
      {warnings.length > 0 && (
        <ul class="points">
          {warnings.map((text) => (
            <li key={text}>{withFormats(text)}</li>
          ))}
        </ul>
      )}
      <YearsPreview years={years} />
      {transactions.length > 0 && (
        <details>
          <summary>Preview of the first {formatCount(transactions.length, 'row')}</summary>
          <RowsTable label="The first rows" rows={transactions.map(toShownRow)} />
        </details>
      )}
      {rejects.length > 0 && (
        <details open>
          <summary>Rows we can't read</summary>
          <ul class="points">
            {rejects.map(({ line, column, reason }) => (
              <li key={line}>
                Line {line}
                {column !== null && `, ${nameColumn(column)}`}: {withFormats(reason)}
              </li>
            ))}
          </ul>
        </details>
      )}
      {issues.length > 0 && (
        <details>
          <summary>{formatCount(issues.length, 'item')} it would add to review</summary>
          <ul class="points">
            {issues.map(({ kind, line, detail }) => (
              <li key={`${kind} ${line} ${detail}`}>{withFormats(detail)}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** Converts a row for the rows table. */
export function toShownRow(row: PreviewedRow): ShownRow {
  return { ...row, key: row.id, line: row.source.line };
}
