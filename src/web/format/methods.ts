import type { LotMethod } from '../../engine/model.ts';

/** Lot methods, as a broker's page names them. */
export const methodNames: Readonly<Record<LotMethod, string>> = {
  FIFO: 'First in, first out',
  LIFO: 'Last in, first out',
  HIFO: 'Highest cost first',
  LOFO: 'Lowest cost first',
  AVERAGE: 'Average basis',
};
