import type { Deps } from '../../../deps.ts';
import { coinbaseExchange } from './exchanges/coinbase.ts';
import type { ExchangeClient } from './exchanges/exchange.ts';
import { flexExchange } from './exchanges/flex.ts';
import { krakenExchange } from './exchanges/kraken.ts';

/** Returns the services that the operator turned on. By default there are none. */
export function listExchanges({ config: { sync }, clock }: Pick<Deps, 'config' | 'clock'>): ExchangeClient[] {
  const now = (): number => clock.now().getTime();
  return [
    ...(sync.coinbase === null ? [] : [coinbaseExchange({ baseUrl: sync.coinbase, now })]),
    ...(sync.kraken === null ? [] : [krakenExchange({ baseUrl: sync.kraken, now })]),
    ...(sync.ibkrFlex === null ? [] : [flexExchange({ baseUrl: sync.ibkrFlex, now })]),
  ];
}
