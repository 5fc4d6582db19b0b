import { rejections, skips } from '../cells/reasons.ts';
import { brokerFormat, type Cells, type Outcome } from '../reader.ts';
import { readActivity } from '../tables/activity.ts';
import { cash, cashFee, type Kinds, readRowKind } from '../tables/kinds.ts';

/** Reads Swissquote files: net amounts that include costs, dates day first. Several fills share an order number. */
export const swissquote = brokerFormat(
  {
    id: 'swissquote',
    name: 'Swissquote transactions',
    source: 'Swissquote',
    zone: 'Europe/Zurich',
    dates: 'day first',
  },
  [
    {
      id: 'transactions',
      price: 'Unit price',
      header: 'Date | Order # | Transaction | Symbol | ISIN | Quantity | Unit price | Costs | Net Amount | Currency',
      read: readRow,
    },
  ],
);

const kinds: Kinds = [
  ['buy', 'buy'],
  ['sell', 'sell'],
  ['dividend', 'dividend'],
  [/^capital gain/, 'capital_gain_distribution'],
  [/^(?:forex|fx) (?:credit|debit)|^forex/, { skip: skips.currencyExchanged }],
  [/^interests?$/, 'interest'],
  [/fees?\b|^stamp/, cashFee],
  [/^(?:debit|credit|payment|deposit|withdrawal)/, cash],
  [/split|merger|spin|exchange|rights/, { refuse: rejections.actionManual }],
];

function readRow(cells: Cells): Outcome {
  const quantity = cells.quantity('Quantity');
  const [fee, net] = [cells.money('Costs'), cells.money('Net Amount')];
  const time = cells.time('Date');
  const kind = readRowKind(cells, 'Transaction', kinds);
  if (typeof kind !== 'string') return kind;
  const accrued = kind === 'buy' || kind === 'sell' ? cells.money('Accrued Interest') : null;
  const id = cells.text('Order #');
  const common = {
    currency: cells.text('Currency').toUpperCase(),
    externalId: /^0+$/.test(id) ? '' : id,
    note: cells.text('Name'),
  };
  const columns = { asset: 'Symbol', quantity: 'Quantity', amount: 'Net Amount' };
  const asset = cells.text('Symbol').toUpperCase() || cells.text('ISIN').toUpperCase();
  return readActivity(
    cells,
    time,
    kind,
    columns,
    { asset, quantity, net, fee, description: cells.text('Name'), accrued },
    common,
  );
}
