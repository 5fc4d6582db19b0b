/**
 * Government currencies. Lotbook does not track them as assets, so rows that only move them are skipped. Omits codes
 * that are also the symbol of a share or a coin (ALL, AMD, AZN, GEL, MNT, TOP).
 */
const currencies = new Set(
  `USD EUR GBP CAD AUD NZD JPY CHF SEK NOK DKK PLN CZK HUF RON BGN TRY BRL MXN ARS CLP COP PEN INR SGD HKD KRW THB IDR
  PHP MYR VND TWD CNY CNH ZAR ILS AED SAR NGN KES UAH RUB ISK EGP GHS TZS UGX PKR BDT LKR MAD DZD QAR KWD BHD OMR JOD
  BOB PYG UYU CRC GTQ DOP HNL NIO PAB JMD TTD RSD KZT UZS KGS NPR MMK KHR XOF XAF XPF VES`.split(/\s+/),
);

export function isCurrency(asset: string): boolean {
  return currencies.has(asset.toUpperCase());
}
