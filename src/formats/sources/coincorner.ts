import { isCurrency } from '../cells/currencies.ts';
import { readQuantityRounded } from '../cells/fields.ts';
import { withLines } from '../cells/joiner.ts';
import { grossNotNetAndFee, rejections, skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome, rowsInGroups } from '../reader.ts';
import { readCoinChange, readSign } from '../tables/coin-changes.ts';
import { Gatherer } from '../tables/gatherer.ts';
import { cash, type Kinds, readRowKind } from '../tables/kinds.ts';
import { exchangeOfLegs, type LedgerLeg } from '../tables/leg-groups.ts';
import { readExchange, readSide, type Side } from '../tables/legs.ts';

/**
 * Reads CoinCorner files. A trade has one row for the money, with the coin in its detail (`Bought 0.1 BTC`), and one
 * row for the coins. The gross amount is the net amount plus the fee. Until 2020, both rows share only their date. The
 * user chooses the date format.
 */
export const coinCorner = coinFormat(
  { id: 'coincorner', name: 'CoinCorner transactions', source: 'CoinCorner', asksDateOrder: true, zone: 'local' },
  [
    {
      id: 'transactions',
      price: 'Price',
      header: 'Date & Time | Store/Website | Detail | Type | Tx ID | Gross | Gross Currency | Fee | Net',
    },
    {
      id: 'transactions-until-2020',
      header: 'Date | Currency | Transaction Type | Amount | Balance',
      evidence: { column: 'Transaction Type', says: /^(?:(?:Bought|Sold) Bitcoin|Coinfloor Balance Transfer)$/ },
    },
  ],
  (layout, ...file) =>
    (layout.id === 'transactions'
      ? rowsInGroups(() => new Gatherer<TradeRow>(finishTrades), readRow)
      : rowsInGroups(
          () =>
            new Gatherer<LedgerLeg>((legs) =>
              exchangeOfLegs(legs, legs[0]?.cells.time('Date') ?? null, 'Transaction Type'),
            ),
          readHalf,
        ))(layout, ...file),
);

const kinds: Kinds = [
  ['trade', 'trade'],
  ['receive', 'deposit'],
  ['send', 'withdrawal'],
  [/^bank (?:deposit|withdrawal)$/, cash],
];

/** One of a trade's two rows: the money, with the coins named in the detail, or the coins. */
interface TradeRow {
  readonly cells: Cells;
  readonly money: Side | null;
  readonly coins: Side;
}

function readRow(cells: Cells, trades: Gatherer<TradeRow>): Outcome | readonly Outcome[] {
  const [gross, net] = [readSide(cells, 'Gross Currency', 'Gross'), readSide(cells, 'Net Currency', 'Net')];
  const fee = readSide(cells, 'Fee Currency', 'Fee');
  const time = cells.time('Date & Time');
  const named = readTradedCoins(cells);
  const sign = readSign(cells, 'Gross');
  // In some years, every row is called a Faster Payment.
  const unnamed = named !== null ? 'trade' : sign === 'out' ? 'withdrawal' : 'deposit';
  const kind = /^fps$/i.test(cells.text('Type')) ? unnamed : readRowKind(cells, 'Type', kinds);
  const within = fee?.asset === gross?.asset ? (fee?.quantity ?? 0n) : 0n;
  if ((gross?.quantity ?? 0n) !== (net?.quantity ?? 0n) + within) cells.warn(grossNotNetAndFee);
  if (cells.flawed) return cells.refused();
  if (typeof kind !== 'string') return kind;
  if (kind !== 'trade') {
    const side = kind === 'withdrawal' ? net : gross;
    const change = { side, sign: kind === 'withdrawal' ? null : sign, kind, fee };
    return readCoinChange(cells, time, 'Gross', change, { externalId: cells.text('Tx ID') });
  }
  if (gross === null) return cells.refused();
  const isMoney = isCurrency(gross.asset);
  const coins = isMoney ? named : gross;
  if (coins === null) return cells.rejected('Detail', rejections.assetNotInDetail);
  return trades.add(`${coins.quantity} ${coins.asset}`, { cells, coins, money: isMoney ? gross : null });
}

/** Reads the coins from a detail, such as `0.1 BTC` in "Instant order: Bought 0.1 BTC". */
function readTradedCoins(cells: Cells): Side | null {
  const words = cells.text('Detail').split(/\s+/).slice(-3);
  const [way = '', units = '', asset = ''] = words;
  const quantity = /^(?:bought|sold)$/i.test(way) ? readQuantityRounded(units) : undefined;
  return quantity === undefined || quantity <= 0n ? null : { asset: asset.toUpperCase(), quantity };
}

/**
 * Pairs each money row with a row for the coins that it names. Coins without a payment are rejected, so the user is
 * asked.
 */
function finishTrades(rows: readonly TradeRow[]): readonly Outcome[] {
  const coins = rows.filter(({ money }) => money === null);
  const paid = rows.flatMap(({ cells, money, coins: traded }) => (money === null ? [] : [{ cells, money, traded }]));
  const trades = paid.map(({ cells, money, traded }, at) => {
    const fee = readSide(cells, 'Fee Currency', 'Fee');
    const within = fee?.asset === money.asset ? fee.quantity : 0n;
    const sells = readSign(cells, 'Gross') === 'in';
    const before = { ...money, quantity: (money.quantity - (sells ? 0n : within)) as Side['quantity'] };
    const sides = sells ? { given: traded, received: before } : { given: before, received: traded };
    const common = { externalId: cells.text('Tx ID') };
    const exchange = { ...sides, fee };
    const outcome = readExchange(cells, cells.time('Date & Time'), exchange, common);
    const other = coins[at]?.cells;
    if (outcome.kind !== 'read' || other === undefined) return outcome;
    const drafts = outcome.drafts.map((draft) => other.warned(draft));
    return withLines({ ...outcome, drafts }, [cells.line, other.line]);
  });
  const left = coins.filter(({ cells }) => !trades.some(({ lines }) => lines.includes(cells.line)));
  return [...trades, ...left.map(({ cells }) => cells.rejected('Gross', rejections.legsMissing))];
}

const kindsUntil2020: Kinds = [
  [/^bank (?:deposit|withdrawal)$/, cash],
  [/^(?:deposit|coinfloor balance transfer)$/, 'deposit'],
  ['withdrawal', 'withdrawal'],
  [/^(?:bought|sold) bitcoin$/, 'trade'],
];

function readHalf(cells: Cells, trades: Gatherer<LedgerLeg>): Outcome | readonly Outcome[] {
  const side = readSide(cells, 'Currency', 'Amount');
  const time = cells.time('Date');
  const kind = readRowKind(cells, 'Transaction Type', kindsUntil2020);
  if (cells.flawed) return cells.refused();
  if (typeof kind !== 'string') return kind;
  if (kind !== 'trade') return readCoinChange(cells, time, 'Amount', { side, sign: null, kind });
  if (side === null) return cells.skip(skips.zeroAmount);
  const bought = /^bought/i.test(cells.text('Transaction Type'));
  return trades.add(cells.text('Date'), { cells, side, out: bought === isCurrency(side.asset), isFee: false });
}
