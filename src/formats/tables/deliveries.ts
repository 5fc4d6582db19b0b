import type { Day } from '../../base/day.ts';
import type { Money, Quantity } from '../../base/decimal.ts';
import { endedOn } from '../../engine/events/expiration.ts';
import { indexOfRoot } from '../../engine/events/index-options.ts';
import { parseOption, rightOf, underlyingOf } from '../../engine/events/keys.ts';
import {
  buysStock,
  feesBeyondStrike,
  isAtStrike,
  isAtStrikeLessFees,
  sharesOfEnd,
} from '../../engine/events/strike-price.ts';
import { areAdjacent } from '../../engine/rules/lots/settlement.ts';
import { computeShare, sum } from '../cells/amounts.ts';
import { withWarning } from '../cells/drafts.ts';
import type { Draft, Outcome, Reader, Row } from '../format.ts';

/**
 * Joins the rows of an exercise or assignment. Brokers list it twice: as the end of the option, and as a trade of the
 * delivered shares at the strike price, on that or the next business day. One event may have several share rows, and
 * one share row may cover several events. The books need the event once, with the money and fees of its shares.
 *
 * Rows are joined only if account, stock, direction, price and total number of shares agree. All others are returned
 * unchanged, and the engine asks about them (`rules/options/double-deliveries.ts`).
 */
export function withDeliveries(reader: Reader, { marksEach = false }: { readonly marksEach?: boolean } = {}): Reader {
  const rows = new DeliveryRows(marksEach);
  return {
    read: (row: Row) => rows.take(reader.read(row)),
    end: () => [...rows.take(reader.end()), ...rows.end()],
  };
}

/** Marks a row with shares delivered by an option. */
export function markDelivered(outcome: Outcome, isDelivery: boolean): Outcome {
  return isDelivery && outcome.kind === 'read' ? { ...outcome, delivers: true } : outcome;
}

/** The maximum number of rows held, because options and stock may be in different parts of a file. */
const heldMax = 4000;

type ReadOutcome = Extract<Outcome, { readonly kind: 'read' }>;

interface DeliveryRow {
  readonly outcome: ReadOutcome;
  readonly draft: Draft;
  readonly isEvent: boolean;
  readonly shares: bigint;
}

/** Collects option events and the trades that may be their deliveries. */
class DeliveryRows {
  private held: DeliveryRow[] = [];

  constructor(private readonly marksEach: boolean) {}

  take(outcomes: readonly Outcome[]): Outcome[] {
    const passed: Outcome[] = [];
    for (const outcome of outcomes) {
      const row = toDeliveryRow(outcome, this.marksEach);
      if (row === null) passed.push(outcome);
      else this.held.push(row);
      if (this.held.length >= heldMax) passed.push(...this.releaseOlder());
    }
    return passed;
  }

  end(): Outcome[] {
    const joined = this.join();
    const released = [...joined, ...this.held.map(({ outcome }) => outcome)];
    this.held = [];
    return sortByLine(released);
  }

  /** Releases older trades. Events and marked rows are rare and are held longer. */
  private releaseOlder(): Outcome[] {
    const joined = this.join();
    const isRare = ({ isEvent, outcome }: DeliveryRow): boolean => isEvent || outcome.delivers === true;
    const keepsRare = this.held.filter(isRare).length < heldMax / 4;
    const older = this.held.slice(0, -heldMax / 2).filter((row) => !(keepsRare && isRare(row)));
    const leaving = new Set(older);
    this.held = this.held.filter((row) => !leaving.has(row));
    return sortByLine([...joined, ...older.map(({ outcome }) => outcome)]);
  }

  /** Joins all matching events and removes their rows. */
  private join(): Outcome[] {
    const matches = findMatches(this.held);
    const matched = new Set(matches.flatMap(({ events, deliveries }) => [...events, ...deliveries]));
    this.held = this.held.filter((row) => !matched.has(row));
    return matches.map(joinedOutcome);
  }
}

function sortByLine(outcomes: Outcome[]): Outcome[] {
  return outcomes.sort((a, b) => (a.lines[0] ?? 0) - (b.lines[0] ?? 0));
}

/** Returns null for a row that is neither an option event nor a possible delivery. */
function toDeliveryRow(outcome: Outcome, marksEach: boolean): DeliveryRow | null {
  if (outcome.kind !== 'read' || outcome.drafts.length !== 1) return null;
  const draft = outcome.drafts[0] as Draft;
  if (draft.type === 'exercise' || draft.type === 'assign') {
    const shares = sharesOfEnd(draft);
    const deliversStock = shares > 0n && rightOf(draft) !== null && indexOfRoot(underlyingOf(draft)) === undefined;
    return deliversStock ? { outcome, draft, isEvent: true, shares } : null;
  }
  if (!(draft.type in sides) || !isStock(draft) || (draft.quantity ?? 0n) <= 0n) return null;
  if (draft.amount === null || draft.receivedAsset !== '' || (marksEach && outcome.delivers !== true)) return null;
  return { outcome, draft, isEvent: false, shares: draft.quantity as bigint };
}

function isStock({ assetClass }: Draft): boolean {
  return assetClass === null || assetClass === 'stock' || assetClass === 'fund';
}

const sides: Partial<Record<Draft['type'], 'buy' | 'sell'>> = {
  buy: 'buy',
  cover: 'buy',
  sell: 'sell',
  short_sell: 'sell',
};

/** One or more events, and the trades that deliver their shares. */
interface Match {
  readonly events: readonly DeliveryRow[];
  readonly deliveries: readonly DeliveryRow[];
}

function findMatches(rows: readonly DeliveryRow[]): Match[] {
  const events = rows.filter(({ isEvent }) => isEvent);
  if (events.length === 0) return [];
  const stocks = Map.groupBy(
    rows.filter(({ isEvent }) => !isEvent),
    buildStockKey,
  );
  const matches: Match[] = [];
  const matched = new Set<DeliveryRow>();
  const claim = (some: readonly DeliveryRow[], deliveries: readonly DeliveryRow[]): void => {
    for (const row of [...some, ...deliveries]) matched.add(row);
    matches.push({ events: some, deliveries });
  };
  const isFree = (row: DeliveryRow): boolean => !matched.has(row);
  for (const isAtStrike of closenesses) {
    for (const group of Map.groupBy(events, buildContractKey).values()) {
      const trades = stocks.get(buildStockKey(group[0] as DeliveryRow)) ?? [];
      const findMatches = (event: DeliveryRow): DeliveryRow[] =>
        trades.filter((row) => isFree(row) && isNear(event.draft, row) && isAtStrike(event.draft, row));
      for (const event of group.filter(isFree)) {
        const deliveries = summingTo(byLikelihood(event, findMatches(event)), event.shares);
        if (deliveries !== null) claim([event], deliveries);
      }
      for (const event of group) {
        for (const trade of isFree(event) ? findMatches(event) : []) {
          const others = group.filter((one) => isFree(one) && isNear(one.draft, trade));
          const some = summingTo(others, trade.shares);
          if (some?.some((one) => one === event)) claim(some, [trade]);
          if (!isFree(event)) break;
        }
      }
      for (const event of group) {
        const together = isFree(event)
          ? group.filter((one) => isFree(one) && areAdjacent(one.draft.on, event.draft.on))
          : [];
        if (together.length < 2) continue;
        const total = together.reduce((units, one) => units + one.shares, 0n);
        const deliveries = summingTo(byLikelihood(event, findMatches(event)), total);
        if (deliveries !== null) claim(together, deliveries);
      }
    }
  }
  return matches;
}

function buildStockKey({ draft, isEvent }: DeliveryRow): string {
  const side = isEvent ? (buysStock(draft) ? 'buy' : 'sell') : sides[draft.type];
  // Sources write share classes differently for stock and options: BRK B and BRKB.
  const asset = (isEvent ? underlyingOf(draft) : draft.asset).toUpperCase().replace(/[^A-Z0-9]/g, '');
  return [side, asset, draft.currency, draft.account].join('\n');
}

function buildContractKey(row: DeliveryRow): string {
  return [buildStockKey(row), parseOption(row.draft.asset)?.strike ?? row.draft.asset].join('\n');
}

/**
 * Returns whether a trade is on the day of an event or on the next business day. A row marked as a delivery may also be
 * dated one business day earlier.
 */
function isNear(event: Draft, { draft: { on }, outcome }: DeliveryRow): boolean {
  const days: readonly Day[] = [event.on, endedOn(event)];
  return days.some((day) => areAdjacent(day, on) && (on >= day || outcome.delivers === true));
}

/** Sorts marked rows first, then by the distance in days. */
function byLikelihood({ draft }: DeliveryRow, trades: readonly DeliveryRow[]): DeliveryRow[] {
  const days = (row: DeliveryRow): number => Math.abs(row.draft.on - draft.on);
  const marks = (row: DeliveryRow): number => (row.outcome.delivers === true ? 0 : 1);
  return trades.toSorted((a, b) => marks(a) - marks(b) || days(a) - days(b) || a.draft.line - b.draft.line);
}

/** Finds rows whose shares add up to a total, preferring the first ones. Returns null if there are none. */
function summingTo(rows: readonly DeliveryRow[], total: bigint): DeliveryRow[] | null {
  const marked = rows.filter(({ outcome }) => outcome.delivers === true);
  const single = [...marked, ...rows].find(({ shares }) => shares === total);
  if (single !== undefined && (marked.length === 0 || marked.includes(single))) return [single];
  const chains = new Map<bigint, Chain | null>([[0n, null]]);
  for (const row of rows.slice(0, partsMax)) {
    for (const [units, rest] of [...chains]) {
      const next = units + row.shares;
      if (next > total || chains.has(next) || chains.size >= sumsMax) continue;
      const chain = { row, rest };
      if (next === total) return listChainRows(chain);
      chains.set(next, chain);
    }
  }
  return single === undefined ? null : [single];
}

interface Chain {
  readonly row: DeliveryRow;
  readonly rest: Chain | null;
}

function listChainRows(chain: Chain): DeliveryRow[] {
  const rows: DeliveryRow[] = [];
  for (let link: Chain | null = chain; link !== null; link = link.rest) rows.push(link.row);
  return rows.reverse();
}

/** Limits the search for a sum, because a file may contain thousands of equal rows. */
const partsMax = 100;
const sumsMax = 500;

/**
 * Tests how close a trade's money is to the strike price, closest first: to the cent; after regulatory fees, which some
 * sources deduct; after a flat fee in a row marked as a delivery. Fees raise the cost of a purchase and lower the
 * proceeds of a sale.
 */
const closenesses: readonly ((event: Draft, trade: DeliveryRow) => boolean)[] = [
  (event, { draft }) => isAtStrike(event, draft),
  (event, { draft }) => isAtStrikeLessFees(event, draft),
  (event, { draft, outcome }) => {
    const fees = outcome.delivers === true ? feesBeyondStrike(event, draft) : null;
    return fees !== null && fees >= 0n && fees <= flatMax && fees * 50n <= (draft.amount ?? 0n);
  },
];

const flatMax = 3_000_000_000n;

/** Returns the matched events with the money of their deliveries, divided by shares. */
function joinedOutcome({ events, deliveries }: Match): Outcome {
  const lines = [...events, ...deliveries].flatMap(({ outcome }) => outcome.lines).sort((a, b) => a - b);
  const amount = sum(...deliveries.map(({ draft }) => draft.amount));
  const fee = sum(...deliveries.map(({ draft }) => draft.fee));
  const [earliest] = deliveries.map(({ draft }) => draft).sort((a, b) => a.on - b.on);
  const total = events.reduce((units, event) => units + event.shares, 0n) as Quantity;
  const warnings = deliveries.flatMap(({ draft }) => draft.warning ?? []);
  let units = 0n;
  const upTo = (value: Money | null, shares: bigint): bigint => computeShare(value, shares as Quantity, total) ?? 0n;
  const drafts = events.map(({ draft, shares }) => {
    const [from, to] = [units, units + shares];
    units = to;
    const part = (value: Money | null): Money | null =>
      value === null ? null : ((upTo(value, to) - upTo(value, from)) as Money);
    // The stock may be dated on the day of the event, and the option on the booking day.
    const { at, on } = earliest !== undefined && earliest.on < draft.on ? earliest : draft;
    const joined: Draft = {
      ...draft,
      at,
      on,
      underlying: earliest?.asset ?? draft.underlying,
      amount: part(amount),
      fee: sum(draft.fee, part(fee)),
    };
    return warnings.reduce(withWarning, joined);
  });
  return { kind: 'read', lines, drafts };
}
