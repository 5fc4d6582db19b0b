import type { Quantity } from '../../base/decimal.ts';
import { magnitude } from '../cells/amounts.ts';
import type { Cells } from '../cells/cells.ts';
import { plainNumber, readQuantity, splitUnit } from '../cells/fields.ts';
import { type OptionSymbol, readOption } from '../cells/option-symbol.ts';
import { rejections } from '../cells/reasons.ts';
import { brokerFormat, type Outcome } from '../reader.ts';
import { type ActivityRow, activity } from '../tables/account-activity.ts';
import { CorporateActions } from '../tables/corporate-actions.ts';
import { Gatherer } from '../tables/gatherer.ts';
import { cash, cashFee } from '../tables/kinds.ts';

/**
 * Reads Robinhood account activity, newest first. Dates have no time, amounts are net, with parentheses for money paid,
 * quantities may end in S (`4.5S`), and descriptions span several lines.
 */
export const robinhood = brokerFormat(
  { id: 'robinhood', name: 'Robinhood account activity', source: 'Robinhood' },
  [
    {
      id: 'activity',
      price: 'Price',
      header: 'Activity Date | Instrument | Description | Trans Code | Quantity | Price | Amount',
    },
  ],
  activity({
    columns: {
      ...{ time: 'Activity Date', kind: 'Trans Code', asset: 'Instrument', option: 'Description' },
      ...{ quantity: 'Quantity', price: 'Price', amount: 'Amount' },
    },
    asOf: ['Description'],
    isNote: (cells) => cells.text('Trans Code') === '' && cells.text('Activity Date') === '',
    deliveries: 'any',
    isDelivery: ({ cells }) => /\boptions? (?:assigned|exercised)/i.test(cells.text('Description')),
    quantity: readUnsigned,
    option: findOption,
    unknown: (cells) => rejections.unknownCode(cells.text('Trans Code').toUpperCase()),
    open: () => {
      const splits = new Gatherer<ActivityRow>(readReverseSplit);
      const mergers = new Gatherer<ActivityRow>(readMerger);
      return { splits, mergers };
    },
    end: ({ splits, mergers }) => [...splits.end(), ...mergers.end()],
    kinds: [
      [/^(?:ach|wire|rtp|xent|xent_cc|dcf|cfir|cfri|sweep|futswp|mtch|itrf)$/, cash],
      [/^(?:gold|dfee|afee|mint|gmpc)$/, cashFee],
      ['buy', 'buy'],
      ['sell', 'sell'],
      ['bto', 'buy_to_open'],
      ['sto', 'sell_to_open'],
      ['btc', 'buy_to_close'],
      ['stc', 'sell_to_close'],
      ['oexp', 'expire'],
      ['oasgn', 'assign'],
      ['oexcs', 'exercise'],
      [/^[cq]div$/, 'dividend'],
      [/^(?:mdiv|slip|gdbp)$/, 'other_income'],
      ['int', 'interest'],
      [/^(?:dtax|nrat)$/, 'withholding'],
      ['rec', readReward],
      ['acati', (row) => row.readTransfer('deposit')],
      ['acato', (row) => row.readTransfer('withdrawal')],
      ['spl', 'split'],
      ['soff', 'spinoff'],
      ['cil', { refuse: rejections.fractionMissing }],
      // Rows that may belong together: reverse splits by symbol, and mergers by day.
      ['spr', (row, { splits }) => splits.add(row.asset, row)],
      ['mrgs', (row, { mergers }) => mergers.add(row.cells.text('Activity Date'), row)],
    ],
  }),
);

/** Reads a quantity such as `4.5S`. The S only means that shares moved. */
function readUnsigned(cells: Cells): Quantity | null {
  const { number, unit } = splitUnit(cells.text('Quantity'));
  if (unit === '') return cells.quantity('Quantity');
  const quantity = unit.toUpperCase() === 'S' ? readQuantity(number) : undefined;
  if (quantity === undefined) cells.reject('Quantity', rejections.unreadableNumber('quantity'));
  return quantity ?? null;
}

/** Finds the option in "Option Expiration for AAPL 3/15/2024 Call $200.00". */
function findOption(cells: Cells): OptionSymbol | undefined {
  const match = /[A-Z][A-Z0-9.]{0,9} \d{1,2}\/\d{1,2}\/\d{4} (?:Call|Put) \$[\d,]+(?:\.\d+)?/.exec(
    cells.text('Description'),
  );
  return match === null ? undefined : readOption(match[0]);
}

/** Reads a share received as a reward. Its value is income if the row contains a price. */
function readReward(row: ActivityRow): Outcome {
  const { cells, asset } = row;
  const amount = plainNumber(cells.text('Price')) === undefined ? null : magnitude(row.net);
  const quantity = cells.need('Quantity', magnitude(row.quantity));
  return cells.read(row.time, { type: 'reward', asset, quantity, amount });
}

/**
 * Reads a reverse split, which has one row for the old and one for the new shares, without signs. The larger number is
 * the old shares. With any other number of rows, the ratio is unknown.
 */
function readReverseSplit(rows: readonly ActivityRow[]): readonly Outcome[] {
  const halves = rows.map(({ cells, asset, time, quantity }) => ({
    ...{ cells, asset, time },
    units: magnitude(quantity) ?? (0n as Quantity),
  }));
  const [first, second, third] = halves.sort((a, b) => (a.units > b.units ? -1 : 1));
  const days = (first?.time?.on ?? 0) - (second?.time?.on ?? 0);
  const isPair = second !== undefined && third === undefined && first !== undefined && days >= -5 && days <= 5;
  if (!isPair || second.units === 0n || first.units === second.units)
    return rows.map(({ cells }) =>
      cells.flawed ? cells.refused() : cells.rejected('Trans Code', rejections.reverseSplitRows),
    );
  const actions = new CorporateActions();
  const add = ({ units: _units, ...half }: typeof first, quantity: Quantity): readonly Outcome[] =>
    actions.add({ ...half, column: 'Trans Code', kind: 'split', quantity });
  return [...add(first, -first.units as Quantity), ...add(second, second.units), ...actions.end()];
}

/**
 * Reads shares exchanged for cash in a merger. In any other merger, the rows do not show which shares were removed and
 * which were received.
 */
function readMerger(rows: readonly ActivityRow[]): readonly Outcome[] {
  const isForCash = rows.every(({ net }) => net !== null && net > 0n);
  return rows.map((row) =>
    isForCash
      ? row.cells.read(row.time, row.stateTrade('sell'))
      : row.cells.rejected('Trans Code', rejections.mergerTermsMissing),
  );
}
