import { type Day, dayIn, type Instant, parseDay } from '../../../base/day.ts';
import type { OrderInForce } from '../../book/method-in-force.ts';
import type { LotMethod, Rules, StandingOrder } from '../../model.ts';

/** The sale that a standing order is looked up for. */
export interface SaleToIdentify {
  readonly account: string;
  readonly asset: string;
  readonly on: Day;
  readonly at: Instant | null;
}

/**
 * Returns the standing order for a sale. An order that names account and asset takes precedence over one that names
 * only the account, which takes precedence over one that names only the asset or nothing. Among equal orders, the last
 * one made applies. An order that covers that day but was made after the sale is too late, so the previous order
 * remains in force.
 */
export function standingOrderFor(rules: Rules, sale: SaleToIdentify): OrderInForce | null {
  let [inTime, late]: [ParsedOrder | null, ParsedOrder | null] = [null, null];
  for (const order of parsedOrders(rules)) {
    if (!isMeantFor(order, sale)) continue;
    if (isMadeBefore(order, sale)) inTime = preferOrder(inTime, order);
    else if (order.from !== null) late = preferOrder(late, order);
  }
  if (late !== null && preferOrder(inTime, late) !== late) late = null;
  if (inTime === null && late === null) return null;
  const { order = null, method = null } = inTime ?? {};
  return { order, method, late: late?.method ?? null };
}

/**
 * Returns the day of an instant in the taxpayer's time zone. A date without a time is already a day in that zone
 * (DECISIONS.md, P12).
 */
export function localDay({ timeZone = 'UTC' }: Pick<Rules, 'timeZone'>, at: Instant): Day {
  return dayIn(at, timeZone);
}

/** Parses the time an order was made. `at` is null for a date without a time. Returns undefined for any other text. */
export function parseMadeAt(
  text: string,
  zone: Pick<Rules, 'timeZone'> = {},
): { readonly at: Instant | null; readonly on: Day } | undefined {
  const day = parseDay(text);
  if (day !== undefined) return { at: null, on: day };
  if (!instantPattern.test(text)) return undefined;
  const milliseconds = Date.parse(text);
  if (Number.isNaN(milliseconds)) return undefined;
  const at = (milliseconds * 1000) as Instant;
  return { at, on: localDay(zone, at) };
}

const instantPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?(?:Z|[+-]\d{2}:\d{2})$/;

interface ParsedOrder {
  readonly order: StandingOrder;
  readonly account: string | undefined;
  readonly asset: string | undefined;
  readonly method: LotMethod;
  readonly madeAt: Instant | null;
  readonly madeOn: Day;
  readonly from: Day | null;
  /** The sum of 2 if an account is named and 1 if an asset is named. */
  readonly weight: number;
}

function isMeantFor(order: ParsedOrder, sale: SaleToIdentify): boolean {
  if (order.account !== undefined && order.account !== sale.account) return false;
  if (order.asset !== undefined && order.asset !== sale.asset) return false;
  return order.from === null || order.from <= sale.on;
}

/**
 * Returns whether an order was made before a sale. If either has only a date, an order made on the day of the sale
 * counts.
 */
function isMadeBefore(order: ParsedOrder, sale: SaleToIdentify): boolean {
  return order.madeAt === null || sale.at === null ? order.madeOn <= sale.on : order.madeAt <= sale.at;
}

function preferOrder(known: ParsedOrder | null, order: ParsedOrder): ParsedOrder {
  if (known === null) return order;
  const weight = order.weight - known.weight || order.madeOn - known.madeOn;
  return (weight || (order.madeAt ?? 0) - (known.madeAt ?? 0)) >= 0 ? order : known;
}

/** The parsed orders of each set of elections, which never changes. */
const read = new WeakMap<Rules, readonly ParsedOrder[]>();

function parsedOrders(rules: Rules): readonly ParsedOrder[] {
  if (rules.standingOrders === undefined) return [];
  const known = read.get(rules);
  if (known !== undefined) return known;
  const parsed = rules.standingOrders.flatMap((order): ParsedOrder[] => {
    const made = parseMadeAt(order.madeAt, rules);
    if (made === undefined) return [];
    const weight = (order.account === undefined ? 0 : 2) + (order.asset === undefined ? 0 : 1);
    const { account, asset, method } = order;
    const from = order.from === undefined ? null : (parseDay(order.from) ?? null);
    return [{ order, account, asset, method, madeAt: made.at, madeOn: made.on, from, weight }];
  });
  read.set(rules, parsed);
  return parsed;
}
