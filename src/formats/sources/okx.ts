import type { Quantity } from '../../base/decimal.ts';
import { magnitude } from '../cells/amounts.ts';
import { Cells, HeaderColumns } from '../cells/cells.ts';
import { rejections, skips } from '../cells/reasons.ts';
import {
  coinFormat,
  nameRepeatedColumns,
  type Outcome,
  type Reader,
  type ReadingContext,
  type Row,
  type Time,
} from '../reader.ts';
import { Gatherer } from '../tables/gatherer.ts';
import { derivative, internal, type Kinds, readRowKind } from '../tables/kinds.ts';
import { exchangeOfLegs, type LedgerLeg } from '../tables/leg-groups.ts';
import type { Side } from '../tables/legs.ts';
import { readMovement } from '../tables/movements.ts';

/**
 * Reads OKX trading history and funding history. In trading history, each leg of a fill is a row of its order, with the
 * change in balance after the fee. The line above the header contains the time zone.
 */
export const okx = coinFormat(
  { id: 'okx', name: 'OKX trading and funding history', source: 'OKX' },
  [
    {
      id: 'trading',
      price: 'Filled Price',
      header: 'id | Order id | Time | Trade Type | Action | Fee | Fee Unit | Balance Change | Balance Unit',
    },
    {
      id: 'trading-2022',
      price: 'Filled Price',
      header: 'Order id | Time | Trade Type | Instrument | Type | Amount | Unit | PL | Fee | Balance Change',
    },
    { id: 'funding', header: 'id | Time | Type | Amount | Before Balance | After Balance | Symbol' },
  ],
  (layout, header, context) => {
    const zone = readPreambleZone(context.preamble);
    if (layout.id === 'funding') {
      const columns = new HeaderColumns(header);
      return { read: (row) => [readFunding(new Cells(row, columns, context), zone)], end: () => [] };
    }
    if (layout.id === 'trading') return new TradingReader(new HeaderColumns(header), context, zone, current);
    return new TradingReader(
      new HeaderColumns(nameRepeatedColumns(header, 'Unit', ['Amount', 'Balance'])),
      context,
      zone,
      first,
    );
  },
);

interface TradingColumns {
  readonly action: string;
  readonly unit: string;
  readonly feeUnit: string;
}
const current: TradingColumns = { action: 'Action', unit: 'Balance Unit', feeUnit: 'Fee Unit' };
const first: TradingColumns = { action: 'Type', unit: 'Balance Unit', feeUnit: 'Balance Unit' };

/** Returns ` +08:00` for `Time Zone:UTC+8`. '' if the file has no such line. */
function readPreambleZone(preamble: readonly Row[]): string {
  const match = /time zone:\s*UTC([+-])(\d{1,2})(?::?(\d{2}))?/i.exec(preamble.flatMap(({ cells }) => cells).join(' '));
  return match === null ? '' : ` ${match[1]}${(match[2] ?? '').padStart(2, '0')}:${match[3] ?? '00'}`;
}

const tradeTypes: Kinds = [
  ['spot', 'trade'],
  ['transfer', internal],
  [/perpetual|swap|futures?|margin|options?|expiry/, derivative],
];

class TradingReader implements Reader {
  private readonly fills = new Gatherer<LedgerLeg>((legs) => finish(legs, this.readRowTime(legs[0]?.cells)));

  constructor(
    private readonly columns: HeaderColumns,
    private readonly context: ReadingContext,
    private readonly zone: string,
    private readonly named: TradingColumns,
  ) {}

  read(row: Row): readonly Outcome[] {
    const cells = new Cells(row, this.columns, this.context);
    const { action, unit, feeUnit } = this.named;
    const change = cells.roundedQuantity('Balance Change');
    const fee = cells.roundedQuantity('Fee') ?? (0n as Quantity);
    const time = this.readRowTime(cells);
    const kind = readRowKind(cells, 'Trade Type', tradeTypes);
    if (cells.flawed || time === null) return [cells.refused()];
    if (typeof kind !== 'string') return [kind];
    if (!/^(?:buy|sell)$/i.test(cells.text(action))) return [cells.rejected(action, rejections.neitherPurchaseNorSale)];
    cells.need('Balance Change', change);
    const asset = cells.text(unit).toUpperCase();
    if (asset === '') cells.reject(unit, rejections.quantityWithoutAsset);
    const feeAsset = cells.text(feeUnit).toUpperCase();
    if (fee > 0n && feeAsset !== asset) cells.reject('Fee', rejections.feePaidOut);
    if (cells.flawed || change === null) return [cells.refused()];
    // A negative fee was paid. A positive one is a rebate, which the change already includes.
    const charged = fee < 0n ? (-fee as Quantity) : (0n as Quantity);
    const within = feeAsset === asset ? charged : 0n;
    const gross = { asset, quantity: magnitude((change + within) as Quantity) as Quantity };
    const legs: LedgerLeg[] =
      gross.quantity === 0n ? [] : [{ cells, side: gross, out: change + within < 0n, isFee: false }];
    if (charged > 0n) legs.push({ cells, side: { asset: feeAsset, quantity: charged }, out: true, isFee: true });
    if (legs.length === 0) return [cells.skip(skips.zeroAmount)];
    return this.fills.add(`${cells.text('Order id')} ${cells.text('Time')}`, ...legs);
  }

  end(): readonly Outcome[] {
    return this.fills.end();
  }

  private readRowTime(cells: Cells | undefined): Time | null {
    return cells === undefined ? null : readZonedTime(cells, this.zone);
  }
}

function readZonedTime(cells: Cells, zone: string): Time | null {
  const text = cells.text('Time');
  return cells.parseTime('Time', text === '' ? '' : `${text}${zone}`);
}

/**
 * Identifies the exchange by the first of its rows' ids in sort order, so the id is the same whether the file is newest
 * or oldest first.
 */
function finish(legs: readonly LedgerLeg[], time: Time | null): readonly Outcome[] {
  const [externalId = ''] = legs.map(({ cells }) => idOf(cells)).sort();
  return exchangeOfLegs(legs, time, 'Order id', { externalId });
}

/** Removes the BOM that some files contain before every line. */
function idOf(cells: Cells): string {
  return cells.text('id').replace(/^\uFEFF/, '');
}

const fundingKinds: Kinds = [
  [/^(?:deposit|received)$/, 'deposit'],
  [/^withdrawal$/, 'withdrawal'],
  [
    /^(?:from|to) (?:unified )?trading account$|^(?:redeem )?stak(?:e|ing)$|^savings (?:subscription|redemption)$/,
    internal,
  ],
  [/^staking yield$/, 'staking'],
  [/rebate/, 'reward'],
];

function readFunding(cells: Cells, zone: string): Outcome {
  const amount = cells.roundedQuantity('Amount');
  const fee = magnitude(cells.roundedQuantity('Fee')) ?? (0n as Quantity);
  const [before, after] = [cells.roundedQuantity('Before Balance'), cells.roundedQuantity('After Balance')];
  const time = readZonedTime(cells, zone);
  const kind = readRowKind(cells, 'Type', fundingKinds);
  if (cells.flawed) return cells.refused();
  if (typeof kind !== 'string') return kind;
  cells.need('Amount', amount);
  const symbol = cells.text('Symbol').toUpperCase();
  if (symbol === '') cells.reject('Symbol', rejections.quantityWithoutAsset);
  if (amount === null || cells.flawed) return cells.refused();
  const common = { externalId: idOf(cells) };
  const side = (quantity: bigint): Side | null =>
    quantity === 0n ? null : { asset: symbol, quantity: quantity as Quantity };
  const size = magnitude(amount) ?? amount;
  if (kind !== 'withdrawal') return readMovement(cells, time, { received: side(size), kind }, common);
  // Whether the amount includes the fee follows only from the balances.
  const left = before === null || after === null ? null : before - after;
  const holdsFee = fee === 0n || left === size;
  if (!holdsFee && left !== size + fee) return cells.rejected('Amount', rejections.balanceDiffers);
  const movement = { given: side(holdsFee ? size - fee : size), fee: side(fee) };
  return readMovement(cells, time, movement, common);
}
