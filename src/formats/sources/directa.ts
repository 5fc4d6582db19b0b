import { brokerFormat } from '../reader.ts';
import { brokerRows } from '../tables/broker-rows.ts';
import { cash, cashFee } from '../tables/kinds.ts';

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
      read: brokerRows({
        time: 'Data operazione',
        kind: 'Tipo operazione',
        kinds: [
          ['acquisto', 'buy'],
          ['vendita', 'sell'],
          [/^rit\.|^ritenuta/, 'withholding'],
          [/^provento|^dividend/, 'dividend'],
          [/^cedola|^coupon|^interess/, 'interest'],
          [/^(?:conferimento|prelievo|bonifico|giroconto)/, cash],
          [/^(?:commission|bollo|imposta di bollo|canone)/, cashFee],
        ],
        columns: { asset: 'Ticker', quantity: 'Quantità', amount: 'Importo euro' },
        numbers: (cells) => ({ quantity: cells.quantity('Quantità'), total: cells.money('Importo euro') }),
        common: (cells) => ({
          currency: 'EUR',
          externalId: cells.text('Riferimento ordine'),
          note: cells.text('Descrizione'),
        }),
      }),
    },
  ],
);
