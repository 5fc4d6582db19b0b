/** What stands above a column of texts, of numbers, of numbers that a phone leaves out, or of buttons: that is only said aloud. */
export type ColumnHead =
  | string
  | { readonly number: string }
  | { readonly spareNumber: string }
  | { readonly unseen: string };

/** The names of the columns of a table. */
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
