import { isZero } from '../../format/amounts.ts';
import { termNames } from '../../format/boxes.ts';
import { day } from '../../format/dates.ts';
import { Money, Quantity } from '../../parts/amount.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { TableHead } from '../../parts/table-head.tsx';
import type { TriedSale } from './sale.ts';

/** The lines that a planned sale would have on Form 8949. */
export function SoldLots({ disposals }: Pick<TriedSale, 'disposals'>) {
  if (disposals.length === 0) return <p>No line of Form 8949: gains in this account are not taxed.</p>;
  return (
    <Scroll label="The lots it takes">
      <table>
        <TableHead
          columns={[
            'Acquired',
            { number: 'Quantity' },
            { number: 'Proceeds' },
            { number: 'Cost basis' },
            { number: 'Gain' },
            'Term',
          ]}
        />
        <tbody>
          {disposals.map((line) => (
            <tr key={line.id}>
              <th scope="row">{day(line.acquired)}</th>
              <td class="number">
                <Quantity amount={line.quantity} />
              </td>
              <td class="number">
                <Money amount={line.proceeds} />
              </td>
              <td class="number">
                <Money amount={line.basis} />
              </td>
              <td class="number">
                <Money amount={line.gain} signed />
                {!isZero(line.adjustment) && (
                  <p class="fine">
                    wash sale: <Money amount={line.adjustment} /> not allowed
                  </p>
                )}
              </td>
              <td>{termNames[line.term]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
