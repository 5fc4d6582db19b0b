import { useResource } from '../../api/resource.ts';
import { acquiredDay } from '../../format/dates.ts';
import { Table } from '../tables/table.tsx';
import { type LineExplanation, readSale } from './explanation.ts';

interface LotSlicesProps {
  readonly disposal: LineExplanation['disposal'];
  readonly hrefOf: (id: string) => string;
}

/** The lots in the same sale. Each one has its own entry. */
export function LotSlices({ disposal: { id, saleId }, hrefOf }: LotSlicesProps) {
  // Year-end marks and similar disposals have no transaction of their own.
  const row = /^[0-9a-f-]{36}$/.test(saleId) ? saleId : null;
  const { data } = useResource(row === null ? null : `sale ${row}`, () => readSale(row ?? ''));
  const slices = data?.disposals.data ?? [];
  if (data === undefined || slices.length < 2) return null;
  return (
    <section>
      <h3>Lots in this sale</h3>
      <p class="fine">
        {data.disposals.count > slices.length
          ? `The first ${slices.length} of ${data.disposals.count} lots that were sold together.`
          : 'These lots were sold together. Each one has its own entry.'}
      </p>
      <Table
        label="Lots in this sale"
        rows={slices}
        keyOf={(slice) => slice.id}
        columns={[
          {
            head: 'Acquired',
            cell: (slice) =>
              slice.id === id ? (
                <>{acquiredDay(slice.acquired)} (this entry)</>
              ) : (
                <a href={hrefOf(slice.id)}>{acquiredDay(slice.acquired)}</a>
              ),
          },
          { head: 'Quantity', kind: 'quantity', cell: (slice) => slice.quantity },
          { head: 'Cost basis', kind: 'money', cell: ({ basis }) => basis },
          { head: 'Gain', kind: 'gain', cell: ({ gain }) => gain },
        ]}
      />
    </section>
  );
}
