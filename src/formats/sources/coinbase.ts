import type { Money, Quantity } from '../../base/decimal.ts';
import type { TransactionType } from '../../engine/model.ts';
import { magnitude, sum, toFee } from '../cells/amounts.ts';
import { isCurrency } from '../cells/currencies.ts';
import { readQuantityRounded } from '../cells/fields.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type HeaderColumns, type Outcome, rowsWith, type StatedFields } from '../reader.ts';
import { checkAgain, inNet, lessFee } from '../tables/stated-money.ts';

/**
 * Reads all generations of the Coinbase "transaction history". Times are UTC. Money is in the price currency, which the
 * oldest files include in the column names. Subtotal is before the fee and may have a sign.
 */
export const coinbase = coinFormat(
  { id: 'coinbase', name: 'Coinbase transaction history', source: 'Coinbase', zone: 'local' },
  [
    {
      // The sync writes this header. The ids of Coinbase's API differ from those of its export.
      id: 'api',
      header: `Coinbase API ID | Timestamp | Transaction Type | Asset | Quantity Transacted | Price Currency | Subtotal |
        Total (inclusive of fees and/or spread) | Fees and/or Spread`,
    },
    {
      id: '2024',
      price: 'Price at Transaction',
      header: `ID | Timestamp | Transaction Type | Asset | Quantity Transacted | Price Currency |
        Price at Transaction | Subtotal | Total (inclusive of fees and/or spread) | Fees and/or Spread`,
    },
    {
      id: '2022',
      price: 'Spot Price at Transaction',
      header: `Timestamp | Transaction Type | Asset | Quantity Transacted | Spot Price Currency |
        Spot Price at Transaction | Subtotal`,
    },
    { id: '2020', header: 'Timestamp | Transaction Type | Asset | Quantity Transacted | Notes' },
  ],
  rowsWith(({ columns }) => readColumnNames(columns), readRow),
);

/** Names of the columns that were renamed over the years. */
interface CoinbaseNames {
  readonly id: string;
  readonly currency: string;
  /** The currency of all money columns, if their names contain it. */
  readonly currencyOfFile: string;
  readonly subtotal: string;
  readonly total: string;
  readonly fees: string;
}

function readColumnNames(columns: HeaderColumns): CoinbaseNames {
  const stated = columns.names
    .map((name) => /^([A-Z]{3}) Subtotal$/i.exec(name)?.[1])
    .find((code) => code !== undefined);
  const prefix = stated === undefined ? '' : `${stated} `;
  return {
    id: columns.pick('ID', 'Coinbase API ID'),
    currency: columns.pick('Price Currency', 'Spot Price Currency'),
    currencyOfFile: (stated ?? 'USD').toUpperCase(),
    subtotal: `${prefix}Subtotal`,
    total: columns.pick('Total (inclusive of fees and/or spread)', `${prefix}Total (inclusive of fees)`),
    fees: columns.pick('Fees and/or Spread', `${prefix}Fees`),
  };
}

interface CoinbaseRow {
  readonly cells: Cells;
  readonly kind: string;
  readonly asset: string;
  readonly quantity: Quantity | null;
  /** Whether the quantity has a minus sign in the file. */
  readonly outgoing: boolean;
  readonly subtotal: Money | null;
  readonly total: Money | null;
  readonly fee: Money | null;
  readonly common: Pick<StatedFields, 'asset' | 'currency' | 'externalId' | 'note'>;
}

function readRow(cells: Cells, names: CoinbaseNames): Outcome {
  const signed = cells.roundedQuantity('Quantity Transacted');
  const asset = cells.text('Asset');
  const notes = cells.text('Notes');
  const row: CoinbaseRow = {
    cells,
    kind: cells.text('Transaction Type').toLowerCase(),
    asset,
    quantity: cells.need('Quantity Transacted', magnitude(signed)),
    outgoing: signed !== null && signed < 0n,
    subtotal: magnitude(cells.roundedMoney(names.subtotal)),
    total: magnitude(cells.roundedMoney(names.total)),
    fee: toFee(cells.roundedMoney(names.fees)),
    common: {
      asset,
      currency: cells.text(names.currency).toUpperCase() || names.currencyOfFile,
      externalId: cells.text(names.id),
      note: notes,
    },
  };
  if (asset === '') cells.reject('Asset', rejections.assetMissing);
  if (internalKinds.test(row.kind)) return cells.skip(skips.movedWithinCoinbase);
  const income = incomeKinds.find(([shape]) => shape.test(row.kind))?.[1];
  if (income !== undefined) return readIncome(row, income);
  return (readers.get(row.kind) ?? rejectUnknown)(row, names);
}

/** Kinds form families (`… reward`, `retail …`) that are recognized by their words. The first match wins. */
const internalKinds = /^retail eth2 deprecation$|^vault (?:deposit|withdrawal)$|\b(?:un)?staking transfer$/;
const incomeKinds: readonly (readonly [RegExp, TransactionType])[] = [
  [/\bstaking (?:income|rewards?|payout)\b|^inflation reward$/, 'staking'],
  [/^(?!.*\b(?:charge|loan|borrow\w*)\b).*\binterest\b/, 'interest'],
  [/\b(?:airdrop|fork)\b/, 'airdrop'],
  [/\b(?:rewards?|bonus|rebates?|incentives?|cash ?back|referral|coinbase earn)\b/, 'reward'],
];

const readers: ReadonlyMap<string, (row: CoinbaseRow, names: CoinbaseNames) => Outcome> = new Map([
  ['buy', readPurchase],
  ['advanced trade buy', readPurchase],
  ['advance trade buy', readPurchase],
  ['sell', readSale],
  ['advanced trade sell', readSale],
  ['advance trade sell', readSale],
  ['convert', readConversion],
  ['send', sent],
  ['receive', readReceipt],
  ['deposit', readMove],
  ['withdrawal', readMove],
  // A transfer to Coinbase's other exchange leaves this account, and vice versa.
  ['pro deposit', (row) => leg(row, 'withdrawal')],
  ['exchange deposit', (row) => leg(row, 'withdrawal')],
  ['pro withdrawal', (row) => leg(row, 'deposit')],
  ['exchange withdrawal', (row) => leg(row, 'deposit')],
  ['card spend', readSpending],
]);

function rejectUnknown({ cells, kind }: CoinbaseRow): Outcome {
  return cells.rejected('Transaction Type', rejections.unexplained(kind));
}

function readPurchase(row: CoinbaseRow, names: CoinbaseNames): Outcome {
  const paid = readCounterSide(row, 'Bought');
  if (paid !== undefined) {
    // The units paid include the fee, so the proceeds are the value of the units received by the other side.
    const { asset, quantity, ...common } = { ...row.common, quantity: row.quantity };
    const amount = row.subtotal ?? row.total;
    return row.cells.read(readRowTime(row), {
      ...common,
      type: 'trade',
      asset: paid.asset,
      quantity: paid.quantity,
      receivedAsset: asset ?? '',
      receivedQuantity: quantity,
      amount,
    });
  }
  const amount =
    row.subtotal ?? (row.total === null ? null : sum(row.total, row.fee === null ? null : (-row.fee as Money)));
  const stated: StatedFields = { ...row.common, type: 'buy', quantity: row.quantity, amount, fee: row.fee };
  row.cells.need(names.subtotal, amount);
  checkAgain(row.cells, names.total, sum(amount, row.fee), inNet);
  return row.cells.read(readRowTime(row), stated);
}

function readSale(row: CoinbaseRow, names: CoinbaseNames): Outcome {
  const got = readCounterSide(row, 'Sold');
  if (got !== undefined) {
    return row.cells.read(readRowTime(row), {
      ...row.common,
      type: 'trade',
      quantity: row.quantity,
      receivedAsset: got.asset,
      receivedQuantity: got.quantity,
      // Both the units received and their value are net of the fee.
      amount: row.total ?? row.subtotal,
    });
  }
  const amount = row.subtotal ?? sum(row.total, row.fee);
  row.cells.need(names.subtotal, amount);
  checkAgain(row.cells, names.total, lessFee(amount, row.fee), inNet);
  return row.cells.read(readRowTime(row), {
    ...row.common,
    type: 'sell',
    quantity: row.quantity,
    amount,
    fee: row.fee,
  });
}

/** Reads the counter coin of a trade that only the note names: "Sold 484.8 EOS for 366.04 USDC on EOS-USDC". */
function readCounterSide(row: CoinbaseRow, verb: string): { asset: string; quantity: Quantity } | undefined {
  const match = new RegExp(`^${verb} [\\d.,]+ \\S+ for ([\\d.,]+) ([A-Z0-9]+) on \\S+-([A-Z0-9]+)`).exec(
    row.common.note ?? '',
  );
  const [, amount = '', asset = '', quote = ''] = match ?? [];
  const quantity = readQuantityRounded(amount);
  return quantity === undefined || asset !== quote || isCurrency(asset) ? undefined : { asset, quantity };
}

function readConversion(row: CoinbaseRow): Outcome {
  const { cells, common } = row;
  const match = /^Converted ([\d.,]+) (\S+) to ([\d.,]+) (\S+)$/.exec(common.note ?? '');
  const [, , from = '', amount = '', to = ''] = match ?? [];
  const quantity = readQuantityRounded(amount);
  if (quantity === undefined) return cells.rejected('Notes', rejections.conversionUnclear);
  if (from === 'ETH' && to === 'ETH2') return cells.skip(skips.stakedEther);
  return cells.read(readRowTime(row), {
    ...common,
    type: 'trade',
    asset: from,
    quantity: row.quantity,
    receivedAsset: to,
    receivedQuantity: quantity,
    amount: row.subtotal,
  });
}

function sent(row: CoinbaseRow): Outcome {
  return ownPart.test(row.common.note ?? '') ? row.cells.skip(skips.movedWithinCoinbase) : leg(row, 'withdrawal');
}

/**
 * Units received from Coinbase itself were earned, and units from staked assets or a vault were already held. Any other
 * name after "Coinbase" is a different account, so the units were transferred in.
 */
function readReceipt(row: CoinbaseRow): Outcome {
  const note = row.common.note ?? '';
  if (ownPart.test(note)) return row.cells.skip(skips.movedWithinCoinbase);
  return earnedFrom.test(note) ? readIncome(row, 'reward') : leg(row, 'deposit');
}

const ownPart = /\b(?:from|to) Coinbase (?:Staked Assets|Staking|Vaults?)\.?$/i;
const earnedFrom =
  /\bfrom (?:Coinbase(?: (?:Earn(?:ings?)?|Learn|Rewards?|(?:USDC|Card|Staking|Earn|Learning) Rewards?|Referrals?|Bonus(?:es)?|Giveaways?|Promotions?))?|Network Deprecation)\.?$/i;

function readMove(row: CoinbaseRow): Outcome {
  return leg(row, row.kind === 'deposit' ? 'deposit' : 'withdrawal');
}

function leg(row: CoinbaseRow, type: 'deposit' | 'withdrawal'): Outcome {
  if (isCurrency(row.asset)) return row.cells.skip(skips.notTaxable(type, row.asset));
  return row.cells.read(readRowTime(row), { ...row.common, type, quantity: row.quantity });
}

function readIncome(row: CoinbaseRow, type: TransactionType): Outcome {
  const cash = isCurrency(row.asset);
  return row.cells.read(readRowTime(row), {
    ...row.common,
    type,
    asset: cash ? '' : row.asset,
    quantity: cash ? null : row.quantity,
    amount: row.subtotal ?? row.total,
    fee: row.fee,
  });
}

function readSpending(row: CoinbaseRow): Outcome {
  if (isCurrency(row.asset)) return row.cells.skip(skips.currencySpent(row.asset));
  const amount = row.subtotal ?? row.total;
  return row.cells.read(readRowTime(row), {
    ...row.common,
    type: 'spend',
    quantity: row.quantity,
    amount,
    fee: row.fee,
  });
}

function readRowTime({ cells }: CoinbaseRow): ReturnType<Cells['time']> {
  return cells.time('Timestamp', 'UTC');
}
