import { day, daysBetween } from '../../format/dates.ts';
import { Money, Price } from '../amount.tsx';

/** The value of a unit with its source, from the API. */
export interface ShownUnitValue {
  readonly source: 'price' | 'transaction';
  readonly date: string;
  readonly provider: string | null;
  readonly unit: string;
}

interface UnitPriceProps {
  readonly by: ShownUnitValue | null;
  /** The day of the valuation. Older prices are marked. */
  readonly asOf?: string;
}

/** The price of a unit with its source and date. A missing price is labeled as missing, never shown as zero. */
export function UnitPrice({ by, asOf }: UnitPriceProps) {
  if (by === null) return <span class="muted">no price</span>;
  const age = asOf === undefined || !isOldPrice(by.date, asOf) ? null : formatAge(daysBetween(by.date, asOf));
  return (
    <>
      {by.source === 'price' || by.unit.startsWith('0.') ? <Price amount={by.unit} /> : <Money amount={by.unit} />}
      <p class="fine">
        {formatSource(by)}, <span class="whole">{day(by.date)}</span>
        {age !== null && <span class="old-price"> {age} old</span>}
      </p>
    </>
  );
}

const daysFresh = 7;

export function isOldPrice(date: string, asOf: string): boolean {
  return daysBetween(date, asOf) > daysFresh;
}

/** Formats `12 days`, `5 weeks`, `20 months`, `3 years`. */
export function formatAge(days: number): string {
  if (days < 28) return `${days} days`;
  if (days < 92) return `${Math.floor(days / 7)} weeks`;
  return days < 730 ? `${Math.floor(days / 30.44)} months` : `${Math.floor(days / 365.25)} years`;
}

function formatSource({ source, provider }: ShownUnitValue): string {
  if (source === 'transaction') return 'last trade';
  return provider === 'own' ? 'your price' : (provider ?? 'price');
}
