import { type Day, yearOf } from '../base/day.ts';
import { type Cents, proportion } from '../base/decimal.ts';
import type { Disposal, Term } from '../engine/model.ts';

/**
 * What Form 8997 asks of a year: the interests in opportunity funds at its beginning, those bought, those whose gain was
 * included, and those at its end, each with the gain deferred in it. It follows from the lines with codes Z and Y.
 */
export interface Form8997Row {
  readonly part: 'I' | 'II' | 'III' | 'IV';
  readonly fund: string;
  readonly account: string;
  /** The day of the investment. */
  readonly invested: Day;
  /** The day of the inclusion; null outside Part III. */
  readonly includedOn: Day | null;
  readonly term: Term;
  /** The gain deferred in the interest; in Part III what of it ended. */
  readonly deferred: Cents;
  /** What is taxed of it; null outside Part III. */
  readonly included: Cents | null;
}

/** `deferrals`: the lines with codes Z and Y up to the end of the year, by day. */
export function form8997(year: number, deferrals: readonly Disposal[]): Form8997Row[] {
  const inclusions = Map.groupBy(
    deferrals.filter(({ code }) => code.includes('Y')),
    ({ lotId }) => lotId,
  );
  const rows = deferrals
    .filter(({ code, sold }) => code.includes('Z') && yearOf(sold) <= year)
    .flatMap((line) => rowsOf(year, line, inclusions.get(line.lotId) ?? []));
  const parts = ['I', 'II', 'III', 'IV'];
  return rows.sort((a, b) => parts.indexOf(a.part) - parts.indexOf(b.part) || a.invested - b.invested);
}

function rowsOf(year: number, line: Disposal, inclusions: readonly Disposal[]): Form8997Row[] {
  const { asset: fund, account, sold: invested, term, quantity } = line;
  const gain = -line.adjustment;
  const upTo = (units: bigint): bigint => proportion(gain, units, quantity);
  const common = { fund, account, invested, includedOn: null, term, included: null };
  const rows: Form8997Row[] = [];
  let ended = inclusions.reduce((units, one) => (yearOf(one.on) < year ? units + one.quantity : units), 0n);
  const atStart = gain - upTo(ended);
  const isNew = yearOf(invested) === year;
  if (isNew || atStart > 0n) rows.push({ ...common, part: isNew ? 'II' : 'I', deferred: atStart as Cents });
  for (const one of inclusions) {
    if (yearOf(one.on) !== year) continue;
    const deferred = (upTo(ended + one.quantity) - upTo(ended)) as Cents;
    ended += one.quantity;
    rows.push({ ...common, account: one.account, part: 'III', includedOn: one.on, deferred, included: one.adjustment });
  }
  if (ended < quantity) rows.push({ ...common, part: 'IV', deferred: (gain - upTo(ended)) as Cents });
  return rows;
}
