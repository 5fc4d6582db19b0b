import { magnitude } from '../cells/amounts.ts';
import { brokerFormat, type Cells, type Outcome } from '../reader.ts';
import { cash, cashFee, type Kinds, readRowKind } from '../tables/kinds.ts';

/**
 * Reads Hargreaves Lansdown transaction summaries: pounds, prices in pence, dates day first, in Windows-1252. The
 * reference determines the type, and the value is the amount moved, including costs. Assets have descriptions but no
 * symbols.
 */
export const hargreavesLansdown = brokerFormat(
  {
    id: 'hargreaves-lansdown',
    name: 'Hargreaves Lansdown transaction summary',
    source: 'Hargreaves Lansdown',
    dates: 'day first',
  },
  [
    {
      id: 'summary',
      header: 'Trade date | Settle date | Reference | Description | Unit cost (p) | Quantity | Value (£)',
      read: readRow,
    },
  ],
);

const kinds: Kinds = [
  [/^b\d+$/, 'buy'],
  [/^s\d+$/, 'sell'],
  ['interest', 'interest'],
  ['manage fee', cashFee],
  [/^(?:fpc|fpd|card web|transfer|chq)\b/, cash],
];

function readRow(cells: Cells): Outcome {
  const quantity = magnitude(cells.quantity('Quantity'));
  const value = cells.need('Value (£)', cells.money('Value (£)'));
  const time = cells.time('Trade date');
  const kind = readRowKind(cells, 'Reference', kinds);
  if (typeof kind !== 'string') return kind;
  const common = { type: kind, currency: 'GBP', externalId: kind === 'interest' ? '' : cells.text('Reference') };
  const description = cells.text('Description');
  if (kind === 'interest') return cells.read(time, { ...common, amount: value, note: description });
  const asset = readFundName(description).toUpperCase();
  const amount = magnitude(value);
  return cells.read(time, { ...common, asset, quantity: cells.need('Quantity', quantity), amount });
}

/** Reads the name, units and pence from "Fund of Things 4563 @  3287.199". */
function readFundName(description: string): string {
  const last = description.split(/\s+/).slice(-3);
  const [units = '', at, pence = ''] = last;
  const isTrade = at === '@' && number.test(units) && number.test(pence);
  const name = isTrade
    ? last.reduceRight((rest, word) => rest.slice(0, rest.length - word.length).trimEnd(), description)
    : '';
  return name === '' ? description : name;
}

const number = /^[\d,.]+$/;
