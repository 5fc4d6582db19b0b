import { toRatio } from '../cells/amounts.ts';
import { Cells, HeaderColumns } from '../cells/cells.ts';
import type { StatedFields } from '../cells/drafts.ts';
import { Joiner, withLines } from '../cells/joiner.ts';
import type { Outcome, Reader, ReadingContext, Row } from '../format.ts';
import { brokerFormat } from '../reader.ts';
import { readActivity } from '../tables/activity.ts';
import { cash, type Kinds, readRowKind } from '../tables/kinds.ts';

/**
 * Reads Trading 212 files, which omit unused columns. The total is in the account currency and includes all fees.
 * Dividends are net of withheld tax. A split has two rows, one that removes all shares and one that adds all new ones.
 * Times are UTC.
 */
export const trading212 = brokerFormat(
  { id: 'trading212', name: 'Trading 212 history', source: 'Trading 212' },
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
  (_layout, header, context) => new HistoryReader(new HeaderColumns(header), context),
);

const byHand = { refuse: { manual: 'The file does not include everything this needs. Enter it manually' } };
const kinds: Kinds = [
  [/ buy$/, 'buy'],
  [/ sell$/, 'sell'],
  [/^dividend/, 'dividend'],
  [/interest/, 'interest'],
  [/^(?:deposit|withdrawal|card|spending cashback|currency conversion|new card cost)/, cash],
  ['transfer in', 'deposit'],
  ['transfer out', 'withdrawal'],
  [/^stock split/, 'split'],
  [/^(?:stock distribution|result adjustment|spin)/, byHand],
];

class HistoryReader implements Reader {
  private readonly splits = new Joiner<Cells>((halves) => finishSplit(halves), 2);

  constructor(
    private readonly columns: HeaderColumns,
    private readonly context: ReadingContext,
  ) {}

  read(row: Row): readonly Outcome[] {
    const cells = new Cells(row, this.columns, this.context, { zone: 'UTC' });
    const quantity = cells.quantity('No. of shares');
    cells.time('Time');
    const kind = readRowKind(cells, 'Action', kinds);
    if (cells.flawed) return [cells.refused()];
    if (typeof kind !== 'string') return [kind];
    if (kind === 'split') return this.splits.add(cells.text('ISIN'), cells);
    const names = { asset: 'Ticker', quantity: 'No. of shares', amount: this.totalColumn() };
    const common = { currency: this.readTotalCurrency(cells), externalId: cells.text('ID') };
    const total = cells.roundedMoney(names.amount);
    const asset = cells.text('Ticker').toUpperCase();
    if (kind === 'dividend') return [this.dividend(cells, asset, { ...common, amount: total })];
    const traded = kind === 'buy' || kind === 'sell';
    const value = traded ? { gross: total } : { net: total };
    return [readActivity(cells, cells.time('Time'), kind, names, { asset, quantity, ...value }, common)];
  }

  end(): readonly Outcome[] {
    return this.splits.end();
  }

  /**
   * Reads a dividend. The tax withheld, often in a currency other than the total's, is part of the dividend and also
   * becomes a withholding.
   */
  private dividend(cells: Cells, asset: string, net: Partial<StatedFields>): Outcome {
    // A negative amount is a refund of withheld tax.
    const withheld = cells.roundedMoney('Withholding tax');
    cells.need(this.totalColumn(), net.amount ?? null);
    const paid: StatedFields = { ...net, type: 'dividend', asset };
    if (withheld === null || withheld === 0n) return cells.read(cells.time('Time'), paid);
    const currency = cells.text('Currency (Withholding tax)').toUpperCase() || 'USD';
    const tax = { asset, amount: withheld, currency };
    return cells.read(
      cells.time('Time'),
      paid,
      { ...tax, type: 'dividend', note: 'the part that was withheld' },
      { ...tax, type: 'withholding' },
    );
  }

  private totalColumn(): string {
    return this.columns.names.find((name) => /^total(?: \(\w{3}\))?$/i.test(name)) ?? 'Total';
  }

  private readTotalCurrency(cells: Cells): string {
    const named = /\((\w{3})\)$/.exec(this.totalColumn())?.[1];
    return (named ?? cells.text('Currency (Total)')).toUpperCase() || 'USD';
  }
}

function finishSplit(halves: readonly Cells[]): Outcome[] {
  const half = (word: RegExp): Cells | undefined => halves.find((cells) => word.test(cells.text('Action')));
  const [closed, opened] = [half(/close/i), half(/open/i)];
  const [old, fresh] = [closed?.quantity('No. of shares') ?? 0n, opened?.quantity('No. of shares') ?? 0n];
  if (closed === undefined || opened === undefined || old <= 0n || fresh <= 0n)
    return halves.map((cells) =>
      cells.rejected('Action', 'unpaired', 'The other half of this split is missing from the file'),
    );
  const outcome = opened.read(opened.time('Time'), {
    type: 'split',
    asset: opened.text('Ticker').toUpperCase(),
    ratio: toRatio(fresh, old),
    externalId: opened.text('ID'),
  });
  return [withLines(outcome, [closed.line, opened.line])];
}
