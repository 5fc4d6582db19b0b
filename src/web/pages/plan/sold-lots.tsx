import { isZero } from '../../format/amounts.ts';
import { acquiredDay } from '../../format/dates.ts';
import { termName } from '../../format/terms.ts';
import { Money } from '../../parts/amount.tsx';
import { Table } from '../../parts/tables/table.tsx';
import type { SalePreview } from './sale.ts';

/** The Form 8949 entries of a planned sale. */
export function SoldLots({ disposals }: Pick<SalePreview, 'disposals'>) {
  return (
    <Table
      label="Lots sold"
      rows={disposals}
      keyOf={({ id }) => id}
      empty={<p>No Form 8949 entry, because gains in this account are not taxed.</p>}
      columns={[
        { head: 'Acquired', cell: ({ acquired }) => acquiredDay(acquired) },
        { head: 'Quantity', kind: 'quantity', cell: ({ quantity }) => quantity },
        { head: 'Proceeds', kind: 'money', cell: ({ proceeds }) => proceeds },
        { head: 'Cost basis', kind: 'money', cell: ({ basis }) => basis },
        {
          head: 'Gain',
          kind: 'gain',
          sort: ({ gain }) => gain,
          cell: ({ gain, adjustment }) => (
            <>
              <Money amount={gain} signed />
              {!isZero(adjustment) && (
                <p class="fine">
                  wash sale: <Money amount={adjustment} /> disallowed
                </p>
              )}
            </>
          ),
        },
        { head: 'Term', cell: ({ term }) => termName(term) },
      ]}
    />
  );
}
