import { describe, expect, test } from 'bun:test';
import { proposalOf } from '../support/proposed.ts';

/** Headers in exports from brokers and trading programs that have no format of their own. */

const mappingOf = (...rows: readonly string[]): ReturnType<typeof proposalOf> => proposalOf(rows.join('\n'));

describe('in an export with an unknown layout', () => {
  test('a second column that makes a sale short raises a question', () => {
    const header = 'Side,Symbol,Trade Date,Qty,NET Amount,Commission Amount,Buy/Sell';
    const rows = ['S,ACME,01/15/2026,100,1049.50,0.50,Short Sell', 'B,ACME,01/16/2026,100,-1000.50,0.50,Short Buy'];
    expect(mappingOf(header, ...rows)?.undecided?.['Buy/Sell']).toBeDefined();
    const long = rows.map((row) => row.replace('Short', 'Long'));
    expect(mappingOf(header, ...long)?.undecided?.['Buy/Sell']).toBeUndefined();
  });

  test('a lot of a pair that is not a currency pair raises a question', () => {
    const rows = ['XAUUSD,Buy,0.01,5385.06,2026-03-02 01:47:41', 'XAUUSD,Sell,0.01,5377.31,2026-03-02 02:01:35'];
    expect(mappingOf('Symbol,Type,Volume Lots,Price,Time', ...rows)?.undecided?.['Volume Lots']).toBeDefined();
    expect(mappingOf('Symbol,Type,Volume,Price,Time', ...rows)?.undecided?.Volume).toBeUndefined();
  });

  test('the class of an asset in another language is not an asset', () => {
    const header = "Date de transaction,Type de transaction,Classe d'actif,Symbole,Quantité,Montant de l'opération";
    const rows = ['2025-08-01,Vente,Actions,CASH-C,10,500', '2025-07-31,Achat,Actions,VEQT-C,10,-493'];
    expect(mappingOf(header, ...rows)?.columns).toMatchObject({ Symbole: 'asset' });
    expect(mappingOf(header, ...rows)?.columns).not.toHaveProperty("Classe d'actif");
  });

  test('a tick size is not a quantity', () => {
    const header = 'Date,Contract,Side,_tickSize,Price';
    expect(mappingOf(header, '2026-04-09,ACME,Buy,0.25,100.50')?.columns).not.toHaveProperty('_tickSize');
  });
});
