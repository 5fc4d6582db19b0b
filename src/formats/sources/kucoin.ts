import { isCurrency } from '../cells/currencies.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { readZone } from '../cells/times.ts';
import { type Cells, coinFormat, type HeaderColumns, type Layout, type Outcome, type Time } from '../reader.ts';
import { findLabelType, incomeLabels } from '../tables/kinds.ts';
import { readSide, readUnitSide } from '../tables/legs.ts';
import { oneWay, readMovement } from '../tables/movements.ts';
import { checkPairPrice, readPairTrade, readUnits, splitPair } from '../tables/pairs.ts';
import { earlierTables, refuseFeeOfDeposit } from './kucoin-earlier.ts';

/**
 * Reads several generations of KuCoin orders, deposits and withdrawals (recognized only by the header), instant
 * conversions, coins bought and sold for currencies, staking, and the account history. The column name contains the
 * time zone. The default is UTC+8. Futures gains are not imported.
 */
export const kucoin = coinFormat({ id: 'kucoin', name: 'KuCoin history', source: 'KuCoin', zone: 'local' }, [
  {
    id: 'orders',
    price: 'Avg. Filled Price',
    header: `UID | Account Type | Order ID | Symbol | Side | Order Type | Avg. Filled Price | Filled Amount |
      Filled Volume | Fee | Fee Currency`,
    read: (cells, _layout, columns) => {
      const time = readZonedTime(cells, columns, /^filled time/i);
      const status = cells.text('Status').toLowerCase();
      const filled = cells.roundedQuantity('Filled Amount');
      const pair = splitPair(cells, 'Symbol');
      if (filled === 0n && !cells.flawed) return cells.skip(skips.orderNotFilled);
      if (/^(?:open|active)/.test(status)) return cells.skip(skips.orderNotFinished);
      refuseTax(cells);
      return readPairTrade(
        cells,
        time,
        'Side',
        {
          base: readUnits(cells, 'Filled Amount', pair?.[0]),
          quote: readUnits(cells, 'Filled Volume', pair?.[1]),
          fee: readSide(cells, 'Fee Currency', 'Fee'),
        },
        { externalId: cells.text('Order ID') },
      );
    },
  },
  {
    id: 'fills-2021',
    header: 'tradeCreatedAt | symbol | side | price | size | funds | fee | feeCurrency',
    read: (cells, _layout, columns) => {
      const time = readZonedTime(cells, columns, /^tradeCreatedAt/i);
      const pair = splitPair(cells, 'symbol');
      const sides = {
        base: readUnits(cells, 'size', pair?.[0]),
        quote: readUnits(cells, 'funds', pair?.[1]),
        fee: readSide(cells, 'feeCurrency', 'fee'),
      };
      return readPairTrade(cells, time, 'side', sides, { externalId: cells.text('orderId') });
    },
  },
  {
    id: 'withdrawals',
    header: `UID | Account Type | Coin | Amount | Fee | Withdrawal Address/Account | Transfer Network | Status |
      Remarks`,
    read: readTransfer,
  },
  {
    id: 'deposits',
    header: 'UID | Account Type | Coin | Amount | Fee | Transfer Network | Status | Remarks',
    read: readTransfer,
  },
  {
    id: 'convert',
    header: 'UID | Account Type | Payment Account | Sell | Buy | Price | Status',
    read: (cells, _layout, columns) => {
      const time = readZonedTime(cells, columns, /^time of update/i);
      const [given, received] = [readUnitSide(cells, 'Sell'), readUnitSide(cells, 'Buy')];
      if (!cells.flawed && !/^(?:success|completed|deal|filled)/i.test(cells.text('Status')))
        return cells.skip(skips.orderNotFilled);
      refuseTax(cells);
      return readMovement(cells, time, { given, received, kind: 'trade' }, {});
    },
  },
  {
    id: 'staking',
    header: 'UID | Account Type | Order ID | Staked Coin | Earnings Coin | Earnings Type | Amount | Fee',
    read: (cells, _layout, columns) => {
      const time = readZonedTime(cells, columns, /^time/i);
      const received = readSide(cells, 'Earnings Coin', 'Amount');
      const common = { externalId: cells.text('Order ID'), note: cells.text('Product Name') };
      return readMovement(cells, time, { received, kind: 'staking' }, common);
    },
  },
  {
    id: 'account-history',
    header: 'UID | Account Type | Currency | Side | Amount | Fee | Remark',
    read: (cells, _layout, columns) => {
      const time = readZonedTime(cells, columns, /^time/i);
      const received = readSide(cells, 'Currency', 'Amount');
      const kind = findLabelType(cells.text('Remark').toLowerCase(), incomeLabels);
      if (!cells.flawed && (kind === null || kind === 'gift_in' || /withdraw|out/i.test(cells.text('Side'))))
        return cells.skip(skips.inOtherFiles);
      return readMovement(cells, time, { received, kind }, {});
    },
  },
  {
    id: 'for-currency',
    header: `Order ID | Order Type | Currency (Crypto) | Crypto Quantity, | Price | Currency (Fiat) | Fiat Amount |
      Fee Currency | Fee | Status`,
    read: readForCurrency,
  },
  {
    id: 'deposits-of-currency',
    header: 'Order ID | Currency (Fiat) | Fiat Amount | Fee | Deposit Method | Status',
    read: readCurrency,
  },
  ...earlierTables,
]);

function refuseTax(cells: Cells): void {
  if ((cells.roundedQuantity('Tax') ?? 0n) !== 0n) cells.reject('Tax', rejections.taxAssetMissing);
}

/** Reads a coin bought or sold for a currency, from another user or KuCoin. */
function readForCurrency(cells: Cells, _layout: Layout, columns: HeaderColumns): Outcome {
  const time = readZonedTime(cells, columns, /^time/i);
  const sides = {
    base: readSide(cells, 'Currency (Crypto)', 'Crypto Quantity,'),
    quote: readSide(cells, 'Currency (Fiat)', 'Fiat Amount'),
    fee: readSide(cells, 'Fee Currency', 'Fee'),
  };
  if (unfinished.test(cells.text('Status'))) return cells.skip(skips.orderNotFilled);
  checkPairPrice(cells, 'Price', sides.base, sides.quote);
  return readPairTrade(cells, time, 'Order Type', sides, { externalId: cells.text('Order ID') });
}

/** Skips incoming currencies, which are not part of a gain. Rejects coins, which this file does not list. */
function readCurrency(cells: Cells, _layout: Layout, columns: HeaderColumns): Outcome {
  const came = cells.need('Fiat Amount', readSide(cells, 'Currency (Fiat)', 'Fiat Amount'));
  readZonedTime(cells, columns, /^time/i);
  if (came === null) return cells.refused();
  if (isCurrency(came.asset)) return cells.skip(skips.notTaxable('deposit', came.asset));
  return cells.rejected('Currency (Fiat)', rejections.notCurrency);
}

const unfinished = /cancel|fail|reject|pending|declin|expired|processing|unpaid|appeal/i;

function readTransfer(cells: Cells, layout: Layout, columns: HeaderColumns): Outcome {
  const time = readZonedTime(cells, columns, /^time/i);
  const moved = readSide(cells, 'Coin', 'Amount');
  const fee = readUnits(cells, 'Fee', moved?.asset);
  const out = layout.id === 'withdrawals';
  if (cells.flawed) return cells.refused();
  if (!/^(?:success|completed)/i.test(cells.text('Status'))) return cells.skip(skips.transferNotCompleted);
  if (!out) refuseFeeOfDeposit(cells);
  const common = { externalId: cells.text('Hash'), note: cells.text('Remarks') };
  return readMovement(cells, time, oneWay(out, moved, fee), common);
}

/** Reads a time whose column name contains the offset: `Order Time(UTC+01:00)`. */
function readZonedTime(cells: Cells, columns: HeaderColumns, shape: RegExp): Time | null {
  const column = columns.names.find((name) => shape.test(name)) ?? 'Time';
  const named = /\((UTC[^)]*)\)/i.exec(column)?.[1];
  const zone = readZone(named ?? (column === 'tradeCreatedAt' ? 'UTC' : 'UTC+8'));
  if (zone === undefined) cells.reject(column, rejections.unknownHeaderZone);
  return cells.parseTime(column, cells.text(column), zone);
}
