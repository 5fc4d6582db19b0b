import { isCurrency } from './currencies.ts';

/** Reads the currency signs and codes next to numbers. */

/**
 * All ISO 4217 codes. This list is longer than the one in `currencies.ts`, because `AMD` next to a number is never a
 * share.
 */
const codes: ReadonlySet<string> = new Set(
  `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP
  CNH CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF
  IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK
  MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR
  SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES
  VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWL HRK LTL LVL EEK SKK SIT DEM FRF ITL ESP NLG BEF ATS FIM IEP PTE GRD`.split(
    /\s+/,
  ),
);

export function isCurrencyCode(text: string): boolean {
  return codes.has(text);
}

/** The currencies that each sign can mean. The first is the default, or '' if there is no default. */
const currenciesOfSign: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  `$ USD CAD AUD NZD HKD SGD MXN ARS CLP COP TWD BBD BMD BSD BZD FJD GYD JMD KYD LRD NAD TTD XCD UYU DOP
  US$ USD|U$ USD|C$ CAD|CA$ CAD|CAD$ CAD|CDN$ CAD|A$ AUD|AU$ AUD|AUD$ AUD|NZ$ NZD|HK$ HKD|S$ SGD|SG$ SGD|R$ BRL|MX$ MXN
  NT$ TWD|€ EUR|£ GBP EGP|￡ GBP|¥ JPY CNY|￥ JPY CNY|CN¥ CNY|JP¥ JPY|₹ INR|₩ KRW|₽ RUB|₪ ILS|₺ TRY|₴ UAH|฿ THB|₫ VND
  ₦ NGN|₱ PHP|₸ KZT|₡ CRC|₵ GHS|zł PLN|Kč CZK|Ft HUF|Fr CHF|Fr. CHF|SFr CHF|SFr. CHF|sFr. CHF|lei RON|R ZAR
  kr ? SEK NOK DKK ISK|kr. ? DKK NOK SEK ISK|Rs ? INR PKR LKR|Rs. ? INR PKR LKR`
    .split(/[|\n]/)
    .map((entry) => entry.trim().split(' '))
    .map(([sign = '', ...currencies]) => [sign, currencies.map((code) => (code === '?' ? '' : code))]),
);

/** Matches a sign or a code. Longer signs come first. */
export const signPattern: string = `(?:[A-Z]{3}(?![A-Z$])|${[...Object.keys(currenciesOfSign), '₿']
  .sort((a, b) => b.length - a.length)
  .map((sign) => sign.replace(/[$.]/g, '\\$&'))
  .join('|')})`;

/**
 * Returns the one currency that fits all of these signs and codes, and also `stated` from another column ('' for none).
 * Undefined if they contradict each other or one of them is unknown.
 */
export function resolveCurrency(signs: readonly string[], stated: string): string | undefined {
  const readings = signs.map((sign) => (codes.has(sign) ? [sign] : (currenciesOfSign[sign] ?? [])));
  const fits = (code: string): boolean => readings.every((reading) => reading.includes(code));
  if (stated !== '') return fits(stated) ? stated : undefined;
  // In `$5 CAD`, the code decides because it has only one meaning.
  const [clearest = []] = readings.toSorted((a, b) => a.length - b.length);
  const [first = ''] = clearest;
  return first !== '' && fits(first) ? first : undefined;
}

/** Explains why the signs and the stated currency ('' for none) do not agree on one currency. */
export function describeCurrencyConflict(signs: readonly string[], stated: string): string {
  const why = stated === '' ? 'they do not identify one currency' : `the row is in ${stated}`;
  return `The amounts are marked ${[...new Set(signs)].join(', ')}, but ${why}`;
}

/** Returns the first sign that does not fit any word in the cells. */
export function signWithoutUnit(signs: readonly string[], cells: readonly string[]): string | undefined {
  const words = cells.flatMap((cell) => cell.toUpperCase().split(/[^A-Z0-9]+/)).filter((word) => word !== '');
  return signs.find((sign) => !words.some((word) => isSignOf(sign, word)));
}

/** Returns whether any cell contains exactly this currency. */
export function isNamed(currency: string, cells: readonly string[]): boolean {
  return cells.some((cell) => cell.trim().toUpperCase() === currency);
}

/** Returns whether the sign can mean this unit: `$` for CAD, `₿` for BTC, `BTC` for BTC. */
export function isSignOf(sign: string, unit: string): boolean {
  return sign === unit || (sign === '₿' && unit === 'BTC') || currenciesOfSign[sign]?.includes(unit) === true;
}

/** Returns the currency signs and codes in a header: `£` in `Amount (£)`, `EUR` in `Value EUR`. */
export function signsOfHeader(header: string): string[] {
  const words = header.split(/[\s()[\]_,:;/-]+/);
  return words.filter(
    (word) =>
      (isCurrency(word) && word === word.toUpperCase()) ||
      (currenciesOfSign[word] !== undefined && !/^[A-Za-z.]+$/.test(word)),
  );
}
