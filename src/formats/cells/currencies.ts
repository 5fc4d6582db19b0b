/** Government money. It is no asset of these books, so rows that only move it are skipped. */
const currencies = new Set(
  `USD EUR GBP CAD AUD NZD JPY CHF SEK NOK DKK PLN CZK HUF RON BGN TRY BRL MXN ARS CLP COP PEN INR SGD HKD KRW THB IDR
  PHP MYR VND TWD CNY CNH ZAR ILS AED SAR NGN KES UAH RUB ISK`.split(/\s+/),
);

export function isCurrency(asset: string): boolean {
  return currencies.has(asset.toUpperCase());
}
