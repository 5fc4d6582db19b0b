import { day } from '../../format/dates.ts';
import { MoneyOrUnknown, Quantity } from '../../parts/amount.tsx';
import { type Column, Table } from '../../parts/tables/table.tsx';
import type { AllocationView } from './allocation-view.ts';

type WalletLot = Omit<FrozenLot, 'asset'> & { readonly asset?: string };
type FrozenLot = NonNullable<AllocationView['frozen']>['lots'][number];

interface WalletLotsProps {
  readonly label: string;
  /** Shown if the lots belong to more than one asset. */
  readonly lots: readonly WalletLot[];
}

/** The lots that an allocation assigns to each wallet. */
export function WalletLots({ label, lots }: WalletLotsProps) {
  const shown = lots.some(({ asset }) => asset !== undefined) ? columns : columns.slice(1);
  return <Table label={label} columns={shown} rows={lots} keyOf={({ lotId, wallet }) => `${lotId} ${wallet}`} />;
}

const columns: readonly Column<WalletLot>[] = [
  { head: 'Asset', cell: ({ asset }) => asset },
  { head: 'Wallet', cell: ({ wallet }) => wallet },
  { head: 'Acquired', cell: ({ acquired }) => day(acquired), kind: 'date' },
  { head: 'Units', cell: ({ quantity }) => <Quantity amount={quantity} />, kind: 'number' },
  { head: 'Cost basis', cell: ({ basis }) => <MoneyOrUnknown amount={basis} />, kind: 'number' },
];
