import { formatCount } from '../../format/amounts.ts';
import { day } from '../../format/dates.ts';
import { isOldPrice, type ShownUnitValue } from '../../parts/prices/unit-value.tsx';

interface PriceDatesProps {
  readonly data: readonly { readonly valuedBy: ShownUnitValue | null }[];
  readonly asOf: string;
  readonly of?: 'holding' | 'lot';
}

/** States the dates of the prices behind the total, and how many of them are old. */
export function PriceDates({ data, asOf, of = 'holding' }: PriceDatesProps) {
  const dates = data.flatMap(({ valuedBy }) => (valuedBy === null ? [] : [valuedBy.date])).sort();
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) return <>No {of} has a price yet.</>;
  const old = dates.filter((date) => isOldPrice(date, asOf)).length;
  return (
    <>
      Prices {first === last ? `as of ${day(first)}` : `from ${day(first)} to ${day(last)}`}
      {old > 0 && `; ${old === dates.length ? 'all' : `${old} of ${dates.length}`} more than 7 days old`}.
      {data.length > dates.length && ` ${formatCount(data.length - dates.length, of)} without a price.`}
    </>
  );
}
