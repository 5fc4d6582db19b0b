import { day } from '../../format/dates.ts';
import { MoneyOrUnknown, Quantity } from '../../parts/amount.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { TableHead } from '../../parts/table-head.tsx';
import type { AllocationChoice, AllocationView } from './allocation-view.ts';

type PooledAsset = AllocationView['assets'][number];
/** Units by the lot and the wallet, as they are typed. */
export type TypedShares = Readonly<Record<string, string>>;

/** As the proposal has them: it is corrected from there. */
export function sharesOf({ assets }: AllocationView): TypedShares {
  const shares = assets.flatMap(({ lots }) =>
    lots.flatMap((lot) => lot.wallets.map(({ wallet, quantity }) => [keyOf(lot.lotId, wallet), quantity] as const)),
  );
  return Object.fromEntries(shares);
}

/** Every unit of every lot with its wallet. */
export function choiceOf({ assets }: AllocationView, typed: TypedShares): AllocationChoice {
  const shares = assets.flatMap(({ lots, wallets }) =>
    lots.flatMap(({ lotId }) =>
      wallets.map(({ wallet }) => ({ lotId, wallet, quantity: (typed[keyOf(lotId, wallet)] ?? '').trim() })),
    ),
  );
  return { lots: shares.filter(({ quantity }) => /[1-9]/.test(quantity)) };
}

interface UnitSharesProps {
  readonly asset: PooledAsset;
  readonly typed: TypedShares;
  readonly onChange: (change: TypedShares) => void;
}

/** How many units of each lot each wallet gets. */
export function UnitShares({ asset: { asset, lots, wallets }, typed, onChange }: UnitSharesProps) {
  return (
    <Scroll label={`The units of ${asset}`}>
      <table class="shares">
        <TableHead
          columns={['Bought', { number: 'Units' }, { number: 'Cost basis' }, ...wallets.map(({ wallet }) => wallet)]}
        />
        <tbody>
          {lots.map(({ lotId, acquired, quantity, basis }) => (
            <tr key={lotId}>
              <th scope="row">{day(acquired)}</th>
              <td class="number">
                <Quantity amount={quantity} />
              </td>
              <td class="number">
                <MoneyOrUnknown amount={basis} />
              </td>
              {wallets.map(({ wallet }) => (
                <td key={wallet}>
                  <input
                    inputMode="decimal"
                    aria-label={`Units of the lot of ${day(acquired)} in ${wallet}`}
                    value={typed[keyOf(lotId, wallet)] ?? ''}
                    onInput={(event) => onChange({ [keyOf(lotId, wallet)]: event.currentTarget.value })}
                  />
                </td>
              ))}
            </tr>
          ))}
          <tr>
            <th scope="row" colSpan={3}>
              Held at the end of 2024
            </th>
            {wallets.map(({ wallet, units }) => (
              <td key={wallet}>
                <Quantity amount={units} />
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </Scroll>
  );
}

function keyOf(lotId: string, wallet: string): string {
  return JSON.stringify([lotId, wallet]);
}
