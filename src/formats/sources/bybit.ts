import type { Quantity } from '../../base/decimal.ts';
import { rejections } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome, rowsInGroups } from '../reader.ts';
import { readCoinChange, readSign } from '../tables/coin-changes.ts';
import { Gatherer } from '../tables/gatherer.ts';
import { derivative, internal, type Kinds, readRowKind } from '../tables/kinds.ts';
import { exchangeOfLegs, type LedgerLeg } from '../tables/leg-groups.ts';
import { readSide, type Side } from '../tables/legs.ts';

const logColumns = `Currency | Contract | Type | Direction | Quantity | Filled Price | Funding | Fee Paid |
  Cash Flow | Change | Wallet Balance`;

/**
 * Reads Bybit's funding account and its unified account log. In the log, a spot trade has one row per coin, and a row
 * may open or close a position in futures or options. Times are UTC.
 */
export const bybit = coinFormat(
  { id: 'bybit', name: 'Bybit account changes', source: 'Bybit' },
  [
    {
      id: 'funding',
      header: 'Date & Time(UTC) | Coin | QTY | Type | Account Balance | Description',
      read: readFunding,
    },
    { id: 'funding-until-2022', header: 'Type | Coin | Amount | Wallet Balance | Time(UTC)', read: readFunding },
    { id: 'unified', price: 'Filled Price', header: `${logColumns} | Action` },
    { id: 'derivatives', header: `${logColumns} | Fee Rate | Time`, read: readDerivative },
  ],
  rowsInGroups(
    () =>
      new Gatherer<LedgerLeg>((legs) =>
        exchangeOfLegs(legs, legs[0]?.cells.time(timeColumn(legs[0].cells)) ?? null, 'Contract', {
          externalId: legs[0]?.cells.text('TradeId') ?? '',
        }),
      ),
    readLogRow,
  ),
);

/** Matches the type, followed by a bar and the description. */
const fundingKinds: Kinds = [
  [/\|transfer (?:to|from) /, internal],
  [/\|deposit$|^(?:user)?deposit\|$/, 'deposit'],
  [/\|withdraw(?:al)?$|^withdraw(?:al)?\|$/, 'withdrawal'],
  [/^transfer (?:in|out)\||^internalaccounttransfer/, internal],
  [/^earn\|.*interest/, 'interest'],
  [/^earn\|.*(?:subscri|redempt|redeem)/, internal],
  [/^airdrop\|/, 'airdrop'],
];

function readFunding(cells: Cells): Outcome {
  const column = cells.has('QTY') ? 'QTY' : 'Amount';
  const side = readSide(cells, 'Coin', column);
  const time = cells.time(cells.has('QTY') ? 'Date & Time(UTC)' : 'Time(UTC)');
  const kind = readRowKind(cells, 'Type', fundingKinds, `${cells.text('Type')}|${cells.text('Description')}`);
  if (cells.flawed) return cells.refused();
  if (typeof kind !== 'string') return kind;
  return readCoinChange(cells, time, column, { side, sign: readSign(cells, column), kind });
}

const logKinds: Kinds = [
  [/^transfer_?(?:in|out)$/, internal],
  ['deposit', 'deposit'],
  ['withdraw', 'withdrawal'],
  ['airdrop', 'airdrop'],
  [/^(?:trade|settlement|funding|delivery|liquidation)$/, derivative],
];

function readDerivative(cells: Cells): Outcome {
  const kind = readRowKind(cells, 'Type', logKinds);
  return typeof kind === 'string' ? cells.rejected('Type', rejections.unknownType) : kind;
}

function readLogRow(cells: Cells, trades: Gatherer<LedgerLeg>): Outcome | readonly Outcome[] {
  const change = readSide(cells, 'Currency', 'Change');
  const time = cells.time(timeColumn(cells));
  const legs = readLedgerLegs(cells);
  if (cells.flawed) return cells.refused();
  if (/^trade$/i.test(cells.text('Type')) && /^(?:|-+)$/.test(cells.text('Action')))
    return trades.add(buildTradeKey(cells), ...legs);
  const kind = readRowKind(cells, 'Type', logKinds);
  if (typeof kind !== 'string') return kind;
  return readCoinChange(cells, time, 'Change', { side: change, sign: readSign(cells, 'Change'), kind });
}

function timeColumn(cells: Cells): string {
  return cells.has('Time(UTC)') ? 'Time(UTC)' : 'Time';
}

/**
 * Returns the key that a trade's two rows share: its number or, if that is missing, its time, pair, direction and
 * price.
 */
function buildTradeKey(cells: Cells): string {
  const id = cells.text('TradeId');
  const keyParts = [timeColumn(cells), 'Contract', 'Direction', 'Filled Price'].map((name) => cells.text(name));
  return id === '' ? keyParts.join('|') : `id ${id}`;
}

/**
 * Returns the units moved by a trade's row, and its fee, which is negative if paid. Together, they should equal the
 * change.
 */
function readLedgerLegs(cells: Cells): LedgerLeg[] {
  const [change = 0n, fee = 0n, funding = 0n] = ['Change', 'Fee Paid', 'Funding'].map(
    (name) => cells.roundedQuantity(name) ?? 0n,
  );
  const flow = cells.roundedQuantity('Cash Flow');
  if (flow !== null && flow + fee + funding !== change)
    cells.warn('the change does not equal the sum of the cash flow, funding and fee');
  const moved = flow ?? change - fee;
  const asset = cells.text('Currency').toUpperCase();
  if (fee > 0n && /^trade$/i.test(cells.text('Type'))) cells.reject('Fee Paid', rejections.feePaidOut);
  const sideWith = (units: bigint): Side => ({ asset, quantity: (units < 0n ? -units : units) as Quantity });
  const legs = [
    { cells, side: sideWith(moved), out: moved < 0n, isFee: false },
    { cells, side: sideWith(fee), out: true, isFee: true },
  ];
  return legs.filter(({ side }) => side.quantity !== 0n);
}
