import type { ColumnSpec } from '../../parts/tables/column.tsx';
import { Table } from '../../parts/tables/table.tsx';
import type { AllocationView } from './allocation-view.ts';

type WalletLot = Omit<FrozenLotRow, 'asset'> & { readonly asset?: string };
type FrozenLotRow = NonNullable<AllocationView['frozen']>['lots'][number];

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

const columns: readonly ColumnSpec<WalletLot>[] = [
  { head: 'Asset', cell: ({ asset }) => asset },
  { head: 'Wallet', cell: ({ wallet }) => wallet },
  { head: 'Acquired', kind: 'day', cell: ({ acquired }) => acquired },
  { head: 'Units', kind: 'quantity', cell: ({ quantity }) => quantity },
  { head: 'Cost basis', kind: 'money', cell: ({ basis }) => basis },
];
