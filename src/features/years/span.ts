import { parseDayParameter } from '../../http/errors.ts';

/** Days from `from` up to, but not including, `before`. Null means unbounded. */
export interface DayRange {
  readonly from: string | null;
  readonly before: string | null;
}

interface SpanQuery {
  readonly year?: number;
  readonly from?: string;
  readonly to?: string;
}

/** Returns the intersection of `year` with `from` and `to`. */
export function toDayRange(parameters: SpanQuery): DayRange {
  const [from, before] = [parseDayParameter('from', parameters.from), parseDayParameter('to', parameters.to)];
  if (parameters.year === undefined) return { from, before };
  const [first, end] = [`${parameters.year}-01-01`, `${parameters.year + 1}-01-01`];
  return {
    from: from !== null && from > first ? from : first,
    before: before !== null && before < end ? before : end,
  };
}
