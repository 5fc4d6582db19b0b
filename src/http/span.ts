import { t } from 'elysia';
import { parseDayParameter } from './errors.ts';
import { day, type QueryOf, yearParameter } from './schemas.ts';

/** Days from `from` up to, but not including, `before`. Null means unbounded. */
export interface DayRange {
  readonly from: string | null;
  readonly before: string | null;
}

/** Query parameters for a range of days. */
export const spanParameters = {
  year: t.Optional(yearParameter),
  from: t.Optional(day),
  to: t.Optional(t.String({ description: 'A day (exclusive). `year` and `from`, `to` narrow each other.' })),
};

/** Returns the intersection of `year` with `from` and `to`. */
export function toDayRange(parameters: QueryOf<typeof spanParameters>): DayRange {
  const [from, before] = [parseDayParameter('from', parameters.from), parseDayParameter('to', parameters.to)];
  if (parameters.year === undefined) return { from, before };
  const [first, end] = [`${parameters.year}-01-01`, `${parameters.year + 1}-01-01`];
  return {
    from: from !== null && from > first ? from : first,
    before: before !== null && before < end ? before : end,
  };
}
