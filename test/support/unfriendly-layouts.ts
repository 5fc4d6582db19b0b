/**
 * Files in unknown layouts, each with its true history: columns of everyday vocabularies, renamed, dropped, doubled and
 * in any order, among meaningless columns. They cover kinds of rows that a mapping once confused with others: closed
 * positions, options, futures, currencies, splits, withheld tax, time zones in headers, two-digit years.
 */
export interface UnfriendlyLayout {
  readonly kind: LayoutKind;
  readonly name: string;
  readonly text: string;
  /** The true history as Lotbook CSV. */
  readonly truth: string;
}

export const layoutKinds = [
  'trades',
  'coins',
  'closed shares',
  'closed futures',
  'closed currencies',
  'options in columns',
  'options in symbols',
  'futures',
  'currencies',
  'splits',
  'split halves',
  'withheld tax',
  'zones',
  'short years',
  'second types',
  'states',
  'income',
] as const;
export type LayoutKind = (typeof layoutKinds)[number];

export function unfriendlyLayout(seed: number, index: number): UnfriendlyLayout {
  const kind = layoutKinds[index % layoutKinds.length] ?? 'trades';
  const dice = new Dice(seed * 7919 + index);
  const { table, truth } = kinds[kind](dice);
  return { kind, name: `${kind} ${index}`, text: written(table, dice), truth: [truthHeader, ...truth, ''].join('\n') };
}

/** A random choice that is the same for the same seed (mulberry32). */
export class Dice {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }

  shuffle<Item>(items: readonly Item[]): Item[] {
    const rest = [...items];
    return items.map(() => rest.splice(this.below(rest.length), 1)[0] as Item);
  }
}

interface Column {
  readonly header: string;
  readonly cells: readonly string[];
  /** True if the column may be left out, because another column has the same facts or nothing depends on it. */
  readonly isOptional?: boolean;
}

interface History {
  readonly table: readonly Column[];
  readonly truth: readonly string[];
}

const truthHeader =
  'date,type,account,asset,quantity,amount,fee,currency,ratio,lots,id,received_asset,received_quantity,asset_class';

interface TrueRow {
  readonly date: string;
  readonly type: string;
  readonly asset: string;
  readonly quantity?: number | string;
  readonly amount?: number;
  readonly fee?: number;
  readonly ratio?: string;
  readonly lots?: string;
  readonly id?: string;
}

function truthOf({ date, type, asset, quantity = '', amount, fee, ratio = '', lots = '', id = '' }: TrueRow): string {
  const money = (value: number | undefined): string => (value === undefined ? '' : value.toFixed(2));
  return [date, type, 'Imported', asset, quantity, money(amount), money(fee), '', ratio, lots, id, '', '', ''].join(
    ',',
  );
}

/** Common headers for each meaning, from our own table. */
const words = {
  date: 'Date|Trade Date|Transaction Date|Activity Date|Execution Time|Executed At|Date/Time|Timestamp|Trade Time|Filled Time|Run Date|DateTime',
  side: 'Side|Action|Type|Buy/Sell|Transaction Type|B/S|Trade Type|Direction|Activity|Transaction|Order Side|Trans Code',
  asset: 'Symbol|Ticker|Instrument|Security|Asset|Stock|Stock Symbol|Ticker Symbol',
  coin: 'Coin|Asset|Currency|Symbol|Cryptocurrency|Token',
  quantity: 'Quantity|Qty|Shares|Units|Volume|Filled Quantity|No. of Shares|Size|Share Count',
  price: 'Price|Unit Price|Share Price|Price per Share|Execution Price|Avg Price|Trade Price|Fill Price|Average Price',
  gross: 'Gross Amount|Amount|Value|Principal|Total Value|Trade Value|Gross|Notional|Subtotal',
  net: 'Net Amount|Net|Net Total|Net Proceeds|Net Value',
  fee: 'Fee|Commission|Fees|Brokerage|Comm|Trading Fee|Transaction Fee|Commission Fees',
  note: 'Description|Notes|Comment|Memo|Details|Remarks',
  id: 'Order ID|Trade ID|Reference|ID|Transaction ID|Confirmation',
  openTime: 'Open Time|Entry Time|Opening Time|Open Date|Entry Date|EnteredAt|Opened|Date Opened|Opening Date',
  closeTime: 'Close Time|Exit Time|Closing Time|Close Date|Exit Date|ExitedAt|Closed|Date Closed|Closing Date',
  openPrice: 'Open Price|Entry Price|Opening Price|EntryPrice|Open Rate|Avg Entry Price',
  closePrice: 'Close Price|Exit Price|Closing Price|ExitPrice|Close Rate|Avg Exit Price',
  direction: 'Type|Side|Direction|Position|Long/Short|Market pos.|Opening Direction|Action',
  netGain: 'Net P/L|Net Profit|Net PnL|Net P&L|Net Gain',
  grossGain: 'Gross P/L|Gross Profit|Gross PnL|Gross P&L',
  gain: 'P/L|PnL|Profit|P&L|Profit/Loss|Realized P&L|Gain|Result',
  expiration: 'Expiration|Expiry|Expiration Date|Exp Date|Exp|Expires',
  strike: 'Strike|Strike Price|Option Strike',
  right: 'Call/Put|Right|Option Type|C/P|Put/Call|Type',
  contracts: 'Contracts|Quantity|Qty|Number of Contracts|Size',
  effect: 'Open/Close|Pos Effect|Position Effect|O/C',
  tax: 'Tax|Taxes|Tax Withheld|Withholding Tax|Capital Gains Tax',
  subtype: 'Subtype|Transaction Subcode|Sub Type|Sub Action|Transaction Subtype',
  status: 'Status|State|Order Status',
  lots: 'Lots|Volume|Quantity|Size',
} as const;

const neutral: readonly (readonly [header: string, cell: (dice: Dice, row: number) => string])[] = [
  ['Settlement Date', (_dice, row) => `2025-11-${String((row % 28) + 1).padStart(2, '0')}`],
  ['Balance', (dice) => String(10_000 + dice.below(90_000))],
  ['Exchange', (dice) => dice.pick(['NYSE', 'NASDAQ', 'ARCA'])],
  ['ISIN', (_dice, row) => `US03783310${String(row % 90).padStart(2, '0')}`],
  ['Order Type', (dice) => dice.pick(['Limit', 'Market'])],
  ['Limit Price', () => ''],
  ['Order Number', (_dice, row) => `ORD-${1000 + row}`],
  ['Asset Class', () => ''],
  ['Venue', (dice) => dice.pick(['XNAS', 'XNYS'])],
  ['TIF', () => 'DAY'],
  ['Source', () => 'web'],
  ['User', () => 'ann'],
  ['SL', () => '0'],
  ['TP', () => '0'],
  ['Country', () => 'US'],
  ['Sequence', (_dice, row) => `s-${row}`],
  ['Unnamed: 0', (_dice, row) => String(row)],
];

const tickers = ['AAPL', 'MSFT', 'NKE', 'KO', 'QCOM', 'ANET', 'PLTR', 'IBM', 'F', 'BRK.B', 'VTI', 'TSLA', 'GE', 'T'];

/**
 * Writes the columns in some order, with some left out, doubled or styled differently, and unrelated columns between
 * them.
 */
function written(table: readonly Column[], dice: Dice): string {
  const rows = table[0]?.cells.length ?? 0;
  const kept = table.filter(({ isOptional }) => isOptional !== true || dice.chance(0.6));
  const used = new Set(table.map(({ header }) => header.toLowerCase()));
  const others = dice
    .shuffle(neutral)
    .filter(([header]) => !used.has(header.toLowerCase()))
    .slice(0, dice.below(4))
    .map(([header, cell]): Column => ({ header, cells: Array.from({ length: rows }, (_, row) => cell(dice, row)) }));
  const doubled = dice.chance(0.12) ? [dice.pick(kept)] : [];
  const columns = dice.chance(0.7) ? dice.shuffle([...kept, ...others]) : [...kept, ...others];
  const styled = dice.pick([(text: string) => text, (text: string) => text, snake, upper]);
  const separator = dice.pick([',', ',', ';', '\t']);
  const cell = (text: string): string =>
    text.includes(separator) || text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text;
  const all = [...columns, ...doubled];
  const title = dice.chance(0.1) ? ['Account activity', ''] : [];
  const lines = [
    ...title,
    all.map(({ header }) => cell(styled(header))).join(separator),
    ...Array.from({ length: rows }, (_, row) => all.map(({ cells }) => cell(cells[row] ?? '')).join(separator)),
  ];
  return `${lines.join('\n')}\n`;
}

function snake(header: string): string {
  return /[()+]/.test(header) ? header : header.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');
}

function upper(header: string): string {
  return header.toUpperCase();
}

function named(dice: Dice, list: string): string {
  return dice.pick(list.split('|'));
}

/** Returns a column whose header is not used yet. */
function column(dice: Dice, taken: Set<string>, list: string, cells: readonly string[], isOptional = false): Column {
  const free = list.split('|').filter((header) => !taken.has(header.toLowerCase()));
  const header = dice.pick(free.length > 0 ? free : [`${list.split('|')[0]} 2`]);
  taken.add(header.toLowerCase());
  return { header, cells, isOptional };
}

interface Moment {
  readonly day: string;
  readonly time: string;
}

/** Returns ascending days in one year, at most this many days apart. */
function momentsOf(dice: Dice, count: number, from = '2025-01-06', apart = 14): Moment[] {
  let day = Date.parse(from) / 86_400_000;
  return Array.from({ length: count }, () => {
    const moment = {
      day: new Date(day * 86_400_000).toISOString().slice(0, 10),
      time: `${String(14 + dice.below(6)).padStart(2, '0')}:${String(dice.below(60)).padStart(2, '0')}:00`,
    };
    day += 1 + dice.below(apart);
    return moment;
  });
}

type DateStyle = (moment: Moment) => string;
const dateStyles: readonly { readonly write: DateStyle; readonly isTimed: boolean }[] = [
  { write: ({ day }) => day, isTimed: false },
  { write: ({ day, time }) => `${day} ${time}`, isTimed: true },
  { write: ({ day, time }) => `${day}T${time}Z`, isTimed: true },
  { write: ({ day }) => `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`, isTimed: false },
  { write: ({ day }) => `${day.slice(8)}.${day.slice(5, 7)}.${day.slice(0, 4)}`, isTimed: false },
  { write: ({ day }) => `${day.slice(8)}/${day.slice(5, 7)}/${day.slice(0, 4)}`, isTimed: false },
  { write: ({ day, time }) => `${day.replaceAll('-', '.')} ${time}`, isTimed: true },
];

function trueDate({ day, time }: Moment, isTimed: boolean): string {
  return isTimed ? `${day}T${time}Z` : day;
}

type MoneyStyle = (value: number) => string;
const moneyStyles: readonly MoneyStyle[] = [
  (value) => value.toFixed(2),
  (value) => value.toFixed(2),
  (value) => `${value < 0 ? '-' : ''}$${Math.abs(value).toFixed(2)}`,
  (value) => (value < 0 ? `(${grouped(-value)})` : grouped(value)),
  (value) => grouped(value),
];

function grouped(value: number): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

const sideWords: readonly (readonly [buy: string, sell: string])[] = [
  ['Buy', 'Sell'],
  ['BUY', 'SELL'],
  ['Bought', 'Sold'],
  ['buy', 'sell'],
  ['B', 'S'],
  ['Purchase', 'Sale'],
];

interface Trade {
  readonly moment: Moment;
  readonly isBuy: boolean;
  readonly asset: string;
  readonly quantity: number;
  readonly price: number;
  readonly fee: number;
}

/**
 * Returns purchases and sales of held units. Prices are whole cents and quantities are whole, so no product is rounded.
 */
function tradesOf(
  dice: Dice,
  count = 4 + dice.below(6),
  assets = dice.shuffle(tickers).slice(0, 1 + dice.below(3)),
): Trade[] {
  const held = new Map<string, number>();
  const hasFees = dice.chance(0.6);
  return momentsOf(dice, count).map((moment) => {
    const asset = dice.pick(assets);
    const own = held.get(asset) ?? 0;
    const isBuy = own === 0 || dice.chance(0.5);
    const quantity = isBuy ? 2 + dice.below(40) : 1 + dice.below(own);
    held.set(asset, own + (isBuy ? quantity : -quantity));
    const price = (2000 + dice.below(30_000)) / 100;
    return { moment, isBuy, asset, quantity, price, fee: hasFees ? (1 + dice.below(400)) / 100 : 0 };
  });
}

/** Returns the columns of trades: money gross, net or only as a price, with signs as in real files. */
function tradeColumns(dice: Dice, trades: readonly Trade[], taken: Set<string>): Column[] {
  const money = dice.pick(moneyStyles);
  const signed = dice.pick(['none', 'amount', 'quantity'] as const);
  const [buys, sells] = dice.pick(sideWords);
  const way = dice.pick(['gross', 'net', 'price', 'both'] as const);
  const sign = (value: number, isBuy: boolean): number => (signed === 'amount' && isBuy ? -value : value);
  const gross = trades.map(({ quantity, price }) => round(quantity * price));
  const net = trades.map(({ isBuy, fee }, row) => round((gross[row] ?? 0) + (isBuy ? fee : -fee)));
  const hasFees = trades.some(({ fee }) => fee > 0);
  const columns = [
    column(
      dice,
      taken,
      words.side,
      trades.map(({ isBuy }) => (isBuy ? buys : sells)),
    ),
    column(
      dice,
      taken,
      words.quantity,
      trades.map(({ quantity, isBuy }) => String(signed === 'quantity' && !isBuy ? -quantity : quantity)),
    ),
    column(
      dice,
      taken,
      words.price,
      trades.map(({ price }) => money(price)),
      way === 'gross' || (way === 'net' && !hasFees),
    ),
  ];
  const written = (values: readonly number[]): string[] =>
    trades.map(({ isBuy }, row) => money(sign(values[row] ?? 0, isBuy)));
  if (way === 'gross' || way === 'both') columns.push(column(dice, taken, words.gross, written(gross)));
  if (way === 'net' || way === 'both') columns.push(column(dice, taken, words.net, written(net)));
  if (hasFees)
    columns.push(
      column(
        dice,
        taken,
        words.fee,
        trades.map(({ fee }) => money(fee)),
      ),
    );
  else
    columns.push(
      column(
        dice,
        taken,
        words.fee,
        trades.map(() => money(0)),
        true,
      ),
    );
  return columns;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function trueTrades(trades: readonly Trade[], isTimed: boolean): string[] {
  return trades.map(({ moment, isBuy, asset, quantity, price, fee }) =>
    truthOf({
      date: trueDate(moment, isTimed),
      type: isBuy ? 'buy' : 'sell',
      asset,
      quantity,
      amount: round(quantity * price),
      fee,
    }),
  );
}

function dated(
  dice: Dice,
  moments: readonly Moment[],
  taken: Set<string>,
  list: string = words.date,
): { column: Column; isTimed: boolean } {
  const { write, isTimed } = dice.pick(dateStyles);
  return { column: column(dice, taken, list, moments.map(write)), isTimed };
}

function trades(dice: Dice, more?: (list: readonly Trade[], taken: Set<string>) => Column[]): History {
  const taken = new Set<string>();
  const list = tradesOf(dice);
  const { column: dates, isTimed } = dated(
    dice,
    list.map(({ moment }) => moment),
    taken,
  );
  const assets = column(
    dice,
    taken,
    words.asset,
    list.map(({ asset }) => asset),
  );
  return {
    table: [dates, assets, ...tradeColumns(dice, list, taken), ...(more?.(list, taken) ?? [])],
    truth: trueTrades(list, isTimed),
  };
}

function coins(dice: Dice): History {
  const taken = new Set<string>();
  const list = tradesOf(dice, 5, ['BTC', 'ETH']);
  const { column: dates, isTimed } = dated(
    dice,
    list.map(({ moment }) => moment),
    taken,
  );
  const isPair = dice.chance(0.5);
  const mark = dice.pick(['-', '/', '']);
  const assets = isPair
    ? column(
        dice,
        taken,
        'Pair|Market|Trading Pair|Symbol',
        list.map(({ asset }) => `${asset}${mark}USD`),
      )
    : column(
        dice,
        taken,
        words.coin,
        list.map(({ asset }) => asset),
      );
  return { table: [dates, assets, ...tradeColumns(dice, list, taken)], truth: trueTrades(list, isTimed) };
}

interface Position {
  readonly opened: Moment;
  readonly closed: Moment;
  readonly isLong: boolean;
  readonly asset: string;
  readonly quantity: number;
  readonly from: number;
  readonly until: number;
  readonly fee: number;
}

function positionsOf(dice: Dice, assets: readonly string[], prices: () => number): Position[] {
  const hasFees = dice.chance(0.6);
  const hasShorts = dice.chance(0.5);
  return Array.from({ length: 3 + dice.below(4) }, (_, index) => {
    const [opened, closed] = momentsOf(dice, 2, `2025-0${1 + index}-0${2 + dice.below(7)}`, 20) as [Moment, Moment];
    return {
      opened,
      closed,
      isLong: !hasShorts || dice.chance(0.6),
      asset: assets[index % assets.length] ?? 'AAPL',
      quantity: 1 + dice.below(20),
      from: prices(),
      until: prices(),
      fee: hasFees ? (1 + dice.below(300)) / 100 : 0,
    };
  });
}

/** Returns the columns of closed positions. `point` is the dollars per unit for one point of the price. */
function positionColumns(
  dice: Dice,
  list: readonly Position[],
  taken: Set<string>,
  point: number,
  decimals = 2,
): { columns: Column[]; isTimed: boolean } {
  const { write, isTimed } = dice.pick(dateStyles);
  const [long, short] = dice.pick([
    ['Buy', 'Sell'],
    ['Long', 'Short'],
    ['BUY', 'SELL'],
    ['B', 'S'],
  ] as const);
  const gross = list.map(({ isLong, from, until, quantity }) =>
    round((isLong ? until - from : from - until) * quantity * point),
  );
  const net = list.map(({ fee }, row) => round((gross[row] ?? 0) - fee));
  const hasFees = list.some(({ fee }) => fee > 0);
  const stated = dice.pick(['net', 'gross', 'plain', 'none'] as const);
  const sign = dice.pick([1, -1]);
  const columns = [
    column(
      dice,
      taken,
      words.openTime,
      list.map(({ opened }) => write(opened)),
    ),
    column(
      dice,
      taken,
      words.closeTime,
      list.map(({ closed }) => write(closed)),
    ),
    column(
      dice,
      taken,
      words.openPrice,
      list.map(({ from }) => from.toFixed(decimals)),
    ),
    column(
      dice,
      taken,
      words.closePrice,
      list.map(({ until }) => until.toFixed(decimals)),
    ),
    column(
      dice,
      taken,
      words.direction,
      list.map(({ isLong }) => (isLong ? long : short)),
    ),
    column(
      dice,
      taken,
      words.fee,
      list.map(({ fee }) => (sign * fee).toFixed(2)),
      !hasFees,
    ),
    column(
      dice,
      taken,
      words.id,
      list.map((_, row) => String(100 + row)),
      true,
    ),
  ];
  if (stated === 'net')
    columns.push(
      column(
        dice,
        taken,
        words.netGain,
        net.map((value) => value.toFixed(2)),
      ),
    );
  if (stated === 'gross')
    columns.push(
      column(
        dice,
        taken,
        words.grossGain,
        gross.map((value) => value.toFixed(2)),
      ),
    );
  if (stated === 'plain') {
    const values = dice.chance(0.5) ? net : gross;
    columns.push(
      column(
        dice,
        taken,
        words.gain,
        values.map((value) => value.toFixed(2)),
      ),
    );
  }
  return { columns, isTimed };
}

function truePositions(
  list: readonly Position[],
  isTimed: boolean,
  point: number,
  assetOf: (asset: string) => string,
): string[] {
  return list.flatMap(({ opened, closed, isLong, asset, quantity, from, until, fee }, row) => {
    const base = { asset: assetOf(asset), quantity };
    const [opens, closes] = isLong ? ['buy', 'sell'] : ['short_sell', 'cover'];
    return [
      truthOf({
        ...base,
        date: trueDate(opened, isTimed),
        type: opens as string,
        amount: round(from * quantity * point),
        id: `p${row}`,
      }),
      truthOf({
        ...base,
        date: trueDate(closed, isTimed),
        type: closes as string,
        amount: round(until * quantity * point),
        fee,
        lots: `p${row}:${quantity}`,
      }),
    ];
  });
}

function closedShares(dice: Dice): History {
  const taken = new Set<string>();
  const list = positionsOf(dice, dice.shuffle(tickers).slice(0, 3), () => (2000 + dice.below(20_000)) / 100);
  const { columns, isTimed } = positionColumns(dice, list, taken, 1);
  const assets = column(
    dice,
    taken,
    words.asset,
    list.map(({ asset }) => asset),
  );
  const units = column(
    dice,
    taken,
    words.quantity,
    list.map(({ quantity }) => String(quantity)),
  );
  return { table: [assets, units, ...columns], truth: truePositions(list, isTimed, 1, (asset) => asset) };
}

const futures: readonly (readonly [root: string, point: number])[] = [
  ['ES', 50],
  ['MES', 5],
  ['NQ', 20],
  ['MNQ', 2],
  ['CL', 1000],
  ['GC', 100],
  ['RTY', 50],
];

function futureSymbol(dice: Dice, root: string): string {
  return dice.pick([`${root}Z5`, `${root}Z25`, `/${root}Z5`, `${root}Z5.CME`, `${root} 12-25`]);
}

function closedFutures(dice: Dice): History {
  const taken = new Set<string>();
  const [root, point] = dice.pick(futures);
  const symbol = futureSymbol(dice, root);
  const list = positionsOf(dice, [symbol], () => (1_000_000 + dice.below(100_000) * 25) / 1000);
  const rounded = list.map((each) => ({ ...each, from: round(each.from), until: round(each.until) }));
  const { columns, isTimed } = positionColumns(dice, rounded, taken, point);
  const assets = column(
    dice,
    taken,
    `ContractName|${words.asset}`,
    rounded.map(({ asset }) => asset),
  );
  const units = column(
    dice,
    taken,
    words.contracts,
    rounded.map(({ quantity }) => String(quantity)),
  );
  return { table: [assets, units, ...columns], truth: truePositions(rounded, isTimed, point, () => `/${root}Z5`) };
}

function closedCurrencies(dice: Dice): History {
  const taken = new Set<string>();
  const pairs = ['EURUSD', 'GBPUSD', 'AUD/USD', 'EURUSD'];
  const list = positionsOf(dice, pairs, () => (100_000 + dice.below(20_000)) / 100_000).map((each) => ({
    ...each,
    quantity: 1,
  }));
  const { columns, isTimed } = positionColumns(dice, list, taken, 100_000, 5);
  const assets = column(
    dice,
    taken,
    words.asset,
    list.map(({ asset }) => asset),
  );
  const units = column(
    dice,
    taken,
    words.lots,
    list.map(({ quantity }) => (dice.chance(0.5) ? `${quantity}.00 Lots` : `${quantity}.00`)),
  );
  const truth = list.map(({ closed, isLong, from, until, fee }) =>
    truthOf({
      date: trueDate(closed, isTimed),
      type: 'currency_gain',
      asset: '',
      amount: round((isLong ? until - from : from - until) * 100_000 - fee),
    }),
  );
  return { table: [assets, units, ...columns], truth };
}

function options(dice: Dice, inColumns: boolean): History {
  const taken = new Set<string>();
  const list: {
    moment: Moment;
    isBuy: boolean;
    opens: boolean;
    quantity: number;
    price: number;
    fee: number;
    right: string;
    strike: number;
  }[] = [];
  const moments = momentsOf(dice, 6, '2025-01-06', 9);
  for (let at = 0; at < moments.length; at += 2) {
    const [first, second] = moments.slice(at, at + 2) as [Moment, Moment];
    const isLong = dice.chance(0.6);
    const common = { quantity: 1 + dice.below(5), right: dice.pick(['Call', 'Put']), strike: 100 + 5 * dice.below(30) };
    const price = (): number => (50 + dice.below(900)) / 100;
    const fee = dice.chance(0.5) ? 0.65 : 0;
    list.push({ ...common, moment: first, isBuy: isLong, opens: true, price: price(), fee });
    list.push({ ...common, moment: second, isBuy: !isLong, opens: false, price: price(), fee });
  }
  const asset = dice.pick(['QCOM', 'IBM', 'NKE']);
  const expires = '2025-06-20';
  const { column: dates, isTimed } = dated(
    dice,
    list.map(({ moment }) => moment),
    taken,
  );
  const [buys, sells] = dice.pick(sideWords);
  const gross = list.map(({ quantity, price }) => round(quantity * price * 100));
  const symbolOf = ({ right, strike }: (typeof list)[number]): string =>
    dice.pick([
      `${asset} 250620${right[0]}${String(strike * 1000).padStart(8, '0')}`,
      `${asset} 06/20/2025 ${strike}.00 ${right[0]}`,
      `${asset} 6/20/2025 ${right} $${strike}.00`,
      `${asset} $${strike} ${right} 06/20/2025`,
    ]);
  const symbols = list.map(symbolOf);
  const contract = inColumns
    ? [
        column(
          dice,
          taken,
          `Underlying|${words.asset}`,
          list.map(() => asset),
        ),
        column(
          dice,
          taken,
          words.expiration,
          list.map(() => expires),
        ),
        column(
          dice,
          taken,
          words.strike,
          list.map(({ strike }) => String(strike)),
        ),
        column(
          dice,
          taken,
          words.right,
          list.map(({ right }) => right),
        ),
      ]
    : [column(dice, taken, `Contract|${words.asset}`, symbols)];
  const money = dice.pick(moneyStyles);
  const hasAmount = dice.chance(0.6);
  const isSigned = dice.chance(0.5);
  const table = [
    dates,
    ...contract,
    column(
      dice,
      taken,
      words.side.replace('|Type|', '|'),
      list.map(({ isBuy }) => (isBuy ? buys : sells)),
    ),
    column(
      dice,
      taken,
      words.contracts,
      list.map(({ quantity }) => String(quantity)),
    ),
    column(
      dice,
      taken,
      words.price,
      list.map(({ price }) => price.toFixed(2)),
      hasAmount,
    ),
    column(
      dice,
      taken,
      words.fee,
      list.map(({ fee }) => fee.toFixed(2)),
      list.every(({ fee }) => fee === 0),
    ),
    column(
      dice,
      taken,
      words.effect,
      list.map(({ opens }) => (opens ? 'Open' : 'Close')),
      true,
    ),
    ...(hasAmount
      ? [
          column(
            dice,
            taken,
            words.gross,
            list.map(({ isBuy }, row) => money((isSigned && isBuy ? -1 : 1) * (gross[row] ?? 0))),
          ),
        ]
      : []),
  ];
  const truth = list.map((each, row) =>
    truthOf({
      date: trueDate(each.moment, isTimed),
      type: `${each.isBuy ? 'buy' : 'sell'}_to_${each.opens ? 'open' : 'close'}`,
      asset: `${asset} ${expires} ${each.right[0]} ${each.strike}`,
      quantity: each.quantity,
      amount: gross[row] ?? 0,
      fee: each.fee,
    }),
  );
  return { table, truth };
}

function futureTrades(dice: Dice): History {
  const taken = new Set<string>();
  const [root, point] = dice.pick(futures);
  const symbol = futureSymbol(dice, root);
  const isLong = dice.chance(0.5);
  const list = momentsOf(dice, 4).map((moment, index) => ({
    moment,
    isBuy: (index % 2 === 0) === isLong,
    opens: index % 2 === 0,
    price: (400_000 + dice.below(4000) * 25) / 100,
    fee: 2.25,
  }));
  const { column: dates, isTimed } = dated(
    dice,
    list.map(({ moment }) => moment),
    taken,
  );
  const [buys, sells] = dice.pick(sideWords);
  const table = [
    dates,
    column(
      dice,
      taken,
      `Contract|${words.asset}`,
      list.map(() => symbol),
    ),
    column(
      dice,
      taken,
      words.side,
      list.map(({ isBuy }) => (isBuy ? buys : sells)),
    ),
    column(
      dice,
      taken,
      words.contracts,
      list.map(() => '2'),
    ),
    column(
      dice,
      taken,
      words.price,
      list.map(({ price }) => price.toFixed(2)),
    ),
    column(
      dice,
      taken,
      words.fee,
      list.map(({ fee }) => fee.toFixed(2)),
    ),
    ...(dice.chance(0.3)
      ? [
          column(
            dice,
            taken,
            'Multiplier|Point Value',
            list.map(() => String(point)),
          ),
        ]
      : []),
    ...(dice.chance(0.3)
      ? [
          column(
            dice,
            taken,
            'Margin|Initial Margin',
            list.map(() => '0'),
          ),
        ]
      : []),
  ];
  const truth = list.map(({ moment, isBuy, opens, price, fee }) =>
    truthOf({
      date: trueDate(moment, isTimed),
      type: isBuy ? (opens ? 'buy' : 'cover') : opens ? 'short_sell' : 'sell',
      asset: `/${root}Z5`,
      quantity: 2,
      amount: round(2 * price * point),
      fee,
    }),
  );
  return { table, truth };
}

/** Trades in two currencies, with or without their realized result. */
function currencyTrades(dice: Dice): History {
  const taken = new Set<string>();
  const list = momentsOf(dice, 4).map((moment, index) => ({
    moment,
    isBuy: index % 2 === 0,
    price: (105_000 + dice.below(3000)) / 100_000,
  }));
  const { column: dates, isTimed } = dated(
    dice,
    list.map(({ moment }) => moment),
    taken,
  );
  const gains = list.map(({ price }, row) =>
    row % 2 === 0 ? 0 : round((price - (list[row - 1]?.price ?? 0)) * 10_000),
  );
  const isStated = dice.chance(0.5);
  const table = [
    dates,
    column(
      dice,
      taken,
      `Pair|${words.asset}`,
      list.map(() => dice.pick(['EURUSD', 'EUR/USD', 'EUR.USD'])),
    ),
    column(
      dice,
      taken,
      words.side,
      list.map(({ isBuy }) => (isBuy ? 'Buy' : 'Sell')),
    ),
    column(
      dice,
      taken,
      words.quantity,
      list.map(() => '10000'),
    ),
    column(
      dice,
      taken,
      words.price,
      list.map(({ price }) => price.toFixed(5)),
    ),
    ...(isStated
      ? [
          column(
            dice,
            taken,
            words.gain,
            gains.map((gain) => gain.toFixed(2)),
          ),
        ]
      : []),
  ];
  const truth = list.flatMap(({ moment }, row) =>
    row % 2 === 0
      ? []
      : [truthOf({ date: trueDate(moment, isTimed), type: 'currency_gain', asset: '', amount: gains[row] ?? 0 })],
  );
  return { table, truth };
}

function splits(dice: Dice): History {
  const taken = new Set<string>();
  const [bought, split, sold] = momentsOf(dice, 3) as [Moment, Moment, Moment];
  const held = 5 * (2 + dice.below(8));
  const isReverse = dice.chance(0.3);
  const factor = dice.pick([2, 3, 4]);
  const after = isReverse ? held / 5 : held * factor;
  const says = dice.pick(['text', 'ratio', 'added', 'column'] as const);
  const ratio = isReverse ? '1-for-5' : `${factor}-for-1`;
  const asset = dice.pick(tickers);
  const [price, later] = [(5000 + dice.below(9000)) / 100, (5000 + dice.below(9000)) / 100];
  const quantityOf = {
    text: dice.chance(0.5) ? '' : String(isReverse ? after : after - held),
    ratio: String(isReverse ? 0.2 : factor),
    added: String(after - held),
    column: '',
  };
  const { column: dates, isTimed } = dated(dice, [bought, split, sold], taken);
  const table = [
    dates,
    column(dice, taken, words.side, [
      'Buy',
      isReverse ? 'Reverse Split' : dice.pick(['Split', 'Stock Split', 'SPLIT']),
      'Sell',
    ]),
    column(dice, taken, words.asset, [asset, asset, asset]),
    column(dice, taken, words.quantity, [String(held), quantityOf[says], String(after)]),
    column(dice, taken, words.price, [price.toFixed(2), '', later.toFixed(2)]),
    column(dice, taken, words.gross, [(held * price).toFixed(2), '', (after * later).toFixed(2)]),
    ...(says === 'text'
      ? [column(dice, taken, words.note, ['', `${ratio} ${isReverse ? 'reverse' : 'stock'} split`, ''])]
      : []),
    ...(says === 'column'
      ? [column(dice, taken, 'Ratio|Split Ratio', ['', isReverse ? '1:5' : `${factor}:1`, ''])]
      : []),
  ];
  const truth = [
    truthOf({ date: trueDate(bought, isTimed), type: 'buy', asset, quantity: held, amount: held * price }),
    truthOf({ date: trueDate(split, isTimed), type: 'split', asset, ratio: isReverse ? '1:5' : `${factor}:1` }),
    truthOf({ date: trueDate(sold, isTimed), type: 'sell', asset, quantity: after, amount: round(after * later) }),
  ];
  return { table, truth };
}

function splitHalves(dice: Dice): History {
  const taken = new Set<string>();
  const [bought, split, sold] = momentsOf(dice, 3) as [Moment, Moment, Moment];
  const [held, after] = dice.pick([
    [300, 10],
    [100, 20],
    [10, 40],
  ] as const);
  const asset = dice.pick(tickers);
  const [price, later] = [2.5, 40.25];
  const bySide = dice.chance(0.5);
  const { column: dates, isTimed } = dated(dice, [bought, split, split, sold], taken);
  const name = held > after ? 'Reverse Split' : 'Stock Split';
  const table = [
    dates,
    column(dice, taken, words.asset, [asset, asset, asset, asset]),
    ...(bySide
      ? [
          column(dice, taken, 'Buy/Sell|Side|Action', ['Buy', 'Sell', 'Buy', 'Sell']),
          column(dice, taken, words.subtype, ['Buy to Open', name, name, 'Sell to Close']),
        ]
      : [column(dice, taken, words.side, ['Buy', name, name, 'Sell'])]),
    column(dice, taken, words.quantity, [
      String(held),
      bySide ? String(held) : String(-held),
      String(after),
      bySide ? String(after) : String(-after),
    ]),
    column(dice, taken, words.gross, [(held * price).toFixed(2), '', '', (after * later).toFixed(2)]),
  ];
  const truth = [
    truthOf({ date: trueDate(bought, isTimed), type: 'buy', asset, quantity: held, amount: held * price }),
    truthOf({ date: trueDate(split, isTimed), type: 'split', asset, ratio: `${after}:${held}` }),
    truthOf({ date: trueDate(sold, isTimed), type: 'sell', asset, quantity: after, amount: after * later }),
  ];
  return { table, truth };
}

function withheldTax(dice: Dice): History {
  const taken = new Set<string>();
  const list = tradesOf(dice, 5);
  const onPurchases = dice.chance(0.2);
  const taxes = list.map(({ isBuy }) => (isBuy === onPurchases ? (100 + dice.below(900)) / 100 : 0));
  const { column: dates, isTimed } = dated(
    dice,
    list.map(({ moment }) => moment),
    taken,
  );
  const assets = column(
    dice,
    taken,
    words.asset,
    list.map(({ asset }) => asset),
  );
  const [buys, sells] = dice.pick(sideWords);
  const isAfter = dice.chance(0.4);
  const gross = list.map(({ quantity, price }) => round(quantity * price));
  const money = gross.map((value, row) => {
    const { isBuy, fee } = list[row] as Trade;
    return isAfter ? round(isBuy ? value + fee : value - fee - (taxes[row] ?? 0)) : value;
  });
  const table = [
    dates,
    assets,
    column(
      dice,
      taken,
      words.side,
      list.map(({ isBuy }) => (isBuy ? buys : sells)),
    ),
    column(
      dice,
      taken,
      words.quantity,
      list.map(({ quantity }) => String(quantity)),
    ),
    column(
      dice,
      taken,
      words.price,
      list.map(({ price }) => price.toFixed(2)),
      true,
    ),
    column(
      dice,
      taken,
      isAfter ? words.net : words.gross,
      money.map((value) => value.toFixed(2)),
    ),
    column(
      dice,
      taken,
      words.fee,
      list.map(({ fee }) => fee.toFixed(2)),
      list.every(({ fee }) => fee === 0),
    ),
    column(
      dice,
      taken,
      words.tax,
      taxes.map((tax) => (tax === 0 ? dice.pick(['', '0.00']) : tax.toFixed(2))),
    ),
  ];
  // A tax on a purchase is part of its cost, if it is a tax at all. Only a question or that interpretation is correct.
  const truth = list.flatMap((trade, row) => {
    const [own = ''] = trueTrades(
      [onPurchases ? { ...trade, fee: round(trade.fee + (taxes[row] ?? 0)) } : trade],
      isTimed,
    );
    const tax = truthOf({
      date: trueDate(trade.moment, isTimed),
      type: 'withholding',
      asset: trade.asset,
      amount: taxes[row] ?? 0,
    });
    return onPurchases || (taxes[row] ?? 0) === 0 ? [own] : [own, tax];
  });
  return { table, truth };
}

const zones: readonly (readonly [label: string, minutes: number])[] = [
  ['UTC+10', 600],
  ['UTC+02:00', 120],
  ['UTC-05:00', -300],
  ['UTC+5:30', 330],
  ['GMT-3', -180],
  ['EDT', -240],
  ['EST', -300],
  ['CET', 60],
  ['JST', 540],
  ['UTC', 0],
];

function zoned(dice: Dice): History {
  const taken = new Set<string>();
  const list = tradesOf(dice, 5).map((trade, row) => ({
    ...trade,
    moment: {
      day: row < 3 ? '2025-12-31' : '2026-01-01',
      time: `${row < 3 ? 17 + row : 2 + row}:${10 + row}:00`.padStart(8, '0'),
    },
  }));
  const [label, minutes] = dice.pick(zones);
  const header = named(dice, 'Time|Date|Trade Time|Filled Time|Transaction Time');
  const form = dice.pick([
    `${header}(${label})`,
    `${header} (${label})`,
    ...(/^[A-Z]{3}$/.test(label) ? [`${header} ${label}`] : []),
  ]);
  taken.add(header.toLowerCase());
  const dates: Column = { header: form, cells: list.map(({ moment }) => `${moment.day} ${moment.time}`) };
  const assets = column(
    dice,
    taken,
    words.asset,
    list.map(({ asset }) => asset),
  );
  const truth = list.map(({ moment, isBuy, asset, quantity, price, fee }) => {
    const at = Date.parse(`${moment.day}T${moment.time}Z`) - minutes * 60_000;
    const date = `${new Date(at).toISOString().slice(0, 19)}Z`;
    return truthOf({ date, type: isBuy ? 'buy' : 'sell', asset, quantity, amount: round(quantity * price), fee });
  });
  return { table: [dates, assets, ...tradeColumns(dice, list, taken)], truth };
}

function shortYears(dice: Dice): History {
  const taken = new Set<string>();
  const list = tradesOf(dice, 3 + dice.below(8));
  const mark = dice.pick(['-', '/', '.']);
  const order = dice.pick(['ymd', 'dmy', 'mdy'] as const);
  const write = ({ day }: Moment): string => {
    const [y, m, d] = [day.slice(2, 4), day.slice(5, 7), day.slice(8)];
    return { ymd: [y, m, d], dmy: [d, m, y], mdy: [m, d, y] }[order].join(order === 'mdy' ? '/' : mark);
  };
  const dates = column(
    dice,
    taken,
    words.date,
    list.map(({ moment }) => write(moment)),
  );
  const assets = column(
    dice,
    taken,
    words.asset,
    list.map(({ asset }) => asset),
  );
  return { table: [dates, assets, ...tradeColumns(dice, list, taken)], truth: trueTrades(list, false) };
}

/** Returns a history with a column of codes that marks some sales as another type. */
function secondTypes(dice: Dice): History {
  return trades(dice, (list, taken) => [
    column(
      dice,
      taken,
      words.subtype,
      list.map(({ isBuy }) => (isBuy ? 'Buy to Open' : 'Sell to Close')),
    ),
    column(
      dice,
      taken,
      'Code|Category|Activity Type',
      list.map(() => 'Trade'),
      true,
    ),
  ]);
}

function states(dice: Dice): History {
  const taken = new Set<string>();
  const list = tradesOf(dice, 6);
  const canceled = list.map(() => dice.chance(0.3));
  const inText = dice.chance(0.5);
  const { column: dates, isTimed } = dated(
    dice,
    list.map(({ moment }) => moment),
    taken,
  );
  const assets = column(
    dice,
    taken,
    words.asset,
    list.map(({ asset }) => asset),
  );
  const done = dice.pick(['Filled', 'Executed', 'Completed']);
  const cells = canceled.map((isCanceled) =>
    isCanceled ? (inText ? 'Order canceled by user' : 'Cancelled') : inText ? 'Order executed' : done,
  );
  const table = [
    dates,
    assets,
    ...tradeColumns(dice, list, taken),
    column(dice, taken, inText ? words.note : words.status, cells),
  ];
  return {
    table,
    truth: trueTrades(
      list.filter((_, row) => canceled[row] !== true),
      isTimed,
    ),
  };
}

/** Returns income in units of a coin, and dividends with the shares that paid them or that they bought. */
function income(dice: Dice): History {
  const taken = new Set<string>();
  const isCoin = dice.chance(0.5);
  const moments = momentsOf(dice, 4);
  const { column: dates, isTimed } = dated(dice, moments, taken);
  const asset = isCoin ? 'ETH' : dice.pick(['KO', 'VTI']);
  const isBought = !isCoin && dice.chance(0.4);
  const types = isCoin ? ['Buy', 'Staking', 'Staking', 'Sell'] : ['Buy', 'Dividend', 'Dividend', 'Sell'];
  const price = isCoin ? 2000 : 60;
  const quantities = isCoin ? [2, 0.01, 0.02, 1] : isBought ? [10, 0.25, 0.5, 4] : [10, 10, 10, 4];
  const amounts = quantities.map((quantity, row) =>
    types[row] === 'Dividend' && !isBought ? 4.85 : round(quantity * price),
  );
  const hasAmounts = !isCoin || dice.chance(0.6);
  const table = [
    dates,
    column(
      dice,
      taken,
      isCoin ? words.coin : words.asset,
      moments.map(() => asset),
    ),
    column(dice, taken, words.side, types),
    column(dice, taken, words.quantity, quantities.map(String)),
    column(
      dice,
      taken,
      words.gross,
      amounts.map((amount, row) =>
        hasAmounts || types[row] === 'Buy' || types[row] === 'Sell' ? amount.toFixed(2) : '',
      ),
    ),
  ];
  const truth = moments.flatMap((moment, row) => {
    const type = types[row] === 'Dividend' && isBought ? 'reinvest' : (types[row] ?? '').toLowerCase();
    const base = { date: trueDate(moment, isTimed), type, asset };
    if (type === 'dividend') return [truthOf({ ...base, amount: amounts[row] ?? 0 })];
    const isValued = hasAmounts || type !== 'staking';
    return [
      truthOf({ ...base, quantity: String(quantities[row]), ...(isValued ? { amount: amounts[row] ?? 0 } : {}) }),
    ];
  });
  return { table, truth };
}

const kinds: Readonly<Record<LayoutKind, (dice: Dice) => History>> = {
  trades: (dice) => trades(dice),
  coins,
  'closed shares': closedShares,
  'closed futures': closedFutures,
  'closed currencies': closedCurrencies,
  'options in columns': (dice) => options(dice, true),
  'options in symbols': (dice) => options(dice, false),
  futures: futureTrades,
  currencies: currencyTrades,
  splits,
  'split halves': splitHalves,
  'withheld tax': withheldTax,
  zones: zoned,
  'short years': shortYears,
  'second types': secondTypes,
  states,
  income,
};
