import { noneIfZero } from './amounts.ts';
import { optionAsset } from './brokers.ts';
import { Cells, Columns } from './cells.ts';
import type { Format, Outcome, Row } from './format.ts';
import { readOption } from './option-symbol.ts';

/** Schwab's realized gain/loss, lot details: matched already. Not together with the transactions of the same sales. */
export const schwabRealized: Format = {
  id: 'schwab-realized',
  name: 'Schwab realized gain/loss',
  source: 'Schwab',
  assetClass: 'stock',
  layouts: [
    {
      id: 'lots',
      required: [
        'Symbol',
        'Name',
        'Closed Date',
        'Opened Date',
        'Quantity',
        'Proceeds',
        'Cost Basis (CB)',
        'Term',
        'Wash Sale?',
        'Disallowed Loss',
      ],
    },
  ],
  open: (_layout, header, context) => {
    const columns = new Columns(header);
    // With several accounts each begins with a line of its name, the first before the header.
    let account = context.preamble.map(nameIn).findLast((name) => name !== '' && !/^realized gain/i.test(name)) ?? '';
    return {
      read: (row) => {
        const cells = new Cells(row, columns, context);
        const name = nameIn(row);
        if (name !== '') {
          account = name;
          return [cells.skip('the name of an account')];
        }
        return [/^total/i.test(cells.text('Symbol')) ? cells.skip('a total') : readRow(cells, account)];
      },
      end: () => [],
    };
  },
};

/** The one cell of a row that has no other. */
function nameIn(row: Row): string {
  const filled = row.cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  return filled.length === 1 ? (filled[0] ?? '') : '';
}

function readRow(cells: Cells, account: string): Outcome {
  const symbol = cells.text('Symbol').toUpperCase();
  const option = readOption(symbol);
  const term = cells.text('Term').toLowerCase();
  return cells.read(cells.time('Closed Date'), {
    ...(option === undefined ? { asset: symbol } : optionAsset(option)),
    type: 'reported_sale',
    account,
    quantity: cells.need('Quantity', cells.quantity('Quantity')),
    acquired: cells.day('Opened Date'),
    amount: cells.need('Proceeds', cells.money('Proceeds')),
    basis: cells.money('Cost Basis (CB)'),
    wash: noneIfZero(cells.money('Disallowed Loss')),
    term: term.startsWith('long') ? 'long' : term.startsWith('short') ? 'short' : null,
  });
}
