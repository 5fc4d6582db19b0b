import { isCurrency } from '../cells/currencies.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { brokerFormat, type Cells, type Outcome, readOnlyCell, type StatedFields } from '../reader.ts';
import { computeWorth } from '../tables/activity.ts';
import { readCoinChange } from '../tables/coin-changes.ts';
import { internal, type Kinds, readRowKind } from '../tables/kinds.ts';
import { readSide, roundToMoney, type Side } from '../tables/legs.ts';
import { checkedMoney, computeTolerance } from '../tables/stated-money.ts';

/**
 * Reads Bitpanda files, which contain coins, metals and shares, with the class in each row. The direction column is
 * unreliable, so the type decides. The price shows whether a trade's amount includes the fee.
 */
export const bitpanda = brokerFormat(
  { id: 'bitpanda', name: 'Bitpanda transactions', source: 'Bitpanda', assetClass: null, zone: 'UTC' },
  [
    {
      id: 'transactions',
      header: `Transaction ID | Timestamp | Transaction Type | In/Out | Amount Fiat | Fiat | Amount Asset | Asset |
        Asset class | Fee | Fee asset`,
      read: (cells) => readRow(cells, today),
    },
    {
      id: 'transactions-until-2020',
      header: 'ID | Type | In/Out | Amount Fiat | Fee | Fiat | Amount Asset | Asset | Status | Created at',
      read: (cells) => readRow(cells, until2020),
    },
  ],
);

/** Column names that differ between layouts. '' if a layout has no such column. */
const today = { id: 'Transaction ID', date: 'Timestamp', type: 'Transaction Type', feeAsset: 'Fee asset' };
const until2020 = { id: 'ID', date: 'Created at', type: 'Type', feeAsset: '' };

const kinds: Kinds = [
  ['buy', 'buy'],
  ['sell', 'sell'],
  ['deposit', 'deposit'],
  ['withdrawal', 'withdrawal'],
  [/^rewards?$/, 'reward'],
  [/^transfer ?\((?:un)?stake\)$/, internal],
  ['transfer', { refuse: rejections.earningUnclear }],
];

function readRow(cells: Cells, columns: typeof today): Outcome {
  if (readOnlyCell(cells.row) !== '' || cells.text('Asset') === 'Asset') return cells.skip(skips.titleOrHeader);
  const time = cells.time(columns.date);
  const kind = readRowKind(cells, columns.type, kinds);
  const asset = readSide(cells, 'Asset', 'Amount Asset');
  const money = readSide(cells, 'Fiat', 'Amount Fiat');
  const moved = asset ?? (kind === 'buy' || kind === 'sell' ? null : money);
  const fee = columns.feeAsset === '' ? readTransferFee(cells, moved) : readSide(cells, columns.feeAsset, 'Fee');
  const assetClass = readAssetClass(cells);
  if ((cells.roundedMoney('Tax Fiat') ?? 0n) !== 0n) cells.reject('Tax Fiat', rejections.taxedPaymentUnclear);
  if (cells.flawed) return cells.refused();
  const status = cells.text('Status');
  if (status !== '' && !/^finished$/i.test(status)) return cells.skip(skips.transactionNotCompleted);
  if (typeof kind !== 'string') return kind;
  const common = { externalId: cells.text(columns.id), ...assetClass };
  if (kind === 'buy' || kind === 'sell') return readTrade(cells, time, kind, { asset, money, fee }, common);
  if (kind === 'deposit' && fee !== null) return cells.rejected('Fee', rejections.feeMayBeIncluded);
  const worth =
    kind === 'reward' && money !== null ? { worth: roundToMoney(money.quantity), currency: money.asset } : {};
  return readCoinChange(cells, time, 'Amount Asset', { side: moved, sign: null, kind, fee, ...worth }, common);
}

/** Returns a transfer's fee. Until 2020, it is in the transferred asset, and a trade's fee has no currency. */
function readTransferFee(cells: Cells, moved: Side | null): Side | null {
  const quantity = cells.roundedQuantity('Fee');
  return quantity === null || quantity === 0n || moved === null ? null : { asset: moved.asset, quantity };
}

const classes = new Map([
  ['cryptocurrency', { assetClass: 'crypto' }],
  ['stock', { assetClass: 'stock' }],
  ['etf', { assetClass: 'fund' }],
] as const);

/** Metals have no asset class, and fiat money needs none. A contract on a share is not a share. */
function readAssetClass(cells: Cells): Pick<StatedFields, 'assetClass'> {
  const word = cells.text('Asset class').toLowerCase();
  if (word === '') return cells.has('Asset class') ? {} : { assetClass: 'crypto' };
  const known = classes.get(word as 'stock');
  if (known === undefined && word !== 'fiat' && word !== 'metal')
    cells.reject('Asset class', rejections.assetOrContractUnclear);
  return known ?? {};
}

interface Trade {
  readonly asset: Side | null;
  readonly money: Side | null;
  readonly fee: Side | null;
}

function readTrade(
  cells: Cells,
  time: ReturnType<Cells['time']>,
  side: 'buy' | 'sell',
  { asset, money, fee }: Trade,
  common: Partial<StatedFields>,
): Outcome {
  const [units, paid] = [cells.need('Amount Asset', asset), cells.need('Amount Fiat', money)];
  if (units === null || paid === null) return cells.refused();
  if (isCurrency(units.asset)) return cells.skip(skips.currencyExchanged);
  const inMoney = fee?.asset === paid.asset;
  const computed = computeWorth(cells, 'Asset market price', units.quantity);
  if (fee !== null && !inMoney && isCurrency(fee.asset)) return cells.rejected('Fee', rejections.feeInOtherCurrency);
  if (fee !== null && !cells.has('Asset market price')) return cells.rejected('Fee', rejections.feeMayBeIncluded);
  const tolerance = computeTolerance(cells.text('Asset market price'), cells.text('Amount Asset'));
  const checked = checkedMoney({
    side,
    amount: roundToMoney(paid.quantity),
    total: null,
    fee: inMoney ? roundToMoney(fee.quantity) : null,
    computed,
    tolerance,
  });
  if (checked.disagreement !== null) cells.warn(checked.disagreement);
  const inKind = fee === null || inMoney ? {} : { feeAsset: fee.asset, feeQuantity: fee.quantity };
  return cells.read(time, {
    ...common,
    ...inKind,
    type: side,
    asset: units.asset,
    quantity: units.quantity,
    amount: checked.gross,
    fee: checked.fee,
    currency: paid.asset,
  });
}
