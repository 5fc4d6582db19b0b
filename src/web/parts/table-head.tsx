/**
 * A column heading: for text, for numbers, for numbers hidden on a phone, or for buttons, which only screen readers
 * announce.
 */
export type ColumnHead =
  | string
  | { readonly number: string }
  | { readonly spareNumber: string }
  | { readonly unseen: string };

/** The column headings of a table. */
export function TableHead({ columns }: { readonly columns: readonly ColumnHead[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column, at) => (
          <HeadCell key={at} column={column} />
        ))}
      </tr>
    </thead>
  );
}

function HeadCell({ column }: { readonly column: ColumnHead }) {
  if (typeof column === 'string') return <th scope="col">{column}</th>;
  if ('unseen' in column) {
    return (
      <th scope="col">
        <span class="visually-hidden">{column.unseen}</span>
      </th>
    );
  }
  const isSpare = 'spareNumber' in column;
  return (
    <th scope="col" class={isSpare ? 'number spare' : 'number'}>
      {isSpare ? column.spareNumber : column.number}
    </th>
  );
}
