import { useResource } from '../../api/resource.ts';
import { acquiredDay } from '../../format/dates.ts';
import { Money, Quantity } from '../amount.tsx';
import { Scroll } from '../scroll.tsx';
import { TableHead } from '../table-head.tsx';
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
      <Scroll label="Lots in this sale">
        <table>
          <TableHead columns={['Acquired', { number: 'Quantity' }, { number: 'Cost basis' }, { number: 'Gain' }]} />
          <tbody>
            {slices.map((slice) => (
              <tr key={slice.id}>
                <th scope="row">
                  {slice.id === id ? (
                    <>{acquiredDay(slice.acquired)} (this entry)</>
                  ) : (
                    <a href={hrefOf(slice.id)}>{acquiredDay(slice.acquired)}</a>
                  )}
                </th>
                <td class="number">
                  <Quantity amount={slice.quantity} />
                </td>
                <td class="number">
                  <Money amount={slice.basis} />
                </td>
                <td class="number">
                  <Money amount={slice.gain} signed />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}
