import { Cells, HeaderColumns } from '../cells/cells.ts';
import { readQuantityRounded } from '../cells/fields.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { coinFormat, type Outcome, type Reader, type ReadingContext, type Row, type Time } from '../reader.ts';
import { Gatherer } from '../tables/gatherer.ts';
import { internal, type Kinds, readRowKind } from '../tables/kinds.ts';
import { exchangeOfLegs, type LedgerLeg } from '../tables/leg-groups.ts';
import { readExchange, readSide, type Side } from '../tables/legs.ts';
import { oneWay, readMovement } from '../tables/movements.ts';

/**
 * Reads CoinList wallet files, with sale proceeds in the description (`Sold 2 SOL for $300.00`), and CoinList Pro
 * files, with a row per leg and fee, joined by their time. Tokens distributed after a token sale were paid for earlier,
 * so they are imported like a deposit, and the user enters their price. Wallet times are New York time unless they
 * contain a zone.
 */
export const coinList = coinFormat(
  { id: 'coinlist', name: 'CoinList wallet and CoinList Pro', source: 'CoinList', zone: 'America/New_York' },
  [
    {
      id: 'wallet',
      header: 'Date | Description | Asset | Amount | Balance',
      evidence: {
        column: 'Description',
        says: /^(?:sold|bought) [\d.,]+ \w+ for |\bstaking\b|\bdistribution\b|coinlist/i,
      },
      read: readWalletRow,
    },
    { id: 'pro', header: 'portfolio | type | time | amount | balance | amount/balance unit | transaction_id' },
  ],
  (_layout, header, context) => new ProReader(new HeaderColumns(header), context),
);

const kinds: Kinds = [
  [/staking/, 'staking'],
  [/distribution|deposit/, 'deposit'],
  [/withdrawal/, 'withdrawal'],
  [/transfer/, internal],
];

const exchange = /^(sold|bought) ([\d.,]+) (\w+) for (\$?)([\d.,]+) ?(\w*)$/i;

function readWalletRow(cells: Cells): Outcome {
  const moved = readSide(cells, 'Asset', 'Amount');
  const time = cells.time('Date');
  const description = cells.text('Description');
  cells.need('Amount', moved);
  if (cells.flawed || moved === null) return cells.refused();
  const match = exchange.exec(description);
  if (match !== null) return readSentence(cells, time, match, moved);
  const kind = readRowKind(cells, 'Description', kinds);
  if (typeof kind !== 'string') return kind;
  return readMovement(cells, time, { ...oneWay(kind === 'withdrawal', moved), kind }, { note: description });
}

function readSentence(cells: Cells, time: Time | null, match: RegExpExecArray, moved: Side): Outcome {
  const [, way = '', , asset = '', dollar = '', amount = '', currency = ''] = match;
  const units = readQuantityRounded(amount) ?? null;
  const other = dollar === '' ? currency.toUpperCase() : 'USD';
  if (units === null || units === 0n || other === '') return cells.rejected('Description', rejections.otherSideUnclear);
  if (moved.asset !== asset.toUpperCase()) return cells.rejected('Asset', rejections.otherAssetInDescription);
  const against = { asset: other, quantity: units };
  const sides =
    way.toLowerCase() === 'sold' ? { given: moved, received: against } : { given: against, received: moved };
  return readExchange(cells, time, sides, {});
}

class ProReader implements Reader {
  private readonly trades = new Gatherer<LedgerLeg>((legs) =>
    exchangeOfLegs(legs, legs[0]?.cells.time('time') ?? null, 'type'),
  );

  constructor(
    private readonly columns: HeaderColumns,
    private readonly context: ReadingContext,
  ) {}

  read(row: Row): readonly Outcome[] {
    const cells = new Cells(row, this.columns, this.context, { zone: 'UTC' });
    // In some exports, two columns are swapped and the unit is in `balance`.
    const unit = /[A-Za-z]/.test(cells.text('amount/balance unit')) ? 'amount/balance unit' : 'balance';
    const side = readSide(cells, unit, 'amount');
    cells.time('time');
    const type = cells.text('type').toLowerCase();
    cells.need('amount', side);
    if (cells.flawed || side === null) return [cells.refused()];
    if (type === 'deposit' || type === 'withdrawal') return [cells.skip(skips.movedWithinPlatform)];
    if (type !== 'match' && type !== 'fee' && type !== 'admin') return [cells.rejected('type', rejections.unknownType)];
    const leg = { cells, side, out: cells.text('amount').startsWith('-'), isFee: type === 'fee' };
    return this.trades.add(`${cells.text('time')} ${type === 'admin' ? 'admin' : ''}`, leg);
  }

  end(): readonly Outcome[] {
    return this.trades.end();
  }
}
