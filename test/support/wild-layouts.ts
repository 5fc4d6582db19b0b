import { Dice, type UnfriendlyLayout } from './unfriendly-layouts.ts';

/** The meaning of a real-world header, from our own table, by its lowercase words without brackets. */
const meanings: Readonly<Record<string, string>> = {
  date: 'date',
  time: 'date',
  timestamp: 'date',
  datetime: 'date',
  'date & time': 'date',
  'trade date': 'date',
  'transaction date': 'date',
  'created at': 'date',
  utc_time: 'date',
  type: 'side',
  side: 'side',
  direction: 'side',
  action: 'side',
  'transaction type': 'side',
  'trade type': 'side',
  pair: 'pair',
  market: 'pair',
  'trading pair': 'pair',
  coin: 'coin',
  asset: 'coin',
  symbol: 'coin',
  ticker: 'coin',
  quantity: 'quantity',
  qty: 'quantity',
  volume: 'quantity',
  size: 'quantity',
  shares: 'quantity',
  units: 'quantity',
  'filled amount': 'quantity',
  amount: 'amount',
  price: 'price',
  'avg. filled price': 'price',
  'unit price': 'price',
  total: 'total',
  value: 'total',
  'filled volume': 'total',
  fee: 'fee',
  fees: 'fee',
  commission: 'fee',
  currency: 'currency',
  status: 'status',
  state: 'status',
  'order id': 'id',
  'trade id': 'id',
  'transaction id': 'id',
  id: 'id',
};

/**
 * Returns a real-world header over four trades of our own. Columns whose meaning is not in the table stay empty.
 * Returns undefined if the header lacks a column that a trade needs.
 */
export function wildLayout(
  header: readonly string[],
  index: number,
): Pick<UnfriendlyLayout, 'text' | 'truth'> | undefined {
  const dice = new Dice(index);
  const seen = new Set<string>();
  const meant = header.map((name) => {
    const meaning =
      meanings[
        name
          .toLowerCase()
          .replace(/\s*\([^)]*\)/g, '')
          .trim()
      ];
    // A second column with the same meaning stays empty, because the first one is used.
    if (meaning === undefined || seen.has(meaning)) return undefined;
    seen.add(meaning);
    return meaning;
  });
  const has = (meaning: string): boolean => seen.has(meaning);
  const isWhole = has('date') && has('side') && (has('pair') || has('coin')) && (has('quantity') || has('amount'));
  if (!isWhole || !(has('price') || has('total') || (has('quantity') && has('amount')))) return undefined;
  const trades = [
    { isBuy: true, quantity: 3, price: 40, fee: 1.5 },
    { isBuy: false, quantity: 1, price: 45, fee: 0.5 },
    { isBuy: true, quantity: 2, price: 30, fee: 1 },
    { isBuy: false, quantity: 3, price: 50, fee: 1.25 },
  ].map((trade, row) => ({ ...trade, day: `2025-0${row + 2}-1${dice.below(9)}`, fee: has('fee') ? trade.fee : 0 }));
  const cellOf = (meaning: string | undefined, row: number): string => {
    const { isBuy, quantity, price, fee, day } = trades[row] as (typeof trades)[number];
    const gross = (quantity * price).toFixed(2);
    const cells: Readonly<Record<string, string>> = {
      date: `${day} 10:00:00`,
      side: isBuy ? 'Buy' : 'Sell',
      pair: 'SOL/USD',
      coin: has('pair') ? '' : 'SOL',
      quantity: String(quantity),
      amount: has('quantity') ? gross : String(quantity),
      price: price.toFixed(2),
      total: gross,
      fee: fee.toFixed(2),
      currency: 'USD',
      status: 'Filled',
      id: `t${index}-${row}`,
    };
    return meaning === undefined ? '' : (cells[meaning] ?? '');
  };
  const quoted = (cell: string): string => (/[,"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const lines = [
    header.map(quoted).join(','),
    ...trades.map((_, row) => meant.map((meaning) => cellOf(meaning, row)).join(',')),
  ];
  const truth = trades.map(
    ({ isBuy, quantity, price, fee, day }) =>
      `${day}T10:00:00Z,${isBuy ? 'buy' : 'sell'},SOL,${quantity},${(quantity * price).toFixed(2)},${fee.toFixed(2)}`,
  );
  return { text: `${lines.join('\n')}\n`, truth: ['date,type,asset,quantity,amount,fee', ...truth, ''].join('\n') };
}
