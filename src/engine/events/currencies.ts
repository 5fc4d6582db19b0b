/**
 * Currencies that exchanges and brokers hold as money. A gain on one is ordinary and not reported on Form 8949 (IRC
 * 988(a)). ISO 4217 codes that are also tickers of US securities, such as ALL or BAM, are omitted.
 */
const currencies: ReadonlySet<string> = new Set(
  (
    'EUR GBP JPY CHF CAD AUD NZD SEK NOK DKK ISK PLN CZK HUF RON BGN TRY ILS ZAR INR CNY CNH HKD SGD KRW TWD THB IDR MYR ' +
    'PHP VND AED SAR KWD QAR MXN BRL CLP COP UAH RUB KZT NGN KES'
  ).split(' '),
);

/** Returns whether a name is the code of a currency other than the dollar. */
export function isForeignCurrency(asset: string): boolean {
  return asset.length === 3 && currencies.has(asset);
}
