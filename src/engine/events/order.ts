import { type Event, orders } from './event.ts';

/**
 * The canonical order of events, the same for every order of import: by day; within it rows with only a date begin it
 * (corporate actions, acquisitions, accruals) or end it (transfers, disposals, closings), timed ones lie between, by instant;
 * then by kind, so that what is bought and sold within a second is bought first; then by line, by consequence, by id.
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
