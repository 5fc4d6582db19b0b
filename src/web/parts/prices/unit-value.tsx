import { day } from '../../format/dates.ts';
import { Money } from '../amount.tsx';

/** What values a unit, as the API says it. */
export interface ShownUnitValue {
  readonly source: 'price' | 'transaction';
  readonly date: string;
  readonly provider: string | null;
  readonly unit: string;
}

/** The price of a unit with where it comes from; null is said, never shown as zero. */
export function UnitPrice({ by }: { readonly by: ShownUnitValue | null }) {
  if (by === null) return <span class="muted">no price</span>;
  return (
    <>
      <Money amount={by.unit} />
      <p class="fine">
        {sourceOf(by)}, {day(by.date)}
      </p>
    </>
  );
}

function sourceOf({ source, provider }: ShownUnitValue): string {
  if (source === 'transaction') return 'your trade';
  return provider === 'own' ? 'your price' : (provider ?? 'price');
}
