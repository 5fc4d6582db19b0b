import type { Day } from '../../base/day.ts';
import type { Event } from './event.ts';
import { compareEvents } from './event-order.ts';
import { buildEvents } from './events.ts';
import { eventsOfPlan, planForms, rowsOfPlans } from './form-rows.ts';
import type { Ledger } from './ledger.ts';
import { tradeEvent } from './trade-event.ts';

/**
 * Walks the events of a ledger in canonical order, limited to assets in `keys`. For a plain trade it returns the
 * trade's number in the ledger.
 */
export class EventCursor {
  readonly ledger: Ledger;
  /** The current event: the number of a plain trade, or an event object. */
  trade = -1;
  event: Event | null = null;
  readonly #order: Int32Array | null;
  readonly #counts: readonly boolean[];
  readonly #events: readonly Event[];
  #tradesDone = 0;
  #eventsDone = 0;

  constructor(ledger: Ledger, keys: ReadonlySet<string>) {
    this.ledger = ledger;
    this.#order = ledger.order();
    this.#counts = ledger.places.map((accountAsset) => keys.has(accountAsset.key));
    const events: Event[] = [];
    const plans = planForms(rowsOfPlans(ledger));
    for (const transaction of ledger.others) {
      const plan = plans.get(transaction.id);
      for (const event of buildEvents(transaction)) {
        if (!keys.has(event.key)) continue;
        if (plan === undefined || event.kind !== 'reported') events.push(event);
        else events.push(...eventsOfPlan(event, plan));
      }
    }
    this.#events = events.sort(compareEvents);
  }

  /** The number of trades and events already walked. */
  get done(): number {
    return this.#tradesDone + this.#eventsDone;
  }

  /** The day of the next trade or event, or null at the end. */
  get day(): Day | null {
    const trade = this.#nextTrade();
    const event = this.#events[this.#eventsDone];
    if (trade === -1) return event?.on ?? null;
    const on = this.ledger.ons[trade] as Day;
    return event === undefined ? on : (Math.min(on, event.on) as Day);
  }

  /** Advances to the next trade or event of a day. Returns false if the day has no more. */
  advance(day: Day): boolean {
    const trade = this.#nextTrade();
    const event = this.#events[this.#eventsDone];
    const isTrade = trade !== -1 && this.ledger.ons[trade] === day;
    const isEvent = event !== undefined && event.on === day;
    if (isTrade && !(isEvent && compareEvents(event, tradeEvent(this.ledger, trade)) < 0)) {
      this.trade = trade;
      this.event = null;
      this.#tradesDone++;
      return true;
    }
    if (!isEvent) return false;
    this.trade = -1;
    this.event = event;
    this.#eventsDone++;
    return true;
  }

  #nextTrade(): number {
    const { placeOf, trades } = this.ledger;
    for (; this.#tradesDone < trades; this.#tradesDone++) {
      const trade = this.#order === null ? this.#tradesDone : (this.#order[this.#tradesDone] as number);
      if (this.#counts[placeOf[trade] as number]) return trade;
    }
    return -1;
  }
}
