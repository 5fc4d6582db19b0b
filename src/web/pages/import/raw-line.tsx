interface RawLineProps {
  readonly header: readonly string[];
  readonly cells: readonly string[];
  readonly column: string | null;
}

/** The cells of a row under their column names. Empty cells are shown only if they caused the error. */
export function RawLine({ header, cells, column }: RawLineProps) {
  const columnIndexes = Array.from({ length: Math.max(header.length, cells.length) }, (_, at) => at);
  const isFaulty = (at: number): boolean => column !== null && header[at] === column;
  return (
    <dl class="raw-line">
      {columnIndexes.map((at) =>
        isFaulty(at) || (cells[at] ?? '').trim() !== '' ? (
          <div key={at} class={isFaulty(at) ? 'raw-cell faulty' : 'raw-cell'}>
            <dt class="raw-name">{header[at] || `Column ${at + 1}`}</dt>
            <dd class="raw-value">{(cells[at] ?? '').trim() || 'empty'}</dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}
