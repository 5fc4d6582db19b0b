import { type Day, longTermOn, parseDay } from '../../base/day.ts';
import type { Money } from '../../base/decimal.ts';
import { correctionMark } from '../../engine/events/corrected-forms.ts';
import { magnitude, noneIfZero } from '../cells/amounts.ts';
import { readQuantity } from '../cells/fields.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { brokerFormat, type Cells, type Outcome, readOnlyCell, type StatedFields } from '../reader.ts';
import { readReportedSale, readTerm, unitsAndName } from '../tables/reported.ts';

/**
 * Reads lines of Form 8949, 1099-B or 1099-DA with box names as headers, as written by tax software, brokers and
 * Lotbook's own report. Units are in a column or in the description (`0.5 BTC`). The lines are already matched, so do
 * not combine them with a transaction history that contains the same sales.
 */
export const form1099 = brokerFormat(
  { id: 'form-1099', name: 'Form 8949, 1099-B or 1099-DA lines', source: 'Broker', assetClass: null },
  [
    {
      id: 'taxact',
      header: 'Description | Date Acquired | Date Sold | Sales Proceeds | Cost or Other Basis | Adjustment Code',
      read: readRow,
    },
    {
      id: 'report',
      header: 'Box | Description | Date Acquired | Date Sold | Proceeds | Cost Basis | Code',
      read: readRow,
    },
    {
      id: '1099-da',
      header: 'Name of digital asset | Number of units | Date acquired | Proceeds | Cost or other basis',
      read: readRow,
    },
    { id: 'boxes', header: 'Description of property | Date acquired | Proceeds | Cost or other basis', read: readRow },
    {
      id: 'plain',
      header: 'Description of property | Date acquired | Date sold | Proceeds | Cost basis',
      read: readRow,
    },
  ],
);

const descriptions = ['Name of digital asset', 'Description of property', 'Description'] as const;
const soldDates = ['Date sold or disposed of', 'Date sold or disposed', 'Date sold'] as const;
const bases = ['Cost or other basis', 'Cost basis'] as const;
const proceedses = ['Proceeds', 'Sales proceeds'] as const;
const boxes = ['Applicable checkbox on Form 8949', 'Form 8949 code', 'Reporting category', 'Box'] as const;
const washes = ['Wash sale loss disallowed', 'Adjustment', 'Adjustment amount', 'Amount of adjustment'] as const;
/** Box 1f on Form 1099-B. */
const marketDiscounts = ['Accrued market discount', 'Market discount', '1f- Accrued market discount'] as const;
const codes = ['Code', 'Code(s)', 'Adjustment code'] as const;
/** Box 2 on Form 1099-DA, box 12 on Form 1099-B. */
const basesReported = ['Basis reported to IRS', 'Check if basis reported to IRS', 'Basis reported'] as const;
/** Box 9 on Form 1099-DA, box 5 on Form 1099-B. */
const noncovereds = ['Noncovered security', 'Check if noncovered security', 'Noncovered'] as const;
const withholdings = ['Federal income tax withheld', 'Federal tax withheld'] as const;
const terms = ['Term', 'Long/Short', 'Type of gain or loss'] as const;

function readRow(cells: Cells): Outcome {
  const [property, sold, basis] = [
    pickColumn(cells, descriptions),
    pickColumn(cells, soldDates),
    pickColumn(cells, bases),
  ];
  const proceeds = pickColumn(cells, proceedses);
  if (readOnlyCell(cells.row) !== '' || /^(?:sub)?totals?\b|^summary/i.test(cells.text(property)))
    return cells.skip(skips.titleOrTotal);
  if (cells.has('Number of transactions') && cells.text('Number of transactions') !== '')
    return readTotal(cells, property);
  const { units, name } = unitsAndName(cells.text(property));
  const counted = ['Number of units', 'Quantity'].find((column) => cells.has(column));
  const sale = {
    asset: counted === undefined ? name : cells.text(property).toUpperCase(),
    quantity: counted === undefined ? (readQuantity(units) ?? null) : cells.quantity(counted),
    acquired: /^various$/i.test(cells.text('Date acquired')) ? null : cells.day('Date acquired'),
    proceeds: cells.money(proceeds),
    basis: cells.money(basis),
    wash: readDisallowedLoss(cells),
    marketDiscount: readMarketDiscount(cells),
    term: cells.text(pickColumn(cells, terms)),
    box: cells.text(pickColumn(cells, boxes)).toUpperCase(),
    withheld: cells.money(pickColumn(cells, withholdings)),
  };
  const columns = { asset: property, quantity: counted ?? property, proceeds };
  const time = cells.time(sold);
  const box = sale.box === '' ? boxFromMarks(cells, sale, time?.on ?? null) : sale.box;
  return readReportedSale(cells, time, columns, { ...sale, box }, readLineIdentity(cells));
}

/**
 * Returns the Form 8949 box for a form that does not name it, based on the term and on whether basis was reported to
 * the IRS. A sale not marked as noncovered is covered, and covered and noncovered units combined on one form count as
 * covered (i1099da, box 9). Returns '' unless the form contains both.
 */
function boxFromMarks(
  cells: Cells,
  { acquired, basis, term }: { readonly acquired: Day | null; readonly basis: Money | null; readonly term: string },
  sold: Day | null,
): string {
  const reported = readCheckbox(cells, basesReported);
  const noncovered = readCheckbox(cells, noncovereds);
  const isReported = reported ?? (noncovered === null || (!noncovered && basis === null) ? null : !noncovered);
  const byDates = acquired === null || sold === null ? null : sold >= longTermOn(acquired) ? 'long' : 'short';
  const statedTerm = readTerm(term) ?? byDates;
  if (isReported === null || statedTerm === null) return '';
  const letters = isDigitalForm(cells) ? 'GHJK' : 'ABDE';
  return letters.charAt((statedTerm === 'long' ? 2 : 0) + (isReported ? 0 : 1));
}

/** Returns null if the file does not contain the box, or its cell is empty. */
function readCheckbox(cells: Cells, names: readonly [string, ...string[]]): boolean | null {
  const column = names.find((name) => cells.has(name));
  const text = column === undefined ? '' : cells.text(column);
  if (/^(?:y|yes|true|x|1|checked)$/i.test(text)) return true;
  return /^(?:n|no|false|0|unchecked)$/i.test(text) ? false : null;
}

function isDigitalForm(cells: Cells): boolean {
  return cells.has(descriptions[0]) || (cells.has('Form') && /1099-?DA/i.test(cells.text('Form')));
}

/** Returns the account, the id and the asset class in the line itself. */
function readLineIdentity(cells: Cells): Partial<StatedFields> {
  const text = (column: string): string => (cells.has(column) ? cells.text(column) : '');
  const isCorrected = /^(?:y|yes|true|x|1|corrected)$/i.test(text('Corrected'));
  return {
    account: text('Account'),
    externalId: `${text('Line id')}${isCorrected ? correctionMark : ''}`,
    ...(isDigitalForm(cells) ? { assetClass: 'crypto' as const } : {}),
  };
}

/**
 * Reads a total of many sales in one year. Brokers may report stablecoins and NFTs this way (boxes 11a to 11c on Form
 * 1099-DA).
 */
function readTotal(cells: Cells, property: string): Outcome {
  const year = cells.text('Tax year');
  if (!/^(?:19|20)\d\d$/.test(year)) cells.reject('Tax year', rejections.taxYearMissing);
  const last = parseDay(`${year}-12-31`);
  return cells.read(last === undefined ? null : { at: null, on: last }, {
    ...readLineIdentity(cells),
    type: 'reported_total',
    asset: cells.text(property).toUpperCase(),
    quantity: cells.has('Quantity') ? cells.quantity('Quantity') : null,
    amount: cells.need('Proceeds', cells.money(pickColumn(cells, proceedses))),
    basis: cells.money(pickColumn(cells, bases)),
  });
}

/** Reads the disallowed loss, which is a separate box on a 1099, or an adjustment with code W on Form 8949. */
function readDisallowedLoss(cells: Cells): Money | null {
  const column = pickColumn(cells, washes);
  if (isDiscount(cells)) return null;
  const amount = noneIfZero(cells.money(column));
  if (amount === null || column === washes[0]) return amount;
  const code = pickColumn(cells, codes);
  if (!/w/i.test(cells.text(code))) cells.reject(code, rejections.washSalesOnly);
  return amount;
}

/** Reads the accrued market discount, which is a separate box on a 1099, or an adjustment with code D on Form 8949. */
function readMarketDiscount(cells: Cells): Money | null {
  if (isDiscount(cells)) return magnitude(cells.money(pickColumn(cells, washes)));
  return cells.money(pickColumn(cells, marketDiscounts));
}

function isDiscount(cells: Cells): boolean {
  return pickColumn(cells, washes) !== washes[0] && /^d$/i.test(cells.text(pickColumn(cells, codes)));
}

function pickColumn(cells: Cells, names: readonly [string, ...string[]]): string {
  return names.find((name) => cells.has(name)) ?? names[0];
}
