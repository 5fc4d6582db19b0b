import type { ComponentChildren } from 'preact';
import type { DecimalText } from '../../format/amounts.ts';
import { day } from '../../format/dates.ts';
import { typeName } from '../../format/words.ts';
import { Money, Quantity } from '../../parts/amount.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { TableHead } from '../../parts/table-head.tsx';

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
  const numbers = ['Quantity', 'Amount', ...(hasFees ? ['Fee'] : [])].map((number) => ({ number }));
  return (
    <Scroll label={label}>
      <table>
        <TableHead columns={['Line', 'Date', 'Type', 'Account', 'Asset', ...numbers]} />
        <tbody>
          {rows.map(({ key, line, date, type, account, asset, quantity, amount, fee = null }) => (
            <tr key={key}>
              <td>{line}</td>
              <td class="whole">{day(date)}</td>
              <td>{typeName(type)}</td>
              <td>{account}</td>
              <td>{asset}</td>
              <td class="number">{quantity !== null && <Quantity amount={quantity} />}</td>
              <td class="number">{amount !== null && <Money amount={amount} />}</td>
              {hasFees && <td class="number">{fee !== null && <Money amount={fee} />}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
