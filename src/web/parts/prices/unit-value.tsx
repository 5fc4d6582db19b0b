import { day } from '../../format/dates.ts';
import { Money } from '../amount.tsx';

/** The value of a unit with its source, from the API. */
export interface ShownUnitValue {
  readonly source: 'price' | 'transaction';
  readonly date: string;
  readonly provider: string | null;
  readonly unit: string;
}

/** The price of a unit with its source. A missing price is labeled as missing, never shown as zero. */
export function UnitPrice({ by }: { readonly by: ShownUnitValue | null }) {
  if (by === null) return <span class="muted">no price</span>;
  return (
    <>
      <Money amount={by.unit} />
      <p class="fine">
        {formatSource(by)}, {day(by.date)}
      </p>
    </>
  );
}

function formatSource({ source, provider }: ShownUnitValue): string {
  if (source === 'transaction') return 'last trade';
  return provider === 'own' ? 'your price' : (provider ?? 'price');
}
