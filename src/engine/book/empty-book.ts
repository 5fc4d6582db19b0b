import type { Book } from './book.ts';

/** Returns the state before the first transaction. */
export function emptyBook(): Book {
  return {
    asOf: null,
    sequence: 0,
    pools: [],
    losses: [],
    shorts: [],
    closedShorts: [],
    shortLosses: [],
    shorted: false,
    sales: [],
    soldPurchases: [],
    puts: [],
    written: [],
    coveredCalls: [],
    transits: [],
    distributions: [],
    deferrals: [],
    fundInterests: [],
    questions: [],
    centsRemainders: [],
    straddleLosses: [],
  };
}
