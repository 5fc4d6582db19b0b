import { type Event, orders } from './event.ts';

/**
 * Compares events in canonical order, which does not depend on the order of import. Events are sorted by day. Within a
 * day, rows with only a date come first (corporate actions, acquisitions, accruals) or last (transfers, disposals,
 * closings), and rows with a time are in between. They are then sorted by kind, so that a purchase precedes a sale in
 * the same second, and then by line, ordinal and id.
 */
export function compareEvents(a: Event, b: Event): number {
  return (
    a.on - b.on ||
    partOfDay(a) - partOfDay(b) ||
    (a.at ?? 0) - (b.at ?? 0) ||
    a.order - b.order ||
    a.tx.line - b.tx.line ||
    a.ordinal - b.ordinal ||
    (a.tx.id < b.tx.id ? -1 : a.tx.id > b.tx.id ? 1 : 0)
  );
}

function partOfDay(event: Event): -1 | 0 | 1 {
  if (event.at !== null) return 0;
  return event.order <= orders.accrue ? -1 : 1;
}
