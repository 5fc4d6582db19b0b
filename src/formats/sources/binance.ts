import type { Quantity } from '../../base/decimal.ts';
import { isCurrency } from '../cells/currencies.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome, rowsWith } from '../reader.ts';
import { readCoinChange, readSign } from '../tables/coin-changes.ts';
import { derivative, internal, type Kinds, readRowKind } from '../tables/kinds.ts';
import { readSide, readUnitSide, type Side } from '../tables/legs.ts';
import { oneWay, readMovement } from '../tables/movements.ts';
import { readPairTrade, readUnits, splitPair } from '../tables/pairs.ts';

/**
 * Reads Binance's single-purpose files: trades in two generations of the layout, conversions, auto-invest, ETH staked
 * for BETH, currencies, and deposits and withdrawals since 2023. Older deposit and withdrawal files share one header,
 * so the request sets the direction. Rewards in the futures account are imported, but gains in it are not. Times are
 * UTC.
 */
export const binance = coinFormat(
  {
    id: 'binance',
    name: 'Binance trades and transfers',
    source: 'Binance',
    asksSide: ['transfers', 'transfers-2017'],
    // Spanish exports from 2025 contain dates like `25-12-31 01:00:45`.
    dates: 'year first',
  },
  [
    {
      id: 'trades',
      price: 'Price',
      header: 'Date(UTC) | Pair | Side | Price | Executed | Amount | Fee',
      read: (cells) => {
        const [base, quote, fee] = [
          readUnitSide(cells, 'Executed'),
          readUnitSide(cells, 'Amount'),
          readUnitSide(cells, 'Fee'),
        ];
        const time = cells.time('Date(UTC)');
        // `101INCH` may be 10 of 1INCH or 101 of INCH. The pair settles it.
        const pair = cells.text('Pair').toUpperCase().replace('/', '');
        if (base !== null && quote !== null && pair !== `${base.asset}${quote.asset}`)
          cells.reject('Pair', rejections.unitsNotOfPair);
        return readPairTrade(cells, time, 'Side', { base, quote, fee }, {});
      },
    },
    {
      id: 'trades-market',
      price: 'Price',
      header: 'Date(UTC) | Market | Type | Price | Amount | Total | Fee | Fee Coin',
      read: (cells) => {
        const pair = splitPair(cells, 'Market');
        const time = cells.time('Date(UTC)');
        const sides = { base: readUnits(cells, 'Amount', pair?.[0]), quote: readUnits(cells, 'Total', pair?.[1]) };
        return readPairTrade(cells, time, 'Type', { ...sides, fee: readSide(cells, 'Fee Coin', 'Fee') }, {});
      },
    },
    {
      id: 'auto-invest',
      header: 'Auto-Invest Date(UTC) | Holding Coin | Amount per period | Trading Fee | Units | Status',
      read: (cells) => {
        const [paid, fee, received] = [
          readUnitSide(cells, 'Amount per period'),
          readUnitSide(cells, 'Trading Fee'),
          readUnitSide(cells, 'Units'),
        ];
        const time = cells.time('Auto-Invest Date(UTC)');
        if (!/^success/i.test(cells.text('Status'))) return cells.skip(skips.orderNotFilled);
        // The period's amount is the total paid, including the fee.
        const given = withoutFee(paid, fee);
        return readMovement(cells, time, { given, received, fee, kind: 'trade' }, {});
      },
    },
    {
      id: 'beth',
      header: 'Date(UTC) | Coin | Token | Amount | Status',
      read: (cells) => {
        const given = readSide(cells, 'Coin', 'Amount');
        const received = readSide(cells, 'Token', 'Amount');
        const time = cells.time('Date(UTC)');
        if (!/^success/i.test(cells.text('Status'))) return cells.skip(skips.orderNotFilled);
        return readMovement(cells, time, { given, received, kind: 'trade' }, {});
      },
    },
    { id: 'withdrawals', header: 'Date(UTC+0) | Coin | Network | Amount | Fee | Address | TXID | Status' },
    { id: 'deposits', header: 'Date(UTC+0) | Coin | Network | Amount | Address | TXID | Status' },
    {
      id: 'transfers',
      header: 'Date(UTC) | Coin | Amount | TransactionFee | Address | TXID | SourceAddress | PaymentID | Status',
    },
    {
      id: 'transfers-2017',
      header: 'Date | Coin | Amount | TransactionFee | Address | TXID | SourceAddress | PaymentID | Status',
    },
    {
      id: 'convert',
      header: 'Date | Pair | Type | Sell | Buy | Inverse Price | Date Updated | Status',
      read: (cells) => {
        const [given, received] = [readUnitSide(cells, 'Sell'), readUnitSide(cells, 'Buy')];
        const time = cells.time('Date');
        const pair = cells.text('Pair').toUpperCase().replace('/', '');
        const names = [given?.asset ?? '', received?.asset ?? ''];
        if (pair !== names.join('') && pair !== names.toReversed().join(''))
          cells.reject('Pair', rejections.unitsNotOfPair);
        if (!/^success/i.test(cells.text('Status'))) return cells.skip(skips.orderNotFilled);
        return readMovement(cells, time, { given, received, kind: 'trade' }, {});
      },
    },
    {
      id: 'currencies',
      header: 'Coin | Amount | Status | Payment Method | Indicated Amount | Fee | Order ID',
      read: (cells) => {
        const moved = cells.need('Amount', readSide(cells, 'Coin', 'Amount'));
        if (moved === null) return cells.refused();
        if (isCurrency(moved.asset)) return cells.skip(skips.cashMoved);
        return cells.rejected('Coin', rejections.notCurrencyMoved);
      },
    },
    {
      id: 'futures',
      header: 'Date(UTC) | type | Amount | Asset | Symbol | Transaction ID',
      evidence: { column: 'type', says: /^(?:REALIZED_PNL|FUNDING_FEE|INSURANCE_CLEAR|COMMISSION_REBATE)$/ },
      read: (cells) => {
        const side = readSide(cells, 'Asset', 'Amount');
        const time = cells.time('Date(UTC)');
        const kind = readRowKind(cells, 'type', futuresKinds);
        if (cells.flawed) return cells.refused();
        if (typeof kind !== 'string') return kind;
        const common = { externalId: cells.text('Transaction ID') };
        return readCoinChange(cells, time, 'Amount', { side, sign: readSign(cells, 'Amount'), kind }, common);
      },
    },
  ],
  rowsWith(({ layout, context }) => context.side ?? layout.id, readTransfer),
);

const futuresKinds: Kinds = [
  [/^(?:realized_pnl|funding_fee|commission|insurance_clear|auto_exchange|delivered_settel?ment)$/, derivative],
  [/^(?:transfer|internal_transfer|cross_collateral_transfer|strategy_umfutures_transfer)$/, internal],
  [/_(?:rebate|reward|bonus|kickback|prize|prize_payout)$/, 'reward'],
];

function withoutFee(paid: Side | null, fee: Side | null): Side | null {
  if (paid === null || fee === null || fee.asset !== paid.asset) return paid;
  return { ...paid, quantity: (paid.quantity - fee.quantity) as Quantity };
}

function readTransfer(cells: Cells, direction: string): Outcome {
  const moved = readSide(cells, 'Coin', 'Amount');
  const fee = readUnits(cells, cells.has('TransactionFee') ? 'TransactionFee' : 'Fee', moved?.asset);
  const time = cells.time(['Date(UTC+0)', 'Date(UTC)'].find((name) => cells.has(name)) ?? 'Date');
  if (cells.flawed) return cells.refused();
  if (!/^(?:success|completed)/i.test(cells.text('Status'))) return cells.skip(skips.transferNotCompleted);
  const out = direction.startsWith('withdrawal');
  return readMovement(cells, time, oneWay(out, moved, fee), { externalId: cells.text('TXID') });
}
