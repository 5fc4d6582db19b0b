import type { Cells } from '../cells/cells.ts';
import type { Outcome } from '../format.ts';
import { brokerFormat } from '../reader.ts';
import { readActivity } from '../tables/activity.ts';
import { cash, cashFee, type Kinds, readRowKind } from '../tables/kinds.ts';

/**
 * Reads Directa SIM (Italy) files. All amounts are in euros, withheld taxes have separate lines, and dates are day
 * first.
 */
export const directa = brokerFormat(
  { id: 'directa', name: 'Directa movements', source: 'Directa', dates: 'day first' },
  [
    {
      id: 'movimenti',
      header: 'Data operazione | Data valuta | Tipo operazione | Ticker | Isin | Protocollo | Quantità | Importo euro',
      read: readRow,
    },
  ],
);

const kinds: Kinds = [
  ['acquisto', 'buy'],
  ['vendita', 'sell'],
  [/^rit\.|^ritenuta/, 'withholding'],
  [/^provento|^dividend/, 'dividend'],
  [/^cedola|^coupon|^interess/, 'interest'],
  [/^(?:conferimento|prelievo|bonifico|giroconto)/, cash],
  [/^(?:commission|bollo|imposta di bollo|canone)/, cashFee],
];

function readRow(cells: Cells): Outcome {
  const quantity = cells.quantity('Quantità');
  const net = cells.money('Importo euro');
  const time = cells.time('Data operazione');
  const kind = readRowKind(cells, 'Tipo operazione', kinds);
  if (typeof kind !== 'string') return kind;
  const asset = cells.text('Ticker').toUpperCase();
  const traded = kind === 'buy' || kind === 'sell';
  const value = traded ? { gross: net } : { net };
  const common = { currency: 'EUR', externalId: cells.text('Riferimento ordine'), note: cells.text('Descrizione') };
  const columns = { asset: 'Ticker', quantity: 'Quantità', amount: 'Importo euro' };
  return readActivity(cells, time, kind, columns, { asset, quantity, ...value }, common);
}
