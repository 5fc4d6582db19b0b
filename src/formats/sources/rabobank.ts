import type { Money } from '../../base/decimal.ts';
import { brokerFormat, type Cells, type Outcome } from '../reader.ts';
import { readActivity } from '../tables/activity.ts';
import { cash, cashFee, type Kinds, readRowKind } from '../tables/kinds.ts';

/** Reads Rabobank Beleggen files: decimal commas, dates day first, Amsterdam time. A dividend's value is before tax. */
export const rabobank = brokerFormat(
  {
    id: 'rabobank',
    name: 'Rabobank Beleggen',
    source: 'Rabobank',
    assetClass: 'fund',
    zone: 'Europe/Amsterdam',
    dates: 'day first',
    numbers: 'decimal comma',
  },
  [
    {
      id: 'mutaties',
      header: `Portefeuille | Naam | Datum | Type mutatie | Valuta mutatie | Volume | Koers | Waarde | Bedrag |
        Isin code`,
      read: readRow,
    },
  ],
);

const kinds: Kinds = [
  [/^koop/, 'buy'],
  [/^verkoop/, 'sell'],
  [/dividend/, 'dividend'],
  [/^rente/, 'interest'],
  [/^(?:tarieven|kosten)/, cashFee],
  [/^storting|opname/, cash],
];

function readRow(cells: Cells): Outcome {
  const quantity = cells.quantity('Volume');
  const [value, net] = [cells.money('Waarde'), cells.money('Bedrag')];
  const time = cells.parseTime('Datum', `${cells.text('Datum')} ${cells.text('Tijd')}`.trim());
  const kind = readRowKind(cells, 'Type mutatie', kinds);
  if (typeof kind !== 'string') return kind;
  const asset = cells.text('Isin code').toUpperCase();
  const currency = cells.text('Valuta mutatie').toUpperCase();
  const common = { account: cells.text('Portefeuille'), currency, note: cells.text('Naam') };
  const columns = { asset: 'Isin code', quantity: 'Volume', amount: 'Bedrag' };
  if (kind === 'dividend' && value !== null && net !== null && value > net) {
    const tax = { ...common, asset, amount: (value - net) as Money };
    return cells.read(time, { ...common, type: kind, asset, amount: value }, { ...tax, type: 'withholding' });
  }
  return readActivity(cells, time, kind, columns, { asset, quantity, net }, common);
}
