import { magnitude } from '../cells/amounts.ts';
import { rejections } from '../cells/reasons.ts';
import { brokerFormat, type Cells, type Outcome } from '../reader.ts';
import { cash, cashFee, type Kinds, readRowKind } from '../tables/kinds.ts';
import { checkPrice } from '../tables/stated-money.ts';

/**
 * Reads Interactive Investor cash statements with shares. Debit and credit include costs and are in pounds unless they
 * show a currency (`£605.99`). Dates are day first. Shares without money are rejected, so the user is asked.
 */
export const interactiveInvestor = brokerFormat(
  {
    id: 'interactive-investor',
    name: 'Interactive Investor statement',
    source: 'Interactive Investor',
    dates: 'day first',
  },
  [
    {
      id: 'statement',
      header: `Settlement Date | Date | Symbol | Sedol | Quantity | Price | Description | Reference | Debit | Credit |
        Running Balance`,
      read: readRow,
    },
  ],
);

/** Types by description, for rows without a number of shares. */
const kinds: Kinds = [
  [/^div\b|\bdividend\b|\bdistribution\b/, 'dividend'],
  [/\binterest\b/, 'interest'],
  [/\b(?:fee|charge)s?\b|^subscription\b/, cashFee],
  [/^(?:debit card|deposit|withdrawal|transfer|payment|direct debit|faster payment)\b/, cash],
];

function readRow(cells: Cells): Outcome {
  const quantity = magnitude(cells.quantity('Quantity'));
  const [debit, credit] = [magnitude(cells.money('Debit')), magnitude(cells.money('Credit'))];
  const time = cells.time('Date');
  const asset = cells
    .text('Symbol')
    .replace(/^n\/a$/i, '')
    .toUpperCase();
  const common = { asset, currency: readRowCurrency(cells), externalId: cells.text('Reference') };
  if (cells.flawed) return cells.refused();
  if (debit !== null && credit !== null && debit !== 0n && credit !== 0n)
    return cells.rejected('Debit', rejections.debitAndCredit);
  const [paid, received] = [debit ?? 0n, credit ?? 0n];
  if (quantity !== null && quantity !== 0n) {
    if (paid === received) return cells.rejected('Description', rejections.sharesWithoutAmount);
    const side = paid > 0n ? 'buy' : 'sell';
    const amount = paid > 0n ? debit : credit;
    checkPrice(cells, 'Price', { side, units: quantity, gross: amount, fee: null });
    return cells.read(time, { ...common, type: side, quantity, amount });
  }
  const kind = readRowKind(cells, 'Description', kinds);
  if (typeof kind !== 'string') return kind;
  const amount = cells.need(
    'Credit',
    received - paid === 0n ? null : ((received - paid) as NonNullable<typeof credit>),
  );
  const note = cells.text('Description');
  return cells.read(time, { ...common, type: kind, amount, note, ...(kind === 'interest' ? { asset: '' } : {}) });
}

/** Returns the currency next to the money, or else pounds. */
function readRowCurrency(cells: Cells): string {
  return cells.currencyBeside('Debit') || cells.currencyBeside('Credit') || 'GBP';
}
