import { type Day, dayOf } from '../../base/day.ts';
import { formatQuantity, type Money, priceTimesQuantity, type Quantity } from '../../base/decimal.ts';
import { isDebtCusip, isTreasuryBill } from '../../engine/events/classes.ts';
import type { AssetClass } from '../../engine/model.ts';
import type { Cells } from '../cells/cells.ts';
import type { StatedFields } from '../cells/drafts.ts';
import { toPlainNumber } from '../cells/fields.ts';
import { checkPrice } from './stated-money.ts';

/**
 * The terms of a debt security (bond, note, CD or Treasury bill), as brokers describe it. The price is a percentage of
 * face value, the amount may include accrued interest, and the description contains the maturity date.
 */
interface DebtTerms {
  readonly assetClass: 'bond' | 'treasury_bill';
  readonly maturity: Day | null;
}

/**
 * Returns the terms of a debt security, based on its symbol and description. Null if the asset is not a debt security.
 */
export function debtTerms(symbol: string, description: string, stated: AssetClass | null = null): DebtTerms | null {
  // A fund that holds bills has a ticker, and its name also mentions bills.
  const isDescribed = !ticker.test(symbol) && (stated === null || stated === 'bond');
  const isBill = isTreasuryBill(symbol) || stated === 'treasury_bill' || (isDescribed && billWords.test(description));
  const isBond =
    stated === 'bond' ||
    isDebtCusip(symbol) ||
    (isDescribed && couponWords.test(description) && dueWords.test(description));
  if (!isBill && !isBond) return null;
  return { assetClass: isBill ? 'treasury_bill' : 'bond', maturity: readMaturity(description) };
}

const ticker = /^[A-Z]{1,5}(?:[./ -][A-Z]{1,2})?$/;

/** Finds a debt's CUSIP in a description, for rows without a symbol. '' if there is none. */
export function findCusip(description: string): string {
  return description.match(/\b\d{3}[\dA-Z]{5}\d\b/g)?.find((word) => isDebtCusip(word)) ?? '';
}

/** Matches `UNITED STATES TREAS BILLS ZERO CPN`, `US TREASUR BILL24 U S T BILL DUE 12/12/24`, `T-BILL`. */
const billWords = /\bTREAS(?:UR|URY|URIES)?\.? ?BILLS?(?:\b|\d)|\b(?:U\.? ?S\.? ?)?T[- ]?BILLS?\b|\bTBILLS?\b/i;
/** Matches a rate in percent, or a zero coupon: `4.5%`, `04.250 %`, `ZERO CPN`. */
const couponWords = /\d ?%|\bZERO (?:CPN|COUPON)\b|\bCPN\b|\bCOUPON\b/i;
const dueWords = /\b(?:DUE|MATURES?|MATURITY|MAT(?:\.|\b)|DTD)\b/i;

/** Words before a debt's maturity date, the strongest first. The last pattern is a date after the rate. */
const maturities: readonly RegExp[] = [
  /\b(?:DUE|MATURES?|MATURITY(?: DATE)?|MAT\.?)(?: ON| DATE)?[: ]*(\d{1,2})[/-](\d{1,2})[/-](\d{2,4})\b/i,
  /\b(?:DUE|MATURES?|MATURITY(?: DATE)?|MAT\.?)(?: ON| DATE)?[: ]*(\d{1,2})[ -]?(JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)[A-Z]*[ -]?(\d{2,4})\b/i,
  /(?:%|\bCPN|\bCOUPON|\bBILLS?)[^\d]*?(\d{1,2})\/(\d{1,2})\/(\d{2,4})\b/i,
  /\b[A-Z]{1,6} \d[\d ./]* (\d{1,2})\/(\d{1,2})\/(\d{2,4})\b/i,
];
const months = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');

function readMaturity(description: string): Day | null {
  for (const pattern of maturities) {
    const match = pattern.exec(description);
    if (match === null) continue;
    const [, first = '', second = '', yearText = ''] = match;
    const named = months.indexOf(second.toUpperCase().slice(0, 3)) + 1;
    const [month, day] = named > 0 ? [named, Number(first)] : [Number(first), Number(second)];
    const year = yearText.length === 2 ? 2000 + Number(yearText) : Number(yearText);
    const maturity = year > 1900 && year < 2100 ? dayOf(year, month, day) : undefined;
    if (maturity !== undefined) return maturity;
  }
  return null;
}

/**
 * A purchase or sale of an asset that may be a debt security, with its description. The amount is the value before the
 * fee.
 */
interface DebtTrade {
  readonly stated: StatedFields;
  readonly description: string;
  /** The price column, in percent of face value. '' if there is none. */
  readonly price: string;
  /** The accrued interest in the row. The amount includes it. */
  readonly accrued?: Money | null;
}

/**
 * Adds debt details to a trade: class, maturity, and accrued interest separate from the price. The interest comes from
 * the row, or else is the difference between the amount and price times face value. Returns other trades unchanged.
 */
export function asDebt(cells: Cells, trade: DebtTrade): StatedFields {
  const { stated, description, price } = trade;
  const { asset = '', amount = null, quantity = null, fee = null } = stated;
  const terms = debtTerms(asset, description, stated.assetClass ?? null);
  const side = stated.type === 'buy' ? 'buy' : 'sell';
  const accrued = toPositiveMoney(trade.accrued ?? null);
  if (terms === null && accrued === null) {
    checkStatedPrice(cells, price, { side, units: quantity, gross: amount, fee });
    return stated;
  }
  const debt: StatedFields = { ...stated, ...(terms ?? { assetClass: 'bond' }) };
  if (amount === null || quantity === null) return debt;
  const isBill = debt.assetClass === 'treasury_bill';
  if (isBill && side === 'sell') cells.warn(isInterest);
  const inPrice =
    accrued === null && !isBill && price !== '' ? findAccruedInterest(amount, quantity, cells.text(price)) : null;
  const accruedInterest = accrued ?? inPrice;
  const value = accruedInterest === null ? amount : ((amount - accruedInterest) as Money);
  // For bonds with a face value of a thousand, the value is ten times their price in percent.
  const isThousands = price !== '' && listPossibleWorths(quantity, cells.text(price)).includes(value);
  if (!isThousands) checkStatedPrice(cells, price, { side, units: quantity, gross: value, fee });
  return accruedInterest === null ? debt : { ...debt, amount: value, accruedInterest };
}

function checkStatedPrice(cells: Cells, price: string, trade: Parameters<typeof checkPrice>[2]): void {
  if (price !== '') checkPrice(cells, price, trade);
}

/** Warns about a bill's discount, because the books record it as interest and a form may repeat it. */
const isInterest =
  'the discount on a Treasury bill is interest, not a capital gain; do not enter it again, and compare it with Form 1099-INT box 3';

/** Converts price × quantity to a value, for units with a face value of $1, $100 and $1,000. */
const scales: readonly ((value: bigint) => bigint)[] = [
  (value) => value / 100n,
  (value) => value,
  (value) => value * 10n,
];

/**
 * Returns the excess of the amount over price times face value, if it is at most a tenth of that value. Null if the two
 * agree, or if they are far apart whether a unit means $1, $100 or $1,000 of face value.
 */
function findAccruedInterest(amount: Money, quantity: Quantity, text: string): Money | null {
  for (const value of listPossibleWorths(quantity, text)) {
    const rest = amount - value;
    if (value > 0n && rest > cent && rest * 10n <= value) return rest as Money;
  }
  return null;
}

/** Returns the value of the units at a price in percent, for each possible face value of a unit. */
function listPossibleWorths(quantity: Quantity, text: string): Money[] {
  const price = (toPlainNumber(text) ?? '').replace('-', '');
  const product = /[1-9]/.test(price) ? priceTimesQuantity(price, formatQuantity(quantity)) : undefined;
  return product === undefined ? [] : scales.map((scale) => scale(product) as Money);
}

const cent = 1_000_000n;

function toPositiveMoney(money: Money | null): Money | null {
  return money === null || money === 0n ? null : ((money < 0n ? -money : money) as Money);
}
