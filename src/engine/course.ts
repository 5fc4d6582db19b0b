import type { Day } from '../base/day.ts';
import type { Event } from './event.ts';
import { eventsOf } from './events.ts';
import { assetKeyOf } from './keys.ts';
import type { Transaction } from './model.ts';
import { compareEvents } from './order.ts';
import { compareTrades, isPlainTrade, tradeEvent } from './trades.ts';

/**
 * The events of transactions in their canonical order. Plain trades become events only if they must: a million of them
 * kept would cost more than what they do (`scripts/bench`, engine).
 */
export class Course {
  /** What `advance` came to: one of the two. */
  trade: Transaction | null = null;
  event: Event | null = null;
  readonly #trades: readonly Transaction[];
  readonly #events: readonly Event[];
  #tradesDone = 0;
  #eventsDone = 0;

  /** Of the events those on assets of `keys`. */
  constructor(transactions: readonly Transaction[], keys: ReadonlySet<string>) {
    const trades: Transaction[] = [];
    const events: Event[] = [];
    let isInOrder = true;
    let last: Transaction | undefined;
    for (const transaction of transactions) {
      if (!isPlainTrade(transaction)) {
        for (const event of eventsOf(transaction)) if (keys.has(event.key)) events.push(event);
      } else if (keys.has(assetKeyOf(transaction.asset, transaction.assetClass))) {
        if (isInOrder && last !== undefined) isInOrder = compareTrades(last, transaction) <= 0;
        last = transaction;
        trades.push(transaction);
      }
    }
    this.#trades = isInOrder ? trades : trades.sort(compareTrades);
    this.#events = events.sort(compareEvents);
  }

  /** The day of what comes next; null at the end. */
  get day(): Day | null {
    const trade = this.#trades[this.#tradesDone];
    const event = this.#events[this.#eventsDone];
    if (trade === undefined || event === undefined) return trade?.on ?? event?.on ?? null;
    return Math.min(trade.on, event.on) as Day;
  }

  /** Comes to what is next on a day; false where the day is over. */
  advance(day: Day): boolean {
    const trade = this.#trades[this.#tradesDone];
    const event = this.#events[this.#eventsDone];
    const isTrade = trade !== undefined && trade.on === day;
    const isEvent = event !== undefined && event.on === day;
    this.trade = null;
    this.event = null;
    if (isTrade && !(isEvent && compareEvents(event, tradeEvent(trade)) < 0)) {
      this.trade = trade;
      this.#tradesDone++;
      return true;
    }
    if (!isEvent) return false;
    this.event = event;
    this.#eventsDone++;
    return true;
  }
}
