import { type Day, lastDayOf, yearOf } from '../base/day.ts';
import { type Cents, proportion, type Quantity } from '../base/decimal.ts';
import { followsFirstRules, lastYearOfFirstRules } from '../engine/book/deferral.ts';
import type { FundInterest } from '../engine/book/fund-interests.ts';
import { isOnOtherReturn } from '../engine/book/separate-returns.ts';
import type { Disposal, Rules, Term } from '../engine/model.ts';
import { isDueInclusion, stepUpPercent } from '../engine/rules/opportunity-funds/include.ts';

/**
 * The data for a year's Form 8997. Until 2025, the form has Parts I to IV: the interests at the beginning of the year,
 * those bought, those whose gain was included, and those at the end of the year, each with its deferred gain. The 2026
 * draft divides Part III, reserves Part IV, and adds Part V for interests held after their gain was included.
 */
export const form8997Parts = ['I', 'II', 'III', 'III A', 'III B', 'IV', 'V'] as const;
type Form8997Part = (typeof form8997Parts)[number];

export interface Form8997Row {
  readonly part: Form8997Part;
  readonly fund: string;
  readonly account: string;
  /** The number of units, for the description in column (c). */
  readonly quantity: Quantity;
  /** The investment date. */
  readonly invested: Day;
  /** The inclusion date. Null outside Part III. */
  readonly includedOn: Day | null;
  readonly term: Term;
  /** The gain deferred in the interest. In Part III, the part of it whose deferral ended. Zero in Part V. */
  readonly deferred: Cents;
  /** The part that is taxed. Null outside Part III. */
  readonly included: Cents | null;
  /** In Part III B, the interest's value at the end of the deferral period. Null if unknown. */
  readonly value: Cents | null;
  /**
   * In Part III B, the part of the gain that is never included, as a negative amount (IRC 1400Z-2(b)(2)(B)(iii), (iv)).
   */
  readonly adjustment: Cents | null;
  /** In Part V, the basis after the inclusion. */
  readonly basis: Cents | null;
}

export interface Form8997Books {
  readonly year: number;
  readonly rules: Rules;
  /** Lines with codes Z and Y up to the end of the year, by day. */
  readonly deferrals: readonly Disposal[];
  /** Interests held at the end of the year. */
  readonly fundInterests: readonly FundInterest[];
}

/** Returns whether the year uses the layout of the 2026 draft. */
export function hasPartFive(year: number): boolean {
  return year >= lastYearOfFirstRules;
}

export function form8997({ year, rules, deferrals, fundInterests }: Form8997Books): Form8997Row[] {
  const inclusions = Map.groupBy(
    deferrals.filter(({ code }) => code.includes('Y')),
    ({ lotId }) => lotId,
  );
  const elections = deferrals.filter(({ code, sold }) => code.includes('Z') && yearOf(sold) <= year);
  const rows = elections.flatMap((line) => buildFundRows(year, rules, line, inclusions.get(line.lotId) ?? []));
  const held = hasPartFive(year) ? listHeldRows(year, rules, elections, fundInterests) : [];
  return [...rows, ...held].sort(
    (a, b) => form8997Parts.indexOf(a.part) - form8997Parts.indexOf(b.part) || a.invested - b.invested,
  );
}

const outsidePartThree = { includedOn: null, included: null, value: null, adjustment: null, basis: null } as const;

function buildFundRows(year: number, rules: Rules, line: Disposal, inclusions: readonly Disposal[]): Form8997Row[] {
  const { asset: fund, account, sold: invested, term, quantity } = line;
  const gain = -line.adjustment;
  const upTo = (units: bigint): bigint => proportion(gain, units, quantity);
  const common = { fund, account, invested, term, ...outsidePartThree };
  const rows: Form8997Row[] = [];
  let ended = inclusions.reduce((units, one) => (yearOf(one.on) < year ? units + one.quantity : units), 0n);
  const atStart = gain - upTo(ended);
  const isNew = yearOf(invested) === year;
  if (isNew || atStart > 0n) {
    const held = (quantity - ended) as Quantity;
    rows.push({ ...common, part: isNew ? 'II' : 'I', quantity: held, deferred: atStart as Cents });
  }
  for (const one of inclusions) {
    if (yearOf(one.on) !== year) continue;
    const deferred = (upTo(ended + one.quantity) - upTo(ended)) as Cents;
    ended += one.quantity;
    rows.push({
      ...common,
      ...inclusionCells(year, rules, one, deferred),
      account: one.account,
      quantity: one.quantity,
      includedOn: one.on,
      deferred,
      included: one.adjustment,
    });
  }
  if (ended >= quantity) return rows;
  const left = (quantity - ended) as Quantity;
  return [...rows, { ...common, part: 'IV', quantity: left, deferred: (gain - upTo(ended)) as Cents }];
}

/** Returns the cells for Part III, which is divided from 2026. */
function inclusionCells(year: number, rules: Rules, line: Disposal, deferred: Cents) {
  if (!hasPartFive(year)) return { part: 'III' } as const;
  if (!isDueInclusion(line.id)) return { part: 'III A' } as const;
  const percent = stepUpPercent(line.acquired, line.on, rules.assets?.[line.asset]?.ruralFund === true);
  const adjustment = -proportion(deferred, percent, 100n) as Cents;
  return { part: 'III B', value: line.fundValue ?? null, adjustment } as const;
}

/**
 * Returns the rows of Part V. Interests stay on the form until they are sold. If no transaction is dated after the due
 * day, a lot's basis does not contain the included gain yet (`rules/opportunity-funds/include.ts`). Without a value,
 * the basis will increase by the entire gain.
 */
function listHeldRows(
  year: number,
  rules: Rules,
  elections: readonly Disposal[],
  interests: readonly FundInterest[],
): Form8997Row[] {
  const terms = new Map(elections.map(({ lotId, term }) => [lotId, term]));
  const end = lastDayOf(year);
  return interests.flatMap((interest): Form8997Row[] => {
    const { origin, fund, account, quantity, invested, basis, deferred } = interest;
    const term = terms.get(origin);
    const isOver = followsFirstRules(invested) || deferred === 0n;
    if (term === undefined || !isOver || isOnOtherReturn(rules, account, end)) return [];
    const afterwards = (basis + deferred) as Cents;
    const common = { fund, account, quantity, invested, term, ...outsidePartThree };
    return [{ ...common, part: 'V', deferred: 0n as Cents, basis: afterwards }];
  });
}
