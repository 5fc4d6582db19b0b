import { type Day, formatDay } from '../../../../base/day.ts';
import { formatQuantity } from '../../../../base/decimal.ts';
import type { PriceService } from '../../../../config.ts';
import { buildProviderUrl, computeMeanPrice, toObject } from './candles.ts';
import { exactJson, parseJsonPrice } from './exact-json.ts';
import { type PriceProvider, ProviderFault } from './provider.ts';
import { requestText } from './request.ts';

const sendsKey = 'your key';

/**
 * Reads prices from CoinGecko: `https://api.coingecko.com/api/v3`, or `https://pro-api.coingecko.com/api/v3` with the
 * key of a paid plan.
 */
export function coingeckoPrices({ baseUrl, apiKey }: PriceService): PriceProvider {
  const { host } = new URL(baseUrl);
  const headers = { [host.startsWith('pro-') ? 'x-cg-pro-api-key' : 'x-cg-demo-api-key']: apiKey };
  const ids = new CoinIds(baseUrl, headers);
  return {
    ...{ source: 'coingecko', kind: 'coin', host, sends: `${sendsKey}, names of coins, and days` },
    daysMax: 1,
    // The free plan allows 30 requests a minute.
    pauseMilliseconds: 2_100,
    read: async (asset, { first }, signal) => {
      const id = await ids.of(asset, signal);
      if (id === undefined) return [];
      const [year, month, day] = formatDay(first).split('-');
      const query = { date: `${day}-${month}-${year}`, localization: 'false' };
      const text = await requestText(
        buildProviderUrl(baseUrl, `/coins/${encodeURIComponent(id)}/history`, query),
        headers,
        signal,
      );
      const { market_data } = toObject(text === null ? {} : exactJson(text));
      const usd = parseJsonPrice(toObject(toObject(market_data).current_price).usd);
      return usd === undefined ? [] : [{ asset, day: formatDay(first), usd: formatQuantity(usd) }];
    },
  };
}

/**
 * Maps symbols to CoinGecko ids. Many coins share a symbol: the best-known ones are listed here, and other symbols must
 * be unique.
 */
class CoinIds {
  private known: ReadonlyMap<string, string> | undefined;

  constructor(
    private readonly baseUrl: string,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  async of(asset: string, signal: AbortSignal): Promise<string | undefined> {
    const name = asset.toUpperCase();
    const id = coinIds.get(name);
    if (id !== undefined) return id;
    this.known ??= await this.list(signal);
    return this.known.get(name);
  }

  private async list(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const text = await requestText(buildProviderUrl(this.baseUrl, '/coins/list', {}), this.headers, signal);
    const coins = text === null ? [] : exactJson(text);
    if (!Array.isArray(coins)) throw new ProviderFault('The response is not a list of coins.', true);
    const pairs = coins.map((coin: unknown) => [
      String(toObject(coin).symbol).toUpperCase(),
      String(toObject(coin).id),
    ]);
    const bySymbol = Map.groupBy(pairs, ([symbol = '']) => symbol);
    return new Map(
      [...bySymbol].flatMap(([symbol, own]) => (own.length === 1 ? [[symbol, own[0]?.[1] ?? ''] as const] : [])),
    );
  }
}

const coinIds: ReadonlyMap<string, string> = new Map(
  `BTC bitcoin ETH ethereum SOL solana XRP ripple ADA cardano DOGE dogecoin DOT polkadot LTC litecoin BCH bitcoin-cash
  LINK chainlink XLM stellar ATOM cosmos AVAX avalanche-2 UNI uniswap USDT tether USDC usd-coin DAI dai BNB binancecoin
  TRX tron ETC ethereum-classic XMR monero ALGO algorand FIL filecoin NEAR near MATIC matic-network AAVE aave XTZ tezos
  EOS eos ZEC zcash DASH dash SHIB shiba-inu HBAR hedera-hashgraph ICP internet-computer`
    .split(/\s+/)
    .flatMap((word, at, words) => (at % 2 === 0 ? [[word, words[at + 1] ?? ''] as const] : [])),
);

/** Reads unadjusted prices of stocks and funds from Tiingo: `https://api.tiingo.com`. */
export function tiingoPrices({ baseUrl, apiKey }: PriceService): PriceProvider {
  return {
    ...{ source: 'tiingo', kind: 'security', host: new URL(baseUrl).host },
    sends: `${sendsKey}, tickers, and the first and last day of a span`,
    daysMax: 3_660,
    pauseMilliseconds: 1_000,
    read: async (asset, { first, last }, signal) => {
      if (!/^[A-Za-z0-9.-]{1,15}$/.test(asset)) return [];
      const ticker = asset.replaceAll('.', '-').toLowerCase();
      const query = { startDate: formatDay(first), endDate: formatDay(last) };
      const url = buildProviderUrl(baseUrl, `/tiingo/daily/${encodeURIComponent(ticker)}/prices`, query);
      const text = await requestText(url, { authorization: `Token ${apiKey}` }, signal);
      const days = text === null ? [] : exactJson(text);
      if (!Array.isArray(days)) throw new ProviderFault('The response contains no prices.', true);
      return days.flatMap((one: unknown) => {
        const { date, high, low } = toObject(one);
        const day = String(date).slice(0, 10);
        const usd = computeMeanPrice(parseJsonPrice(high), parseJsonPrice(low));
        return usd === undefined || day < formatDay(first) || day > formatDay(last as Day) ? [] : [{ asset, day, usd }];
      });
    },
  };
}
