import { magnitude } from '../cells/amounts.ts';
import { readQuantity } from '../cells/fields.ts';
import { skips } from '../cells/reasons.ts';
import { brokerFormat, type Cells, type Outcome, readOnlyCell, rowsWith } from '../reader.ts';
import { cash, cashFee, type Kinds, readRowKind } from '../tables/kinds.ts';

/**
 * Reads Vanguard UK's cash table in pounds, with dates day first. The text shows what happened: `Bought 294 Bar ETF
 * (BAR)`, `DIV: FOO.XLON.GB @ GBP 0.41`. A table of investments may follow and repeat the trades.
 */
export const vanguardUk = brokerFormat(
  {
    id: 'vanguard-uk',
    name: 'Vanguard UK cash transactions',
    source: 'Vanguard UK',
    assetClass: 'fund',
    dates: 'day first',
  },
  [
    {
      id: 'cash',
      header: 'Date | Details | Amount | Balance',
      evidence: {
        column: 'Details',
        says: /^(?:(?:bought|sold) [\d,.]+ \S|div: \S+ @ |cash account interest|account fee )/i,
      },
    },
  ],
  rowsWith(
    () => ({ ended: false }),
    (cells, table) => {
      table.ended ||= cells.row.cells.some((cell) => cell.trim() === 'InvestmentName');
      return table.ended ? cells.skip(skips.inCashTable) : readRow(cells);
    },
  ),
);

const kinds: Kinds = [
  [/^bought /, 'buy'],
  [/^sold /, 'sell'],
  [/^(?:reversal of )?div: /, 'dividend'],
  [/interest$/, 'interest'],
  [/^account fee/, cashFee],
  [/^(?:regular )?deposit|^payment by|withdrawal|^transfer/, cash],
];

function readRow(cells: Cells): Outcome {
  if (readOnlyCell(cells.row) !== '' || /^balance$/i.test(cells.text('Date'))) return cells.skip(skips.titleOrTotal);
  const details = cells.text('Details');
  const amount = cells.need('Amount', cells.money('Amount'));
  const time = cells.time('Date');
  const kind = readRowKind(cells, 'Details', kinds);
  if (typeof kind !== 'string') return kind;
  const common = { type: kind, currency: 'GBP', note: details };
  if (kind === 'interest') return cells.read(time, { ...common, amount });
  if (kind === 'dividend') return cells.read(time, { ...common, amount, asset: readPayer(details) });
  const [, units = '', name = ''] = /^\S+ ([\d,.]+) (.*)$/.exec(details) ?? [];
  const quantity = cells.need('Details', readQuantity(units) ?? null);
  return cells.read(time, { ...common, asset: readSymbol(name), quantity, amount: magnitude(amount) });
}

/** Returns `FOO` for "DIV: FOO.XLON.GB @ GBP 0.41". */
function readPayer(details: string): string {
  return (/div: ([^\s.]+)/i.exec(details)?.[1] ?? '').toUpperCase();
}

/** Returns the symbol in brackets after the name. Funds have no symbol and are identified by their name. */
function readSymbol(name: string): string {
  return (/\(([A-Z0-9.]+)\)$/.exec(name)?.[1] ?? name).toUpperCase();
}
