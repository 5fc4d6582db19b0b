import { parseTypedQuantity } from '../../../base/typed.ts';
import { day } from '../../format/dates.ts';
import { Quantity } from '../../parts/amount.tsx';
import type { ColumnSpec } from '../../parts/tables/column.tsx';
import { Table } from '../../parts/tables/table.tsx';
import type { AllocationChoice, AllocationView } from './allocation-view.ts';

type PooledAsset = AllocationView['assets'][number];
type PooledLotRow = PooledAsset['lots'][number];
/** Entered units by lot and wallet. */
export type TypedShares = Readonly<Record<string, string>>;

/** Starts with the proposal, which the user can correct. */
export function toTypedShares({ assets }: AllocationView): TypedShares {
  const shares = assets.flatMap(({ lots }) =>
    lots.flatMap((lot) => lot.wallets.map(({ wallet, quantity }) => [keyOf(lot.lotId, wallet), quantity] as const)),
  );
  return Object.fromEntries(shares);
}

/** Returns every unit of every lot with its wallet. */
export function buildAllocationChoice({ assets }: AllocationView, typed: TypedShares): AllocationChoice {
  const shares = assets.flatMap(({ lots, wallets }) =>
    lots.flatMap(({ lotId }) =>
      wallets.map(({ wallet }) => ({ lotId, wallet, quantity: toExact(typed[keyOf(lotId, wallet)] ?? '') })),
    ),
  );
  return { lots: shares.filter(({ quantity }) => /[1-9]/.test(quantity)) };
}

interface UnitSharesProps {
  readonly asset: PooledAsset;
  readonly typed: TypedShares;
  readonly onChange: (change: TypedShares) => void;
}

/** Inputs for the units of each lot in each wallet. */
export function UnitShares({ asset: { asset, lots, wallets }, typed, onChange }: UnitSharesProps) {
  return (
    <div class="shares">
      <Table
        label={`Units of ${asset}`}
        rows={lots}
        keyOf={({ lotId }) => lotId}
        columns={[
          { head: 'Acquired', kind: 'day', cell: ({ acquired }) => acquired, foot: 'Held at the end of 2024' },
          { head: 'Units', kind: 'quantity', cell: ({ quantity }) => quantity },
          { head: 'Cost basis', kind: 'money', cell: ({ basis }) => basis },
          ...wallets.map(
            ({ wallet, units }): ColumnSpec<PooledLotRow> => ({
              head: wallet,
              foot: <Quantity amount={units} />,
              cell: ({ lotId, acquired }) => (
                <input
                  inputMode="decimal"
                  aria-label={`Units of the ${day(acquired)} lot in ${wallet}`}
                  value={typed[keyOf(lotId, wallet)] ?? ''}
                  onInput={(event) => onChange({ [keyOf(lotId, wallet)]: event.currentTarget.value })}
                />
              ),
            }),
          ),
        ]}
      />
    </div>
  );
}

function keyOf(lotId: string, wallet: string): string {
  return JSON.stringify([lotId, wallet]);
}

/** The server refuses a text that is not a number. */
function toExact(text: string): string {
  return parseTypedQuantity(text) ?? text.trim();
}
