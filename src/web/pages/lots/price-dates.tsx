import { formatCount } from '../../format/amounts.ts';
import { day } from '../../format/dates.ts';
import { isOldPrice } from '../../parts/prices/unit-value.tsx';
import type { HoldingsResponse } from './holdings.ts';

/** States the dates of the prices behind the total, and how many of them are old. */
export function PriceDates({ data, asOf }: HoldingsResponse) {
  const dates = data.flatMap(({ valuedBy }) => (valuedBy === null ? [] : [valuedBy.date])).sort();
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) return <>No holding has a price yet.</>;
  const old = dates.filter((date) => isOldPrice(date, asOf)).length;
  return (
    <>
      Prices {first === last ? `as of ${day(first)}` : `from ${day(first)} to ${day(last)}`}
      {old > 0 && `; ${old === dates.length ? 'all' : `${old} of ${dates.length}`} more than 7 days old`}.
      {data.length > dates.length && ` ${formatCount(data.length - dates.length, 'holding')} without a price.`}
    </>
  );
}
