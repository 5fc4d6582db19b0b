import { day } from '../../format/dates.ts';
import { MoneyOrUnknown, Quantity } from '../../parts/amount.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { TableHead } from '../../parts/table-head.tsx';
import type { AllocationView } from './allocation-view.ts';

type WalletLot = NonNullable<AllocationView['frozen']>['lots'][number];

interface WalletLotsProps {
  readonly label: string;
  /** The asset stands in the table where lots of several are in it. */
  readonly lots: readonly (Omit<WalletLot, 'asset'> & { readonly asset?: string })[];
}

/** The lots that an allocation gives to each wallet. */
export function WalletLots({ label, lots }: WalletLotsProps) {
  const assets = lots.some(({ asset }) => asset !== undefined) ? ['Asset'] : [];
  return (
    <Scroll label={label}>
      <table>
        <TableHead columns={[...assets, 'Wallet', 'Bought', { number: 'Units' }, { number: 'Cost basis' }]} />
        <tbody>
          {lots.map((lot) => (
            <tr key={`${lot.lotId} ${lot.wallet}`}>
              <th scope="row">{lot.asset ?? lot.wallet}</th>
              {lot.asset !== undefined && <td>{lot.wallet}</td>}
              <td class="whole">{day(lot.acquired)}</td>
              <td class="number">
                <Quantity amount={lot.quantity} />
              </td>
              <td class="number">
                <MoneyOrUnknown amount={lot.basis} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
