import { day } from '../../format/dates.ts';
import { MoneyOrUnknown, Quantity } from '../../parts/amount.tsx';
import { StackedTable } from '../../parts/tables/stacked-table.tsx';
import type { AllocationView } from './allocation-view.ts';

type WalletLot = NonNullable<AllocationView['frozen']>['lots'][number];

interface WalletLotsProps {
  readonly label: string;
  /** Shown if the lots belong to more than one asset. */
  readonly lots: readonly (Omit<WalletLot, 'asset'> & { readonly asset?: string })[];
}

/** The lots that an allocation assigns to each wallet. */
export function WalletLots({ label, lots }: WalletLotsProps) {
  const assets = lots.some(({ asset }) => asset !== undefined) ? ['Asset'] : [];
  return (
    <StackedTable
      label={label}
      columns={[...assets, 'Wallet', 'Acquired', { number: 'Units' }, { number: 'Cost basis' }]}
      rows={lots.map((lot) => ({
        key: `${lot.lotId} ${lot.wallet}`,
        name: lot.asset ?? lot.wallet,
        cells: [
          ...(lot.asset === undefined ? [] : [lot.wallet]),
          <span class="whole">{day(lot.acquired)}</span>,
          <Quantity amount={lot.quantity} />,
          <MoneyOrUnknown amount={lot.basis} />,
        ],
      }))}
    />
  );
}
