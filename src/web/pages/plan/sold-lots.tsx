import { isZero } from '../../format/amounts.ts';
import { acquiredDay } from '../../format/dates.ts';
import { termName } from '../../format/terms.ts';
import { Money, Quantity } from '../../parts/amount.tsx';
import { StackedTable } from '../../parts/tables/stacked-table.tsx';
import type { SalePreview } from './sale.ts';

/** The Form 8949 entries of a planned sale. */
export function SoldLots({ disposals }: Pick<SalePreview, 'disposals'>) {
  if (disposals.length === 0) return <p>No Form 8949 entry, because gains in this account are not taxed.</p>;
  return (
    <StackedTable
      label="Lots sold"
      columns={[
        'Acquired',
        { number: 'Quantity' },
        { number: 'Proceeds' },
        { number: 'Cost basis' },
        { number: 'Gain' },
        'Term',
      ]}
      rows={disposals.map((line) => ({
        key: line.id,
        name: acquiredDay(line.acquired),
        cells: [
          <Quantity amount={line.quantity} />,
          <Money amount={line.proceeds} />,
          <Money amount={line.basis} />,
          <>
            <Money amount={line.gain} signed />
            {!isZero(line.adjustment) && (
              <p class="fine">
                wash sale: <Money amount={line.adjustment} /> disallowed
              </p>
            )}
          </>,
          termName(line.term),
        ],
      }))}
    />
  );
}
