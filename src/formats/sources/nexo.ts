import { isCurrency } from '../cells/currencies.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { cash, internal, type Kinds, readRowKind } from '../tables/kinds.ts';
import { readSide, type Side } from '../tables/legs.ts';
import { readMovement } from '../tables/movements.ts';

/**
 * Reads Nexo files, with the units sent and received in each row, and their value in dollars. GBPX, EURX and USDX are
 * money on the platform. Card purchases use borrowed money, so they are not sales, but sales to repay the loan are.
 * Times are UTC.
 */
export const nexo = coinFormat({ id: 'nexo', name: 'Nexo transactions', source: 'Nexo' }, [
  {
    id: 'input-output',
    header: `Transaction | Type | Input Currency | Input Amount | Output Currency | Output Amount | USD Equivalent |
      Details`,
    read: (cells) => readRow(cells, false),
  },
  {
    id: 'one-amount',
    header: 'Transaction | Type | Currency | Amount | Details | Outstanding Loan',
    read: (cells) => readRow(cells, true),
  },
]);

const loan = { skip: skips.loan };
const kinds: Kinds = [
  [/^(?:fixed term |fixed )?interest/, 'interest'],
  [/cashback|bonus|dividend|reward/, 'reward'],
  [/^(?:deposit to exchange|exchange deposited on|withdraw exchanged)|exchange to withdraw$/, cash],
  [/locking|^transfer (?:in|out)|term deposit|wallet/, internal],
  [/card|repayment|^loan|credit/, loan],
  [/^(?:liquidation|manual sell order)/, 'sell'],
  [/^(?:deposit|top ?up crypto)/, 'deposit'],
  [/^withdrawal/, 'withdrawal'],
  [/^exchange/, 'trade'],
];

function readRow(cells: Cells, oneAmount: boolean): Outcome {
  const input = moneyIfToken(
    readSide(cells, oneAmount ? 'Currency' : 'Input Currency', oneAmount ? 'Amount' : 'Input Amount'),
  );
  const output = oneAmount ? null : moneyIfToken(readSide(cells, 'Output Currency', 'Output Amount'));
  const time = cells.time(cells.has('Date / Time (UTC)') ? 'Date / Time (UTC)' : 'Date / Time');
  // A side in money has its own value, so its value in dollars is ignored.
  const isMoney = [input, output].some((side) => side !== null && isCurrency(side.asset));
  const worth = isMoney ? null : cells.roundedMoney('USD Equivalent');
  if (cells.flawed) return cells.refused();
  if (/^rejected/i.test(cells.text('Details'))) return cells.skip(skips.transactionRejected);
  const kind = readRowKind(cells, 'Type', kinds);
  if (typeof kind !== 'string') return kind;
  const common = { externalId: cells.text('Transaction') };
  const out = cells.text(oneAmount ? 'Amount' : 'Input Amount').startsWith('-');
  const nothing = { worth };
  if (kind === 'trade' && oneAmount) return cells.rejected('Type', rejections.receivedMissing);
  if (kind === 'trade')
    return readMovement(
      cells,
      time,
      { given: input, received: output, fee: readSide(cells, 'Fee Currency', 'Fee'), kind, worth },
      common,
    );
  if (kind === 'sell') {
    if (input === null || isCurrency(input.asset)) return cells.skip(loan.skip);
    const amount = cells.need('USD Equivalent', worth);
    return cells.read(time, { ...common, ...input, type: 'sell', amount });
  }
  if (out && kind !== 'withdrawal') {
    if (input !== null && isCurrency(input.asset)) return cells.skip(skips.cashInterestAndFees);
    return readMovement(cells, time, { ...nothing, given: input, kind: 'fee' }, common);
  }
  if (kind === 'withdrawal') return readMovement(cells, time, { ...nothing, given: input, kind }, common);
  const airdrop = kind === 'deposit' && /airdrop/i.test(cells.text('Details'));
  return readMovement(cells, time, { ...nothing, received: input, kind: airdrop ? 'airdrop' : kind }, common);
}

function moneyIfToken(side: Side | null): Side | null {
  return side !== null && /^(?:GBP|EUR|USD)X$/.test(side.asset) ? { ...side, asset: side.asset.slice(0, 3) } : side;
}
