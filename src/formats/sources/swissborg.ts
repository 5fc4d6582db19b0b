import type { Money } from '../../base/decimal.ts';
import { grossNotNetAndFee, rejections, skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type FormatFile, type HeaderColumns, type Outcome, rowsInGroups } from '../reader.ts';
import { readCoinChange } from '../tables/coin-changes.ts';
import { Gatherer } from '../tables/gatherer.ts';
import { type Kinds, readRowKind } from '../tables/kinds.ts';
import { exchangeOfLegs, type LedgerLeg } from '../tables/leg-groups.ts';
import { readSide } from '../tables/legs.ts';
import { readUnits } from '../tables/pairs.ts';

/**
 * Reads SwissBorg files: deposits, withdrawals, payouts, and exchanges with a row for each coin, joined by their UTC
 * time. The gross amount is the net amount plus the fee. Values are in the header's currency (`Gross amount (USD)`).
 */
export const swissBorg = coinFormat(
  { id: 'swissborg', name: 'SwissBorg transactions', source: 'SwissBorg' },
  [
    {
      id: 'transactions',
      header: 'Local time | Time in UTC | Type | Currency | Gross amount | Fee | Net amount | Note',
    },
  ],
  rowsInGroups(({ columns }) => new Gatherer<LedgerLeg>((legs) => finish(legs, columns)), readRow),
);

const kinds: Kinds = [
  [/^(?:buy|sell)$/, 'trade'],
  ['deposit', 'deposit'],
  ['withdrawal', 'withdrawal'],
  ['payouts', 'reward'],
];

function readRow(cells: Cells, exchanges: Gatherer<LedgerLeg>, { columns }: FormatFile): Outcome | readonly Outcome[] {
  const gross = readSide(cells, 'Currency', 'Gross amount');
  const net = readSide(cells, 'Currency', 'Net amount');
  const fee = readUnits(cells, 'Fee', gross?.asset);
  const time = cells.time('Time in UTC');
  const kind = readRowKind(cells, 'Type', kinds);
  const worth = readWorth(cells, columns);
  if ((gross?.quantity ?? 0n) !== (net?.quantity ?? 0n) + (fee?.quantity ?? 0n)) cells.warn(grossNotNetAndFee);
  if (cells.flawed) return cells.refused();
  if (typeof kind !== 'string') return kind;
  const note = cells.text('Note');
  if (kind === 'reward' && !/yield/i.test(note)) return cells.rejected('Note', rejections.payoutUnexplained);
  if (kind === 'trade') {
    const out = /^sell$/i.test(cells.text('Type'));
    const side = out ? net : gross;
    if (side === null) return cells.skip(skips.zeroAmount);
    const leg: LedgerLeg = { cells, side, out, isFee: false };
    const charged: LedgerLeg[] = fee === null ? [] : [{ cells, side: fee, out: true, isFee: true }];
    return exchanges.add(cells.text('Time in UTC'), leg, ...charged);
  }
  const change = { side: kind === 'withdrawal' ? net : gross, sign: null, kind, fee };
  const value = kind === 'reward' ? { worth: worth.value, currency: worth.currency } : {};
  return readCoinChange(cells, time, 'Gross amount', { ...change, ...value }, { note });
}

function readWorth(cells: Cells, columns: HeaderColumns): { readonly value: Money | null; readonly currency: string } {
  const column = columns.names.find((name) => /^gross amount \(\w{3}\)$/i.test(name)) ?? '';
  const currency = /\((\w{3})\)/.exec(column)?.[1]?.toUpperCase() ?? 'USD';
  return { value: cells.roundedMoney(column), currency };
}

function finish(legs: readonly LedgerLeg[], columns: HeaderColumns): readonly Outcome[] {
  const came = legs.find(({ out }) => !out) ?? legs[0];
  if (came === undefined) return [];
  return exchangeOfLegs(legs, came.cells.time('Time in UTC'), 'Type', {}, readWorth(came.cells, columns));
}
