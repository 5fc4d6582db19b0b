import type { ComponentChildren } from 'preact';
import type { DecimalText } from '../format/amounts.ts';
import { count } from '../format/amounts.ts';
import { Money } from './amount.tsx';
import { Scroll } from './scroll.tsx';
import { TableHead } from './table-head.tsx';

/** Sums of lines, as every answer of the API has them. */
interface ShownTotals {
  readonly count: number;
  readonly proceeds: DecimalText;
  readonly basis: DecimalText;
  readonly adjustment: DecimalText;
  readonly gain: DecimalText;
}

interface TotalsTableProps {
  readonly label: string;
  readonly rows: readonly { readonly key: string; readonly name: ComponentChildren; readonly totals: ShownTotals }[];
  /** What stands below the rows. */
  readonly children?: ComponentChildren;
}

/** The columns of money in their order. */
export const totalsColumns = ['proceeds', 'basis', 'adjustment', 'gain'] as const;

/** Totals of lines below one another. */
export function TotalsTable({ label, rows, children }: TotalsTableProps) {
  const heads = ['Lines', 'Proceeds', 'Cost basis', 'Adjustment', 'Gain'].map((number) => ({ number }));
  return (
    <Scroll label={label}>
      <table>
        <TableHead columns={['Totals', ...heads]} />
        <tbody>
          {rows.map(({ key, name, totals }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              <td class="number">{count(totals.count)}</td>
              {totalsColumns.map((column) => (
                <td key={column} class="number">
                  <Money amount={totals[column]} signed={column === 'gain'} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {children}
      </table>
    </Scroll>
  );
}
