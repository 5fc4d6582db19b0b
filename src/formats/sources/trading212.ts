import { toRatio } from '../cells/amounts.ts';
import { Joiner, withLines } from '../cells/joiner.ts';
import { rejections } from '../cells/reasons.ts';
import {
  brokerFormat,
  type Cells,
  type FormatFile,
  type Outcome,
  rowsInGroups,
  type StatedFields,
  type Time,
} from '../reader.ts';
import { readActivity } from '../tables/activity.ts';
import { cash, type Kinds, readRowKind } from '../tables/kinds.ts';

/**
 * Reads Trading 212 files, which omit unused columns. The total is in the account currency and includes all fees.
 * Dividends are net of withheld tax. A split has two rows, one that removes all shares and one that adds all new ones.
 * Times are UTC.
 */
export const trading212 = brokerFormat(
  { id: 'trading212', name: 'Trading 212 history', source: 'Trading 212', zone: 'UTC' },
  [
    {
      id: 'history',
      results: {
        positions: {
          column: /^Result(?: \([A-Z]{3}\))?$/i,
          money: /^Total(?: \([A-Z]{3}\))?$/i,
          sameCurrency: ['Currency (Result)', 'Currency (Total)'],
        },
      },
      header: 'Action | Time | ISIN | Ticker | No. of shares | Price / share | Currency (Price / share)',
    },
  ],
  rowsInGroups(() => new Joiner<Cells>(finishSplit, 2), readRow),
);

const kinds: Kinds = [
  [/ buy$/, 'buy'],
  [/ sell$/, 'sell'],
  [/^dividend/, 'dividend'],
  [/interest/, 'interest'],
  [/^(?:deposit|withdrawal|card|spending cashback|currency conversion|new card cost)/, cash],
  ['transfer in', 'deposit'],
  ['transfer out', 'withdrawal'],
  [/^stock split/, 'split'],
  [/^(?:stock distribution|result adjustment|spin)/, { refuse: rejections.valuesMissing }],
];

function readRow(cells: Cells, splits: Joiner<Cells>, { columns }: FormatFile): Outcome | readonly Outcome[] {
  const quantity = cells.quantity('No. of shares');
  const time = cells.time('Time');
  const kind = readRowKind(cells, 'Action', kinds);
  if (cells.flawed) return cells.refused();
  if (typeof kind !== 'string') return kind;
  if (kind === 'split') return splits.add(cells.text('ISIN'), cells);
  const amount = columns.names.find((name) => /^total(?: \(\w{3}\))?$/i.test(name)) ?? 'Total';
  const currency = (/\((\w{3})\)$/.exec(amount)?.[1] ?? cells.text('Currency (Total)')).toUpperCase() || 'USD';
  const common = { currency, externalId: cells.text('ID') };
  const total = cells.roundedMoney(amount);
  const asset = cells.text('Ticker').toUpperCase();
  if (kind === 'dividend') return readDividend(cells, time, amount, { ...common, type: kind, asset, amount: total });
  const value = kind === 'buy' || kind === 'sell' ? { gross: total } : { net: total };
  const names = { asset: 'Ticker', quantity: 'No. of shares', amount };
  return readActivity(cells, time, kind, names, { asset, quantity, ...value }, common);
}

/**
 * Reads a dividend. The tax withheld, often in a currency other than the total's, is part of the dividend and also
 * becomes a withholding.
 */
function readDividend(cells: Cells, time: Time | null, column: string, paid: StatedFields): Outcome {
  // A negative amount is a refund of withheld tax.
  const withheld = cells.roundedMoney('Withholding tax');
  cells.need(column, paid.amount ?? null);
  if (withheld === null || withheld === 0n) return cells.read(time, paid);
  const currency = cells.text('Currency (Withholding tax)').toUpperCase() || 'USD';
  const tax = { asset: paid.asset ?? '', amount: withheld, currency };
  const partOfDividend: StatedFields = { ...tax, type: 'dividend', note: 'the part that was withheld' };
  return cells.read(time, paid, partOfDividend, { ...tax, type: 'withholding' });
}

function finishSplit(halves: readonly Cells[]): Outcome[] {
  const half = (word: RegExp): Cells | undefined => halves.find((cells) => word.test(cells.text('Action')));
  const [closed, opened] = [half(/close/i), half(/open/i)];
  const [old, fresh] = [closed?.quantity('No. of shares') ?? 0n, opened?.quantity('No. of shares') ?? 0n];
  if (closed === undefined || opened === undefined || old <= 0n || fresh <= 0n)
    return halves.map((cells) => cells.rejected('Action', rejections.splitHalfMissing));
  const outcome = opened.read(opened.time('Time'), {
    type: 'split',
    asset: opened.text('Ticker').toUpperCase(),
    ratio: toRatio(fresh, old),
    externalId: opened.text('ID'),
  });
  return [withLines(outcome, [closed.line, opened.line])];
}
