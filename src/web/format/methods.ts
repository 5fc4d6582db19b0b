import {
  type LotMethod,
  lotMethods,
  lotMethodTable,
  type OrderMethod,
  orderMethods,
} from '../../engine/lot-methods.ts';

/** Lot methods, named as brokers name them. */
export const methodNames: Readonly<Record<LotMethod, string>> = named(lotMethods);

/** Methods that a standing order can use. */
export const orderNames: Readonly<Record<OrderMethod, string>> = named(orderMethods);

function named<Method extends LotMethod>(methods: readonly Method[]): Record<Method, string> {
  const entries = methods.map((method) => [method, `${lotMethodTable[method].words} (${method})`]);
  return Object.fromEntries(entries) as Record<Method, string>;
}
